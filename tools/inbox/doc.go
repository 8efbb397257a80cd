// Package inbox makes tasks of the Markdown files that are put into a folder.
//
// # Shape
//
// A file of the folder whose name ends in .md is one task to come. It has the
// frontmatter that a draft may have, without an id, or none: then its first line,
// a heading or not, is the title and the rest the body. In blockedBy and parent a file
// may name another one of the folder, which becomes a task first, or else the last one
// that was taken, by its name with or without .md. A name that begins with a
// dot, # or ~ is an editor's or a program's own and is left to it, as is any other
// name, and a folder: whoever writes fix.md.part and renames it is never met
// halfway. What is no record comes to lie in the folder refused, and beside
// refused/fix.md the reason, in refused/fix.md.txt.
//
// Each task is one commit, authored as the owner of the file, or as the host where
// the system has no name for that user:
//
//	t4 add: Fix the login
//
//	Tool: inbox
//	Inbox: 3f2a91bc77d0 fix.md
//
// # The life of one file
//
// The system tells that something happened in the folder; what lay there when the
// host started is looked at first. A file is taken once it is whole: nobody has it
// open for writing, as far as the system says, and its last line has an end. Where
// the one cannot be told, or the other is not so, it has to look the same for two
// seconds. Its name, what it looks like and a mark that was never used before are
// written to git-tasks/inbox.json beside the repository; then its task is
// committed, with the mark in the trailer Inbox; then the file is removed. A file
// of the same name that comes later is another task, whatever it says.
//
// # What can go wrong
//
//   - The host is killed between the commit and the removal: the next one finds the
//     file as inbox.json describes it and the mark in history, and only removes it.
//     Without the mark the task was not made, and is made now.
//   - The file is written to after it was read: it goes to refused, and the reason
//     names the task that was made of what it said before.
//   - The folder may not be written to: nothing is taken, since nothing could be
//     removed; that is logged, and looked at again when the folder changes.
//   - The folder is taken away: that is logged, [Inbox.Fault] says it, and it is looked
//     for again. Another one of its name is opened anew, and that is logged as well.
//   - The list cannot be written: the file stays, and is tried again after ten
//     seconds, or with the next signal.
//   - A link, a pipe, a device or a socket: refused, and never opened. A file of
//     more than 1 MiB: refused, and not read beyond that.
//   - A writer that opens the file again after each line, on a system that does not
//     tell of it: it may be met halfway. A rename never is.
package inbox
