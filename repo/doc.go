// Package repo keeps a tree of small text files on one branch of a git
// repository, and is the only code of git-tasks that moves a ref. It knows
// nothing of tasks: it reads a commit's tree as an [io/fs.FS] and takes lists
// of changed files.
//
// # Stored shape
//
// Everything durable is plain git: blobs, trees and commits in packs, one
// branch, its reflog. Beside the repository, never in history, lies the folder
// git-tasks in the git directory:
//
//	lock                      flock; held while a batch is written
//	rollup                    flock; held while packs are rolled up, its text is
//	                          the number of packs the last roll-up left
//	ref.<pid>.<start>.<n>     the new value of the branch, for one try
//	kept.<pid>.<start>.<n>    what the .keep files of a process that goes on are links to
//	side                      flock; held while [Repo.EditSide] replaces a file,
//	                          by <file>.<pid>.<start>.<n> renamed over it
//	key                       the key that the door signs with, where there is one
//
// A pack being written is objects/pack/git-tasks.<pid>.<start>.<n>-pack and
// -idx until it is complete; pack-<sum>.keep names the writer until its ref has
// moved.
// <start> is the start time of the process, so that a process number used
// again is not taken for the old process.
//
// # The life of one change
//
// [Repo.Update] is the write door. A caller gives it an edit function, which
// gets the tip and returns the commits it wants ([Proposal]). The door then:
//
//  1. takes the advisory lock, removes what tries that are over left behind,
//     reads the tip (loose, then packed), and runs the waiting edit functions in
//     turn, each on the tree the one before left;
//  2. makes pack-X.keep; then all new objects as one pack, its index, and a ref
//     file of its own with the new value, each under a name of this try alone;
//     syncs the three at once, reads the objects back, renames the pack and after
//     it the index, and syncs their folder: from here on the objects are durable;
//  3. links the ref file to <ref>.lock, which is git's own lock: created whole or
//     not at all; reads the branch again under it, and when it has moved gives the
//     try up and runs every edit function again on the new tip;
//  4. appends the reflog line, renames the lock to the ref (the other way round
//     for a branch's first commit: a log without a branch means a lost one),
//     syncs the folder, unlinks the ref file and the .keep; then answers.
//
// Meanwhile, since most of that is waiting for the disk, the edits of the calls
// that came are run on the tip that is about to be, and what they make is laid out
// as a pack: their batch is ready when the disk is. Where another tip came to be they
// are run again, under the lock.
//
// Every write is synced before the step that makes it visible: the objects and
// their folder before the rename of the ref, the ref's folder before the answer;
// so an answer survives a power cut. The objects of the last batches stay in
// memory, and so do the trees read last, all within a bound of bytes; a long-lived
// process opens the object store again only for what is in neither, after a
// roll-up or a miss. What is packed is read here, and verified against its id;
// whatever does not come out so, and what is stored otherwise, go-git reads or
// names.
//
// Whoever reads a whole tree leaves the texts of each folder in one file beside
// the repository, git-tasks/cache/, named by the folder's tree: the next process
// reads that instead of a hundred packed objects. A tree's id stands for the same
// bytes for ever, so such a file is never out of date; it is written after the
// answer, never synced, checked by a sum, and may be taken away at any time.
// Beside it stands what the users of a tree worked out of its folders: Keep and Kept
// of the file system that a [Snapshot] gives. That counts for one build of the
// program alone.
//
// [Repo.Health] looks at what stands beside the history (locks and whose they
// are, what dead processes left, packs, settings that lack) and writes nothing;
// [Repo.Mend] does at once what the next writer, [Init] and the next roll-up would
// do, and never takes another program's lock away.
//
// After its answer, whoever wrote the sixteenth pack since the last roll-up
// has git pack-objects make one pack of the small ones, so that each pack holds
// at least twice what all smaller ones do, and removes those. git holds the lock
// on rollup itself, so that it is alone also when its caller was killed. The new
// pack holds every object of the old ones, also what a larger pack has: see what
// can go wrong. Then, in a repository of ours, git writes its commit-graph, so that
// [Repo.LogOf] finds the commits of a path without a look at the others. Nothing
// here prunes or collects garbage.
//
// # Pushes and signatures
//
// What a push brought is in the repository before the branch has moved. A Proposal
// takes such a commit as the new tip, or merges it, so that a push and what it
// needs are one ref move as well; Base says how it relates to the tip. While git's
// pre-receive hook judges a push its objects lie apart, and Options.Incoming has
// them read there.
//
// A repository with a key (MakeKey) has every commit of the door signed in SSH's
// form, as git commit -S does it, so that git verify-commit and SignedBy can tell
// the door's commits from those that only look like them. The signature is over
// the tree, the parents, the author, the dates and the message.
//
// # What can go wrong
//
//   - Killed at any step: the branch has the old or the new value. What is left
//     behind is unlinked by the next writer, and a lock only when it is the
//     same inode as the ref file of a process that is gone.
//   - Another program's lock: waited for, two seconds from when the call came,
//     then [Held]; never removed.
//   - Another program moves the branch: it is seen under the lock and the edits
//     run again. Its commits are never overwritten, rebased or reset.
//   - Another program repacks or collects garbage: the .keep protects a pack
//     until its ref has moved, and the order of pack and index keeps git gc from
//     taking the index for an orphan; a reader that misses an object opens the
//     store again, as often as it finds the packs changed meanwhile.
//   - Two programs roll packs up at once: git repack -a leaves out what a pack with
//     a .keep of ours holds, then removes the large pack that held it as well. Had
//     our roll-up left it out because of the large one, as git repack --geometric
//     does, it would be nowhere; so it leaves nothing out.
//   - A try is given up: its pack stays once git could see it, held by no ref,
//     until a roll-up or somebody's git gc. git leaves out of the packs it makes
//     what a pack with a .keep holds, so a pack that is deleted may have become
//     the only place of an object that history needs.
//   - The disk is full or fails: the call fails with the reason, and the next
//     call starts afresh. Only a failure to sync the folder after the rename
//     leaves a commit on the branch that was not answered for: the error is
//     [Unconfirmed] and names the commit.
//   - The key is there and cannot be read or used: nothing is written, for what goes
//     unsigned would not count as the door's.
//   - The repository is moved away or removed under an open one: [Missing], and
//     nothing is made at its place.
//   - The ref, a tree or a commit cannot be read: [Damaged], and nothing is
//     written; never an empty list.
//   - The branch is checked out somewhere: [CheckedOut]. Moving it from behind
//     would make the person's next commit undo ours.
package repo
