// Package repotest gives tests real repositories and real git, fenced off from
// whoever runs them. No settings, hooks or identity of the machine or the person
// reach them, and no inherited GIT_ variable.
//
// # The life of a repository
//
// [New] makes one in a folder of the test; the test writes to it through the
// write door, with [Git], or past the door with [Foreign]; when the test ends,
// git fsck has to find nothing wrong in it, whatever happened to it.
//
// # What can go wrong
//
//   - git is not on PATH: every test that needs it fails and says so.
//   - Another git of the test is at work on the same ref or folder: a command of
//     [Foreign] is tried again, as a person would; [Transient] knows what for.
package repotest
