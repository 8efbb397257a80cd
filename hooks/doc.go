// Package hooks is what git and the agents' harnesses run: the gate that a push
// passes, the landing of what passed it, and the hook commands of each harness.
// What git runs in clones is package clone's, in cmd/internal.
//
// # Shape
//
// A hook script in a repository is two lines of shell that run this binary, by
// the path that it had when it wrote them, else the one on PATH. [Install] writes
// both scripts into a repository that git-tasks made, with the settings
// receive.procReceiveRefs (refs/heads/main and refs/for) that have git leave the
// branch to us; a host has a folder of its own for what comes by HTTP. The gate
// ([PreReceive]) reads what git hands to pre-receive, one line per ref; the landing
// ([ProcReceive]) speaks git's proc-receive protocol on standard input and output.
// A harness's hook gets one JSON document on standard input and answers with one on standard
// output.
//
// # The life of one push
//
// While the pushed objects are still in quarantine, pre-receive judges the net
// change by records.CheckMove, the check that every change of our own passes
// too, and has no other effect. proc-receive then lands it: a fast-forward as it
// is, a stale push merged field by field; what the change needs (ids for drafts,
// references to them, stamps, the highest id) becomes a commit of its own behind
// it, authored as the person; and all of it is one ref move through the write
// door, in the host where one runs, else in the hook's own process. git itself
// never moves the branch.
//
// # What can go wrong
//
//   - The gate refuses: nothing is stored; the text names file, line, what is
//     wrong, and the line as it should be.
//   - A hook of another's lies in the place of ours: it stays, and whoever installs
//     is told.
//   - The host dies in the middle: the hook's own process lands the push, or
//     nothing has happened; both sides look at the branch under its lock.
//   - The binary was moved: the script looks for it on PATH, and else refuses
//     with the line that mends it.
//   - A push by HTTP finds its host gone: nobody else knows whose it is, so it is
//     refused.
//   - A harness sends something unknown, or we fail: the hook says so on
//     standard error and exits 0, so that no agent is stopped by its list.
package hooks
