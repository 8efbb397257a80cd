// Package house holds the rules that the source keeps to, as tests. They are
// those that a compiler does not know: which package may import which, what is
// documented and shown by an example, which names are exported, how long a file
// or a function may be, and what no test may do. A rule that is broken is named
// with its reason.
//
// It has no code of its own. The rules read the source as it lies on disk, and
// what go list says of it.
//
// # What can go wrong
//
//   - go is not on PATH: every rule fails, and says so.
package house
