// Package cli is the command line of git-tasks: a front over the tools that
// people type at. [Run] is all of it; what it may touch of the process (streams,
// environment, folder, clock) comes in as an [Env].
//
// # Shape
//
// One file holds one command: its flags, its help, and a function that asks the
// tools and prints. What changes the list goes through tools.Call with JSON
// made from the flags, so people are refused in the words that agents get; the
// flags of such a command are made from the tool's own fields. Data goes to
// standard output and everything else to standard error; with --json the data
// is one document.
//
// # The life of a command
//
// The arguments are put in order first (arrange.go): flags may stand anywhere,
// an unknown one ends the run before anything is opened. Then the list is
// opened: the repository that a flag or the environment names, which must be
// there, else the one in the person's data folder, which the first command that
// writes makes. The command asks and prints; what it printed is flushed; only
// then is the list closed, which may take a moment when packs are due to be
// rolled up.
//
// # What can go wrong
//
// A command ends with 0 when it did what it was asked, 1 when something failed,
// 2 for a usage or an input that is refused, 3 when the record it is about does
// not exist, 4 for a conflict, 5 when the person may not. A list that cannot be
// printed is a failure even when the change is made: the text says so.
package cli
