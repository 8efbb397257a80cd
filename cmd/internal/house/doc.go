// Package house holds the rules of this repository that a compiler does not
// know, as tests: which package may import which, what is documented, how long
// a file or a function may be, and what no test may do. A rule that is broken
// is named with its reason.
//
// It has no code of its own. The rules read the source as it lies on disk, and
// what go list says of the imports; what can go wrong is that go is not on
// PATH, and then they fail.
package house
