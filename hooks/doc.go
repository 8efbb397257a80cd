// Package hooks is what git runs: the gate that a push passes, and the landing of
// what passed it. What git runs in clones is package clone's, in cmd/internal.
//
// # Shape
//
// A hook script in a repository is two lines of shell that run this binary, by the
// path that it had when it wrote them, else the one on PATH, or say that there is
// none. [Install] writes both scripts into a repository that git-tasks made, with
// the settings receive.procReceiveRefs (refs/heads/main and refs/for) that have git
// leave the branch to us, [Uninstall] takes both out again, and [Examine] says what
// of it is not as it must be; a host has a folder of its own for what comes by
// HTTP. A pre-receive that was there before lies beside ours, as
// pre-receive.before-git-tasks, and is asked first. The gate ([PreReceive]) reads
// what git hands to pre-receive, one line per ref; the landing ([ProcReceive])
// speaks git's proc-receive protocol on standard input and output.
//
// # The life of one push
//
// While the pushed objects are still in quarantine, pre-receive judges the net
// change by records.CheckPush, which asks all that a change of our own has to pass
// and keeps what is the host's, and has no other effect. proc-receive then lands
// it: a fast-forward as it is, a stale push merged field by field; what the change
// needs (ids for drafts, references to them, stamps, the highest id) becomes a
// commit of its own behind it, authored as the person; and all of it is one ref
// move through the write door, in the host where one runs, else in the hook's own
// process. git itself never moves the branch.
//
// # What can go wrong
//
//   - The gate refuses: nothing is stored; the text names file, line, what is
//     wrong, and the line as it should be.
//   - A pre-receive of another's lies in the place of ours: it gets a second name
//     before ours takes the first, so that a push meets one at any moment, and whoever
//     dies in between leaves it at work. Taken out again, it is the same file.
//   - A proc-receive of another's does: one program alone can land a push, so it
//     stays, nothing is written, and whoever installs is told. So it is with a second
//     pre-receive where one was put aside before.
//   - A push comes by HTTP: the host's own scripts alone are run, as nothing is that a
//     repository names.
//   - The host dies in the middle: the hook's own process lands the push, or
//     nothing has happened; both sides look at the branch under its lock.
//   - The binary was moved: the script looks for it on PATH, and else refuses
//     with the line that mends it.
//   - A push by HTTP finds its host gone: nobody else knows whose it is, so it is
//     refused.
package hooks
