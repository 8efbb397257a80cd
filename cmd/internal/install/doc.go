// Package install puts entries of ours into the settings files of other programs,
// and takes them out again. Everything else in such a file stays byte for byte.
//
// # Shape
//
// An [Entry] is a path of keys with a value, or an item of a list that is known by
// one of its fields, or by what it says. A [Format] adds, finds and removes entries
// in the text of a file; it is pure. [Settings] is such a file on disk, and makes
// one change of it.
//
// Nothing is written beside the file: what was put in can be told from what was
// there before, so [Format.Remove] gives back what [Format.Add] was given. In JSON,
// where comments and trailing commas are kept:
//
//   - An entry comes last, parted from what stands before it as that is. Where the
//     last thing has a comma behind it, so has the entry.
//   - In an object that was empty it stands right behind the brace. What is made to
//     hold it has a line break or a blank there, and goes with it.
//   - A file that was empty, or holds only comments, gets an object and no line end
//     behind it. A file that was not there gets one, and goes again.
//
// In TOML:
//
//   - An entry is a table at the end of the file, behind an empty line.
//   - It has a line end behind it unless the file had none. A file that was not
//     there is as in JSON.
//
// # The life of a change
//
// Links are followed to the file itself, which is read and changed in memory. The
// new text goes to a file beside it, with the mode and the owner of the old one,
// and is synced. Then the file is read once more: where it is no longer what was
// changed, all begins anew; else the new file takes its place. Folders that are
// missing are made, and taken away when the entry goes and they are empty.
//
// # What can go wrong
//
//   - The file cannot be read as what it is, or has a key twice that is on the way
//     to the entry, or something other than an object there: the line is named, and
//     the file is left alone.
//   - TOML has the entry, or what should hold it, as a dotted key or an inline table:
//     the same. It can be found, but not changed by the line.
//   - Another program writes the file between the last look and the rename: what it
//     wrote is lost. No lock is shared with other programs, so the moment is short,
//     and that is all there is.
//   - Another program rewrites the file in its own layout: the entry is found and
//     goes, but what was made to hold it may stay, or an object go that was empty
//     before.
//   - The file may not be written by its owner, belongs to another user, or has
//     several names: it is refused, since the new file would not be like it.
//   - The process is killed on the way: a file .NAME.new-… may be left beside, and
//     the file itself is whole. Rights beyond mode and owner are not carried over.
//   - A folder that was there, and empty, before a file was made in it: it goes with
//     the file.
package install
