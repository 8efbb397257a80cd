// Package records says what tasks and plans are: how one is stored, what may
// change it, and what a tree of them must hold. It reads from an fs.FS and
// writes nothing; it asks no clock and knows no git.
//
// # Stored shape
//
// A record is a Markdown file: YAML frontmatter between two lines `---`, then,
// if there is more to say, a blank line and the body.
//
//	---
//	id: t1
//	title: Read the plan
//	status: doing
//	labels:
//	  - docs
//	blockedBy: []
//	refs: []
//	created:
//	  at: 2026-10-18T10:00:00.000Z
//	  by: ana
//	  in: ahp-session:/one
//	---
//
//	The long text of the task.
//
// A task is t<n> and a plan is p<n>, counted up and never used twice. The file
// is named after the id and lies where PathOf says: the number without its last
// two digits spells the folders, so no folder holds more than about two hundred
// entries. The keys of Task and Plan are the keys of the file, in their order;
// keys that are not ours belong to whoever wrote them and are kept.
//
// The next id is one above every number that a file name spells or that
// .highest, a file of one line beside the records, names. It is written where a
// look into the folders would no longer find the highest number ever used: when
// that record is removed, when another program took it out of the tree or put
// it outside its folder, and, since nobody wants to list thousands of folders
// for one id, from number 10,000 on with the first record of every folder.
//
// Text is text: an unquoted yes, 12 or 2026-10-18 in a text field is what was
// typed, whatever YAML takes it for. A key without a value, and one whose text
// is empty, reads as if it were absent. Times are ISO-8601 text, written by us
// in UTC with milliseconds.
//
// A file that is still spelled the way Encode spells one is read line by line,
// without YAML, in a fifteenth of the time; any other goes to YAML. The tests
// hold the two to the same answer.
//
// # The Book
//
// A Book is all records at one commit, and never changes. A record asked for by
// its id costs one file; a list, or anything else that needs all of them, walks
// the tree once. From then on Advance makes the Book of the next commit by the
// changed files alone. The records stand in chunks of 256 numbers, each with its
// own lists by status, plan, session, owner, label and person and of what to
// report: the next Book copies the chunks of the changed files and shares the
// rest, so that a change costs the same in a long list as in a short one. A chunk
// that is asked for a text again notes which letters stand together in each piece
// of its titles and bodies, so that few pieces need be looked at.
//
// A file system may keep what was worked out of a folder for as long as the folder is
// the same (Kept and Keep; repo's does, by the id of the tree). Then a Book that read
// all leaves a digest of each folder in which there is nothing to report: the plans
// that its tasks name. A new Book that is asked for the tasks of one plan passes by
// the folders that hold none, and reads as a whole where a folder has something to
// report or too many have no digest, and from the second such question on.
//
// # The order of tasks
//
// A task may name a parent in its own plan and comes behind it in every list, and
// tasks side by side come by rank: text in base 62, compared byte by byte. A task
// without one has a rank made of its id, so a list that nobody put in order is by
// number, costs nothing to be so, and a new task goes to its end in every clone
// alike. One that is moved gets the middle of its two neighbours for a rank, or a
// step from the one there is, so that a move is one file.
//
// The Book makes the order of all tasks when first asked for a page that has to be
// in order, from a few numbers that each chunk keeps of its tasks.
//
// # The life of a record
//
// A tool makes an Edit, and Book.Apply turns it into the next Book and the files
// that differ. A new record is written by Encode, the same bytes for the same
// record; a known one by Splice, which changes the lines of the fields that
// differ and no other, so that one edit is one line of a diff and a hand-made
// file keeps its comments, order, quotes and line ends. What is written is read
// again and compared before anybody sees it. What a harness did to a list of its
// own comes as one Translation of many edits: all of them are made, or none.
//
// What came of a task is no key: it stands in the body, under a heading of its own,
// where people read it, and in a fence where a line of it would break out.
//
// A person may write the file instead. One without an id is a draft: it is read
// and waits. What the commits of others call for, Book.FollowUps makes ahead of
// our next edit: the draft gets its id and its place, as a commit of whoever made
// it, tasks that name it get the id instead, what was added and what was moved by
// hand is stamped as a tool would have, each as a commit of whoever did so, stamps
// that no tool wrote become what they were, and .highest is kept. Every new
// tree of ours is judged by CheckMove, and what a person pushes by CheckPush,
// which also keeps what is the host's; what differs between two trees is told by
// Changes.
//
// Two people may have changed one file, one of them in a clone that did not know
// of the other. Merge makes one file of three versions, field by field, and names
// every change that gave way, so that whoever writes the merge can say so; no
// conflict marker is ever written. Trees.Merge does so for all files of a push, and
// makes drafts of records whose ids the branch has given to others meanwhile.
//
// A record that left the tree is in history alone, and its id is never minted
// again. Restore puts its last text back, stamps and all; the one move that may
// take an id again, it is judged by CheckRestore, which is told the ids.
//
// # The life of a claim
//
// A claim is a patch of a task that names doing, and as owner whoever makes it; a
// lease then says who holds the task, in which session, and until when. What a change
// of a held task meets stands in guard.go, in one order for tools and pushes alike, and
// its rank is the holder's as all of it is. Nobody makes a claim for another: who is
// given a task in doing holds it once they claim it, or where its holder handed it on.
// A claim is over when its time is up or its session is gone: Book.AsOf gives the
// tasks as they count then, todo and nobody's, and Reclaim writes it. A task that
// nobody ever claimed has neither owner nor lease.
//
// # What can go wrong
//
// A file may be no record: broken YAML, a field of the wrong type, an id that
// is not its name's. Parse then gives Faults, each with file, line, field,
// reason and, where it can be known, the line as it should be, read once more
// before it is given. Such a file is left out and named; it never hides
// another one, and repairing it brings the record back. Format mends what
// quotes mend. Text that YAML reads but shortens (`title: Fix #12` is "Fix")
// is a record with a warning, which CheckMove refuses where it is new.
// Conflict markers in a body are a warning that it lets pass: they may be
// meant. CheckPush refuses those that are new.
//
// A file may be made to hurt: a million keys, brackets without end, aliases of
// aliases. A file has at most 1 MiB, its frontmatter 64 KiB, 256 keys and 32
// levels, judged on the bytes before a YAML parser sees them, keys and levels
// once more on what it read; a parser that panics is a fault like any other.
//
// A text may be made to deceive: escape sequences, line breaks, writing that
// runs backwards. It is stored as it is, escaped in the file, and Visible is how
// it is shown.
//
// A record may be more than Splice can change line by line (a map in braces, two
// keys on a line): its frontmatter is then written anew, keys that are not ours
// included, comments lost. If even that does not come out equal, the edit fails
// and the file stays as it was.
//
// Something may lie where we would write: a file or a symbolic link in the place
// of a folder, a folder in that of .highest; or the last id may be taken, the one
// of nine digits. What another person pushed must not keep anybody from working:
// FollowUps leaves out what cannot be written, a draft stays one, and an edit of a
// record that lies well goes on. An edit that needs the very place fails, with an
// error that names what is in the way and what to do.
//
// A record may name what never was: a plan that nobody made, a task above the
// highest id, itself, or tasks that wait for each other. All of that is valid, it
// may be about to come, and Check warns of it.
//
// Parents may go round in a circle: its lowest number is shown on top, the others
// below it, behind everything else, and Check names them. A rank that is none
// counts as absent.
//
// A claim may be one that nobody ends: its lease has no time, or one that is none, and
// nobody says of its session that it is gone; it stands until its holder moves the task
// or somebody forces it. A person may take the lease out of a file, or give a task in
// doing to another: CheckPush refuses that, and past the gate FollowUps puts back what
// was. Whether a claim is over is asked at the time of the Mark or of AsOf alone: where
// a clock goes back it counts again until Reclaim has written that it is over.
//
// Two files may claim one id: the one in the id's own place has it, the other is
// a fault. Two writers may race: nothing here is changed in place, so whoever
// loses applies its Edit again to the Book that won.
package records
