// Package toolstest gives tests a list on a real repository, a clock that they
// move themselves, and a table of cases that every front must play alike.
//
// # Shape
//
// A [Case] is a story on an empty list: calls with their whole answers, commits
// of other programs between them, and what files and commits must hold. A
// [Front] makes one call the way its users do, so that one table holds the
// package itself, the command line and MCP to the same words.
//
// A [Forgery] is one way to write what is the host's, in the hands of a [Forger] with a
// clone; it is tried past every check as well as by real pushes.
//
// [Transcripts] are for fronts that speak a protocol: files of what is said and what
// must be answered. [OpenExample] is a list for an example.
//
// # The life of a case
//
// [Play] makes a repository, plays step by step, a minute apart, and checks the
// list at the end.
//
// # What can go wrong
//
//   - A step differs: the test fails at that step with both texts, and what would
//     follow is not played.
//   - A test breaks files on purpose: [Check] leaves out what the list itself
//     reports as unreadable, and nothing else.
package toolstest
