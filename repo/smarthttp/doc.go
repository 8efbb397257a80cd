// Package smarthttp lets git clone, fetch and push over HTTP, by running the
// real git upload-pack and receive-pack on a repository.
//
// # Shape
//
// A [Handler] answers three requests, below whatever path it is mounted at, and
// nothing else; git's older "dumb" protocol is not spoken:
//
//	GET  /info/refs?service=git-upload-pack|git-receive-pack
//	POST /git-upload-pack
//	POST /git-receive-pack
//
// Who asks is settled by a function of the caller's before git is run. It gives
// what the hooks of a push are to find in their environment.
//
// # The life of one push
//
// git asks for the refs and is told to name itself where that is needed. It
// sends what the repository lacks, as it comes, in chunks or packed with gzip.
// receive-pack reads that through us, runs the hooks it is told of and moves
// refs, or does not; each word of its answer is handed on at once.
//
// Settings are given to git call by call. Nothing is written to the repository's
// own, and none of its own that names a program to run has any effect: not its
// hooks, nor what it says of signatures or of repositories it borrows from.
//
// # What can go wrong
//
//   - Who asks is not known, or may not: 401 or 403, and git is not run.
//   - A client hangs up in the middle: receive-pack finds its input cut short and
//     stores nothing. After the last byte has come it is not stopped any more, so
//     that nothing is left half done; it has [Config.Timeout] to end.
//   - A request is larger than it may be, also once it is unpacked: it is cut
//     there, and git refuses what it got.
//   - A web page has a browser send something: the content types that are asked
//     for cannot be sent that way, and no GET changes anything.
//   - git is not there, or fails before it has said anything: 500, and its words
//     are logged, not sent.
package smarthttp
