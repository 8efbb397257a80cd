// Package detail says all that there is to say about one task: its fields in words,
// what follows for it from the rest of the list, and the brief for whoever is to do
// it.
//
// # Shape
//
// A [Task] is the record, with its keys as the file has them, and its [Standing]:
// which of the tasks that it waits for are open, how deep it stands, which tasks
// wait for it, and the commit that all of it was read at. As JSON it is one object;
// as text a line for the task, a line for each key, and behind a blank line the
// body:
//
//	t2 doing high Fix tabs
//	blockedBy: t1
//	openBlockers: t1
//	depth: 1
//	commit: ba7aa4ff4583f38930856cec5e0ab11eb3590c34
//
//	The long text.
//
// A brief is Markdown: the title, a section for each key of the packet, those that
// have a meaning first and in their order, and the body.
//
// # The life of one
//
// [Of] makes it of a Book and forgets it: nothing here is kept. What keeps a task
// waiting and how deep it stands is asked of the Book, where every list asks it.
//
// # What can go wrong
//
// A text may be made to deceive: each is one line, as records.Visible shows it, and
// the lines of a body stand behind the blank line, where no key is. A packet may
// hold anything that a hand-made file can: what has no meaning is shown as JSON, a
// number that JSON has not as Go says it.
package detail
