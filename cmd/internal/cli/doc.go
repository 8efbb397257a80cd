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
// # What urfave/cli does, and what it does not
//
// The library holds the tree of commands with their flags, finds the command,
// reads the values by their types, and hands a command its flags and arguments.
// Three things are done here instead:
//
//   - The order (arrange.go). The library stops at the first argument and takes a
//     flag of the program before the command alone; git lets both stand anywhere,
//     and so do people. Whoever sorts the words must know which of them are flags
//     and which are values, so unknown words are refused there as well, and it is
//     known before anything fails whether an error is to be JSON.
//   - The help (help.go). The library's keeps neither to one screen nor to 80
//     columns, and makes help a command and a flag of every command, where it may
//     well be the title of a task.
//   - The end. The library prints its errors where data goes, and may end the
//     process; here an error is returned, and its code makes the exit code.
//
// Its guesses at a misspelt word are not used either: they name something for
// any word (suggest.go).
//
// # The life of a command
//
// The words are put in order first; one that is not known ends the run before
// anything is opened. Then the list is opened: the repository that a flag or the
// environment names, which must be there, else the one in the person's data
// folder, which the first command that writes makes. The command asks, through
// the host where one serves the list, and prints; what it printed is flushed; only
// then is the list closed, which may take a moment when packs are due to be rolled
// up.
//
// # What can go wrong
//
// A command ends with 0 when it did what it was asked, 1 when something failed,
// 2 for a usage or an input that is refused, 3 when the record it is about does
// not exist, 4 for a conflict, 5 when the person may not or is not known, 6 when
// the host went away with a change under way. A hook has 1 in place of 2, which a
// harness takes for a no, and one of a harness 0 whatever happens. A list that cannot
// be printed is a failure even when the change is made: the text says so. A command
// that is told to stop and cannot, since what it waits for hangs, is ended after five
// seconds.
package cli
