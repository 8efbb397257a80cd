// Package records says what tasks and plans are: how one is stored, what may
// change it, and what a tree of them must hold. It reads from an fs.FS and
// writes nothing; it asks no clock and knows no git.
//
// # Stored shape
//
// A record is a Markdown file: YAML frontmatter between two lines `---`, then,
// if there is more to say, a blank line and the body.
//
//	---
//	id: t1
//	title: Read the plan
//	status: doing
//	labels:
//	  - docs
//	blockedBy: []
//	refs: []
//	created:
//	  at: 2026-10-18T10:00:00.000Z
//	  by: ana
//	  in: ahp-session:/one
//	---
//
//	The long text of the task.
//
// A task is t<n> and a plan is p<n>, counted up and never used twice. The file
// is named after the id and lies where PathOf says: the number without its last
// two digits spells the folders, so no folder holds more than about two hundred
// entries. A .highest file (HighestPath) remembers the highest id once its file
// is gone. The keys of Task and Plan are the keys of the file, in their order;
// keys that are not ours belong to whoever wrote them and are kept.
//
// Text is text: an unquoted yes, 12 or 2026-10-18 in a text field is what was
// typed, whatever YAML takes it for. A key without a value, and one whose text
// is empty, reads as if it were absent. Times are ISO-8601 text, written by us
// in UTC with milliseconds.
//
// # The life of a record
//
// A tool makes an Edit, and Book.Apply turns it into the next Book and the files
// that differ. A new record is written by Encode, the same bytes for the same
// record; a known one by Splice, which changes the lines of the fields that
// differ and no other, so that one edit is one line of a diff and a hand-made
// file keeps its comments, order, quotes and line ends. What is written is read
// again and compared before anybody sees it.
//
// A person may write the file instead. One without an id is a draft: it is read,
// waits for its id, and gets it from the next write, which also moves it to its
// place. A status moved by hand is stamped there too. Every new tree, whoever
// made it, is judged by CheckMove; what differs between two trees is told by
// Changes.
//
// # What can go wrong
//
// A file may be no record: broken YAML, a field of the wrong type, an id that is
// not its name's. Parse then gives Faults, each with file, line, field, reason
// and, where it can be known, the line as it should be. Such a file is left out
// and named; it never hides another one, and repairing it brings the record
// back. Text that YAML reads but shortens (`title: Fix #12` is "Fix") is a
// record with a warning.
//
// A file may be made to hurt: a million keys, brackets without end, aliases of
// aliases. The limits MaxRecord, MaxFrontmatter, MaxKeys and MaxDepth are judged
// on the bytes before a YAML parser sees them, keys and depth once more on what
// it read, and a parser that panics is a fault like any other.
//
// A text may be made to deceive: escape sequences, line breaks, writing that
// runs backwards. It is stored as it is, escaped in the file, and Visible is how
// it is shown.
//
// A record may be more than Splice can change line by line (a map in braces, two
// keys on a line): its frontmatter is then written anew, keys that are not ours
// included, comments lost. If even that does not come out equal, the edit fails
// and the file stays as it was.
//
// Two files may claim one id: the one in the id's own place has it, the other is
// a fault. Two writers may race: nothing here is changed in place, so whoever
// loses applies its Edit again to the Book that won.
package records
