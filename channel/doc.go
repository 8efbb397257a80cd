// Package channel lets a client follow a plan: a snapshot, and then each change
// as one action, whoever made it and by whatever road, once and in order. It
// knows no wire: what speaks one stands on it.
//
// # Shape
//
// A plan is one channel, x-ahpd-plans://<plan id>. Its state is {plan, tasks},
// the records as the store holds them, tasks by number. Four actions follow it:
// taskAdded and taskSet with the task, taskRemoved with the id it had, set with
// the plan. A task that moves to another plan is removed on the one it left
// before it is added on the one it joined. Line breaks within a text are \n,
// whatever the file has: a commit that changes only those makes no action.
//
// States and actions are of the branch alone and know no clock, so that both say the
// same at every moment: a task whose claim is over is todo once that is written, which
// a host does as soon as it is so.
//
// A session has two views beside it, of the tasks of its plan and those that name
// it: the todo list call of a turn ([Call], a line for each task) and the open
// count ([Open]), which is told when it moves. A [Host] is what is given them, and
// the tools, where the list is built into a Go program ([Attach]).
//
// # The life of one action
//
// [Actions] are a pure function of the trees of two commits, so a tool call, a
// pushed edit, a translation and a sweep look the same, and a replay of history
// agrees with what was sent live to the byte. Within one commit removals come
// first, then plans, then tasks, each by number. A [Hub] follows the branch by a
// feed of tools, whose cursor is a commit: it computes the actions of each commit
// once, encodes each once, and puts that one copy into the queue of every
// [Reader] that follows a plan they are on. A Reader has one queue for all its
// plans, so it gets the actions of a commit together and in their order.
//
// Who numbers what it sends, as a wire does, follows all plans instead ([Hub.Tap])
// and takes states while nothing moves ([Hub.Look]).
//
// [Reader.Follow] gives the state at the hub's commit, which is the tip: what a
// client wrote before it asked is in it. [Reader.Resume] gives what a client
// missed since the last commit it was told of, from history.
//
// # The life of a turn
//
// The host says that a turn starts ([Plugin.StartTurn]), and leaves its todo list
// call to the list. The first commit of the turn that changes a task or the plan of
// the session opens the call, each later one writes it anew, the end completes it; a
// turn without a change has none. A call of a tool is answered once what it changed
// is drawn.
//
// # What can go wrong
//
//   - A reader is slow: its queue is bounded; then it is thrown away, and the next
//     [Batch] is the state of each of its plans as it is when it is taken. A wire
//     that has no place for a state closes the connection and says why. Nobody
//     waits for a reader.
//   - A connection drops: the client goes on from its commit, or, where git no
//     longer has that, from a state.
//   - A record is edited into something unreadable: it is removed from its
//     channel, and added again when it is mended.
//   - A plan is removed, swept, or made unreadable: each of its tasks is removed.
//     Who follows it hears of it again when it comes back: set, then its tasks.
//   - History is rewritten behind the store: readers get the difference of the
//     two trees, like any other.
//   - The branch cannot be read: that is logged, nothing is sent, and the next
//     move that can be read brings all of it.
//   - The host ends: [Reader.Next] gives what is queued, then [ErrEnded].
package channel
