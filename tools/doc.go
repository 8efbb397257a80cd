// Package tools is all that an agent or a person can ask of the list: its
// tools, one file each, over one [Store]. Every front (MCP, the command line,
// later the panel and the board) makes a [Caller] at its door, calls [Call] and
// prints what it returns.
//
// # Shape
//
// A tool is one [Tool] value: its name, what it does, its fields in declared
// order, and the function that answers. The schema an MCP client sees, the help
// of the command line and the table in the README are made from it. An answer
// is one line of text per record, and the same records as JSON; a refusal is an
// [Error] with a [Code] of a closed list and the exact words for an agent. What a
// code is to each front (exit code, status of HTTP, code of MCP and of AHP) stands
// in its row of one table, in code.go, and in no front.
//
// # The life of a call
//
// [Call] reads the input (the id of the record the call is about first, then
// the fields in declared order) and hands the tool's edits to [Store.Update].
// In the write door the edits are applied to the Book at the tip by
// Book.Apply, which sets the stamps, none earlier than one that the record has;
// the new tree must pass records.CheckMove, part of the gate that a push meets; each
// edit becomes one commit, authored as the stamp's by. Where other programs committed since the
// door's last commit, what they need (ids for drafts, references to them, the
// highest id) is committed first, in the same ref move, authored as whoever
// made those commits. The answer holds the commit.
//
// A call with an idempotencyKey is looked for in history before anything else, by
// the trailer "Idempotency-Key: <key> <12 digits of its input's SHA-256>", an hour or
// 10,000 commits back, and once more in the write door for what came meanwhile. Its
// answer is made of the commit that is found. Keys are a person's in a session, be it
// none; those that were made up for clients of MCP ([Store.OwnSession]) are one for that. A
// refusal, and a call that changed nothing, keep no key.
//
// What is no tool is asked of the Store itself: [Store.History], [Store.Check],
// and [Store.Restore], which finds a record that left the list in history and
// puts its last readable text back. That is the one move that takes an id again,
// and the gate lets it pass by name.
//
// # The life of a claim
//
// Who claims a task holds it: it is doing, with an owner and a lease, and nobody else
// may change it. The holder is the session of the call, or the person where there is
// none. A claim ends with a move, a release, or force, which is recorded, as it is
// where a harness's own list, which tells what has happened, says other than the
// holder; and by itself, when its time is up or its session has ended. From then on the
// task counts as todo and nobody's for all who read, and nothing is written for that;
// the next change of the task, by whatever road, writes it, as a commit of its own ahead
// of the change in one move of the branch, and a host that runs as soon as it is so
// ([Store.KeepClaims]); who waits sees it without either ([Store.WithClaims]). A
// session has ended when that was said, or when every process that watched it is gone
// and it was not heard of for 30 seconds ([Store.WatchSession]); of one that nobody
// watches, or that another machine does, nobody can say, and only its time counts. One
// that calls a tool which changes something lives again, and holds what nobody took
// meanwhile. All of it is decided in the write door, so of any number of callers, in
// whatever process, one claims.
//
// # The life of a move
//
// A [Feed] has a commit for its cursor. Whenever the branch moves, by whatever
// road, it walks from the tip back to that commit along first parents, and
// compares tree with tree on the way forth: each commit is one [Move] with the
// records that it changed. Nothing is kept of what was told, so nothing can
// disagree with the branch, and a reader that was away goes on from the last
// commit it was told of. All that is live stands on it: updates of MCP
// resources, plan channels, git tasks watch.
//
// # The life of a push
//
// [Store.Judge] is the gate while git still holds the pushed objects back, and
// [Store.Land] puts the push on the branch: taken as it is where it descends from the
// tip, else merged field by field, with what its net change needs behind it, all in one
// ref move. Whose a task is says the branch that it comes to: one that was released
// since is nobody's to hold, and claims that are over of the tasks that it changes are
// taken back ahead of it, which it is then merged into. [Store.Check] asks the same
// gate about all that others ever brought: what it takes is clean in history, and what
// came past it is named. [Store.Revise] takes one file that a person wrote without a
// clone, [Store.File] as they were given it, the same way: its commit is the door's,
// with its stamps.
//
// # The life of a harness's list
//
// [Store.PlanUpdate] takes what a harness says of the list that it keeps for
// itself, and makes the session's plan of it by the rules of package translate: one
// commit for all that was said at once, none where nothing changed. What no task
// holds, the active forms of steps to come and the calls that were taken, lies
// beside the repository with the session.
//
// An agent that keeps its list here says it by todo_write, which goes the same way:
// one commit, by the same rules, but that a step which would go back refuses it. A
// subagent has a list of its own. Which steps were done when they left the list lies
// beside the repository too, since their ids may name others from then on.
//
// How many turns of a session are over since its list was written, and since it was
// told of its open steps, is counted there as well, for [Store.Remind]: in no commit.
//
// # Whose a commit is
//
// [Store.Enroll] gives the repository a key and commits its public half to
// .git-tasks/allowed_signers, in git's own form. From then on the door's commits
// are those that it signed, or that another key signed which the list names as a
// believed key's commit wrote it; what it wrote before the first signature goes by
// the committer's name and the Tool trailer, as everything does in a repository
// without a key. The first signed commit is named beside the repository, in
// git-tasks/signed-since, so that history cannot be exchanged for one without
// signatures, and a branch that is gone is no list that begins. A clone that
// becomes a host believes the first list of the history it has, adds its own line,
// and goes on.
//
// Where others' commits are on top, readers judge by what the door last had:
// stamps and leases that no tool wrote count for nothing until the door puts
// them back with its next change.
//
// # Who is behind a call
//
// A door tells the store what it knows ([Who]); the Caller that comes back is
// handed down as an argument. by is the person, else the owner of the session,
// else "host". Grants are asked of the person alone, and only where the
// settings have a user directory. Behind a push is whom the transport knows, and
// where it knows nobody, whom the commits name.
//
// # What can go wrong
//
//   - A bad input, an unknown id, a missing grant, a conflict: an [Error];
//     nothing was written and no id was used.
//   - The disk, the repository or another program's lock: an [Error] with code
//     internal, held or busy and the reason; nothing was written, unless the text
//     says that the commit is on the branch.
//   - A record that cannot be read is left out of every list and named in the
//     last line of each, with file, line and reason; it never stops a call.
//   - History is rewritten, or a merge brings a feed's commit by another than its
//     first parent: the feed tells what differs between the two trees, as one
//     Move, and goes on from there.
//   - The branch cannot be read when it moves: a feed says so and stays where it
//     is; the next move that can be read is told from there.
//   - A host was killed between making its key and listing it: the door signs, and
//     what it wrote before counts as before. What git had to look for in all of
//     history for that is kept beside the repository, in git-tasks/unlisted, until a
//     host lists the key.
//   - The branch was renamed or removed: signed-since says that there was a list,
//     and nothing is read or written until the branch is back.
//   - A commit says that it is the door's and is not signed: it is one of
//     somebody else. The key may not be read by who reads the list: for them the
//     committer's name decides, as without a key.
//   - What a harness said beside its list cannot be written: the list is on the
//     branch all the same, and the log says so. A step may lack its active form
//     then.
//   - The tip cannot be read: calls that write fail with the reason; a process
//     that has read the list before goes on answering from what it last read.
package tools
