// Command bench measures git-tasks against its budgets, on lists of a believable
// shape that it makes itself.
//
//	go run ./cmd/bench -size 1000
//	go run ./cmd/bench -size 1000,10000,100000 -svg growth.svg
//	go run ./cmd/bench -size 10000 -only changes -cpuprofile changes.prof
//
// # Shape
//
// A list of a size is made from a seed, once, by git fast-import, and kept in the
// user's cache folder; of the same seed it is the same commit everywhere. Every
// row works on a copy of its own, which shares the packs. A row is one budget:
// what is measured, what it is compared with, and how much of the budget that
// uses.
//
// # The life of one row
//
// It does its work and what it is compared with in turns, so that whatever else
// the machine does meets both. The medians of the turns are one run; of three
// runs the one in which the work itself did best stands, with the comparator
// of that same run. Then the row holds every answer it got to what must have
// come out: to the shape, to git's own count of the commits, to git's check of
// the objects. A row with one wrong answer has no figure.
//
// The comparator is what one would do without git-tasks, durable where the work
// is: git's own programs in a repository of the same list and settings, or the
// system's calls. For what has no such thing it is git --version, which says how
// fast the machine starts a process.
//
// The rows of actions have a thousand readers, and take the time from the moment when
// the call of a change is answered to the one when the last of them has its action;
// over WebSocket, has read it from its socket. They share the cores with the host, so
// they decode nothing while they listen: who was told of what, how often and in which
// order is looked at when the last has come.
//
// testdata/figures.json keeps what the main operations came to: changes, a process
// that adds, shows and lists, a push. -compare measures and says which ratio to its
// comparator is another now; a time by itself says more of the machine than of us.
// They are of two cores that did other work as well; a quiet machine has others, and
// takes its own before it judges a change by them.
//
//	go run ./cmd/bench -size 1000 -only main -compare cmd/bench/testdata/figures.json
//	go run ./cmd/bench -size 1000,10000 -only main -json >cmd/bench/testdata/figures.json
//
// TestSoak is the other half. It asks not how fast but whether, with the same
// host and the same clients, while that host is killed.
//
// # What can go wrong
//
//   - Another program is at work: both figures are worse, the ratio is less so.
//     Rows whose budget is a time of its own want a quiet machine.
//   - An answer is wrong: the row says which, and the exit status is 1.
//   - A budget is not met: the row says so; the exit status is 1 with -strict.
//   - The system is not Linux: the row of the host's memory is left out.
package main
