// Package clone is what a person's clone of a list needs beside what git gives
// it: records mended before they are pushed.
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
// another folder mend, and tells what is left for the person.
//
// # What can go wrong
//
//   - A file is written by an editor at the same moment: it is replaced whole, by a
//     rename, so the editor sees either text; what it had not written yet, it
//     writes over ours.
//   - A record belongs where another file lies: it stays, and both are named.
//   - The folder is no clone of a list, or a bare repository: refused in words, and
//     nothing is looked at.
package clone
