// Package panel shows a list on a terminal, live: what is under way, what comes
// next, what was just finished, and who is at what.
//
// # Shape
//
// A [Panel] is a Book as somebody looks at it: of one plan or of all tasks, as a
// short list or as a tree, filtered, some of it folded, the cursor on one task. It
// is pure: what it shows follows from the Book, the keys that were pressed, the size
// of the terminal and the time. [Show] puts one on a terminal and hands it all four;
// [Panel.Print] is one rendering for what is no terminal.
//
// The short list has what finished within 30 seconds first, then what is in doing
// and in review, what is todo or blocked, and what finished earlier. It takes ten
// rows at most, and as many fewer as leave fourteen rows of the terminal free; what
// has no row is counted, "… +3 pending, 1 in progress". The tree has every task
// below its parent, two columns a level up to six levels, and takes the whole
// terminal.
//
// A row is a mark (○ todo, ◐ doing, ◑ review, ● done, × dropped, ⊘ blocked or
// waiting for others), the id, the title, who is at it with what they do just now,
// the tasks it waits for, and what is left of its lease. Under the rows stands what is
// no task: a line for each file that cannot be read as a record, with its place and the
// reason, and for each draft that waits for its id; where there are more than four,
// three of them, and how many others there are.
//
// # The life of a change
//
// The branch moves, by whatever road, or a claim is over, by its time or with its
// session: package tools signals both. The Panel gets the Book as it counts now, and is
// drawn anew. What changes by time alone, the half minute of a finished task and the
// minutes of a lease, is drawn when its time comes; only whether a session still runs
// has to be asked, every few seconds while it holds something. Nothing here changes the
// list. Opening a record hands the terminal to whoever edits it, and takes it back.
//
// # What can go wrong
//
//   - A title holds what steers terminals: it is shown as records.Visible shows it.
//   - A title is wide, or longer than the terminal: columns are counted as terminals
//     count them, and what does not fit ends in "…".
//   - The terminal is smaller than anything: what fits is shown, from the top.
//   - The branch cannot be read when it moves: the last line says why, what was shown
//     stays, and the next move that can be read brings all of it.
//   - The process is told to stop: the terminal is as it was before.
package panel
