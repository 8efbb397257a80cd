// Package watch tells when a branch of a git repository may have moved, or a file
// in a folder may have changed, whoever did it: the write door of another process,
// git itself, a push, a harness.
//
// # What is watched
//
// A branch lies in a file of its own below refs, or in packed-refs; git writes
// both by renaming another file over them, and makes and removes the folders
// between as branches come and go. So folders are watched, never files: the git
// directory for packed-refs, and each folder on the way to the branch's own
// file that is there, the next one as soon as it appears. For [Folder] those are
// the folder and the ones in it. Beside that the place is looked at every few
// seconds, for changes the system did not tell of.
//
// # The life of one signal
//
// Something happens to a file or folder that the branch may lie in, or to one in a
// watched folder; a signal is put into the channel, which holds one; the reader
// takes it and reads the branch, or the files. What happens after that puts in the
// next one, also where it is undone again. So after the last move there is always
// a signal still to come, or one that was taken before the branch was read. A
// signal without a move is possible, a move without a signal is not, beyond the
// interval of the look.
//
// # What can go wrong
//
//   - The system gives no more watches, or loses events: the look finds the move.
//   - The repository is moved away and back, or made anew: the look sees that
//     and watches again.
//   - The git directory is not there at first: an error. A folder may come later.
package watch
