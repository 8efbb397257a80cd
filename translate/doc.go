// Package translate turns the list that a coding agent's harness keeps for
// itself into edits of the session's plan, so that the list outlives the
// session, the compaction and the crash. It is pure: what it is given decides
// what comes out, and nothing is read or written on the way.
//
// # Shape
//
// Whatever a harness says is first brought into one neutral form, an [Update]:
// either the whole list, entries of text, status, priority, active form and
// perhaps an id, or one [Change] to an entry named by the harness's id. [Of] gives
// the edits that it asks of a Book, with what has to be remembered of the session
// beside its plan. The plan has the scope of the session, a subagent's that of
// session and agent, and is called by the session's title; each of its tasks that
// came this way carries source, the tool that wrote it and the id the harness gave
// it.
//
// # The life of one entry
//
// An entry of a whole list takes the first task of the plan with exactly its text that
// no earlier entry took, of several the one with its id; then the one with its id
// whatever it is called; where there is none it becomes a new task, todo, and is then
// moved to its status, so that the stamps are those of any other move. A step that the
// list no longer holds is dropped, never removed, and revived when it is listed again;
// a step that is done stays done. A list that is cleared after every step was done
// drops nothing. A single change finds its task by source.id, and adds one where it
// brings a text. Over ACP a text may be the active form of a step, "Reading the lexer"
// of "Read the lexer": that is the same step, and what it is called it goes on being
// called.
//
// A checked list is no harness's, which has moved on already, but comes by a tool of
// ours: a step moves from pending to in_progress to completed in it and never back,
// its ids are good as long as its steps are on it, and a word that says no more than
// its step's status changes nothing.
//
// # What can go wrong
//
//   - A status or priority this package does not know: the status is kept and
//     a note says what the harness said. One odd entry never refuses a list.
//   - A change to an entry nobody has, without a text: refused, and nothing is
//     written.
//   - Calls of one batch in an order that cannot be: what makes a task is taken
//     before what names it.
//   - A call of a batch that cannot be read: named in the error, the others are
//     taken.
//   - The same list again: no edit, so no commit.
//   - A list of which not one entry has a text: nothing changes. Only an empty one
//     says that all is cleared.
//   - A task that somebody added to the plan by hand: it is no step of the
//     harness and no list drops it.
//   - A text that is longer than a title, or of several lines: the title is its
//     beginning, in one line, and the whole stands in the body.
//   - Steps that wait for each other in a circle, or for one that is not there:
//     what cannot be is left out.
package translate
