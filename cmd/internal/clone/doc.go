// Package clone is what a person's clone of a list needs beside what git gives
// it: records mended before they are pushed, and merged field by field.
//
// # Shape
//
// A [Clone] is a working tree with its git directory. What is read of git, git
// itself is asked for; files of the working tree are opened below its top alone,
// and never through a link that leads out.
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
//   - What is staged is not what lies in the working tree, or git commits single
//     files from an index that it throws away: nothing is mended, and it is said.
//   - We fail before a commit: it is said, and the commit goes on, since the list
//     judges every push itself.
//   - git does not say which commits it merges (git stash, git cherry-pick): what
//     comes in is taken for the person's.
//   - The folder is no clone of a list, or a bare repository: refused in words, and
//     nothing is looked at.
package clone
