// Package clone is what a person's clone of a list needs beside what git gives
// it: records mended before they are pushed, and merged field by field, by hooks, a
// merge driver and settings that can be put into any clone and taken out again.
//
// # Shape
//
// A [Clone] is a working tree with its git directory. What is read of git, git
// itself is asked for; files of the working tree are opened below its top alone,
// and never through a link that leads out. Install adds to a clone:
//
//	git-tasks.config       the merge driver, how hunks of a diff are headed, and for
//	                       an address the variable in which git finds a token
//	git-tasks.push.config  how git pushes and pulls while the branch of the list is
//	                       checked out, so that other branches are pushed as ever
//	config                 three lines at its end that include the first of them
//	info/attributes        at its end, which files are merged and shown as records
//	hooks/pre-commit       looks at what is committed; what was there runs first,
//	                       under another name
//	hooks/pre-rebase       looks for what a rebase would stop at, behind what was there
//
// Lines in a file of others stand between two marks, of which the first says as well
// how the file was, so that Uninstall gives back its very bytes, and nothing is kept
// of it elsewhere. All of it is in the git directory that worktrees share.
//
// A plain git push goes to refs/for/BRANCH, where the list lands it whether the clone
// is stale or not, by merging it field by field. git counts what came through as
// fetched, and git status says so; the merge, and what the list wrote to it (ids,
// stamps), comes with the next pull, as a commit on top. git pull rebases, unless the
// person told it otherwise: what is not pushed yet goes on top of what the list has,
// and no merges of people's clutter the log. A list in a folder that was not told to
// land such pushes is pushed to as ever, and so is what lies behind an address and
// does not answer as a host of git-tasks does; that is said.
//
// # The life of an edit
//
// A person changes files as they like. Format mends in them what quotes or
// another folder mend, and tells what is left for the person. Before a commit the
// hook has BeforeCommit do the same in the index, and judge what is staged by
// records.CheckPush, which is what the list will ask of the push. Where the same file
// was changed on the remote as well, git calls Merge for it, in a merge as in a
// rebase.
//
// # What can go wrong
//
//   - A file is written by an editor at the same moment: it is replaced whole, by a
//     rename, so the editor sees either text; what it had not written yet, it
//     writes over ours.
//   - A record belongs where another file lies: it stays, and both are named.
//   - Both sides added a record of one name: the remote's has it, the person's lies
//     beside it as a draft, and the merge stops, so that it is not left uncommitted.
//     What would be no record when merged has git's own conflict marks, as it would
//     without us, and the reason is said.
//   - git takes a record that one side took out, and one like it that the same side
//     added, for one that was renamed, and would merge what the other side changed of
//     the first into the second. Its settings do not help: git before 2.50 does not
//     turn renames off in a rebase, and with them off an edit of a draft that got its
//     id meanwhile would find nobody. So the driver looks at the ids: the second stays
//     as it is, the first waits in a folder beside it, and the merge stops.
//   - A draft says less than what the list wrote into it with its id, and is edited
//     on: git does not know it again, and a rebase would stop in the middle. BeforeRebase
//     finds that, and the hook refuses the rebase before it begins; the list does know
//     the draft, so a push ahead of the pull lands what was edited. A merge has no such
//     hook, and stops.
//   - What is staged is not what lies in the working tree, or git commits single
//     files from an index that it throws away: nothing is mended, and it is said.
//   - We fail before a commit: it is said, and the commit goes on, since the list
//     judges every push itself.
//   - git does not say which commits it merges (git stash, git cherry-pick): what
//     comes in is taken for the person's.
//   - git commits a merge by itself (pull.rebase set to false): its message names
//     nothing of what gave way; that is said on standard error, and both values are
//     in the parents.
//   - The person named another folder for hooks (core.hooksPath): nothing is put
//     there, and the line that belongs into their hook is said. Another hook that
//     came in the place of ours stays.
//   - The program is gone: commits go on with a word on standard error, and files are
//     merged by their lines, as git does it.
//   - The remote is renamed: push and fetch lines of the old name stay until install
//     is done again.
//   - The folder is no clone of a list, or a bare repository: refused in words, and
//     nothing is looked at.
package clone
