// Package channel lets a client follow a plan: a snapshot, and then each change
// as one action, whoever made it and by whatever road, once and in order.
//
// # Shape
//
// A plan is one channel, x-ahpd-plans://<plan id>. Its state is {plan, tasks},
// the records as the store holds them, tasks by number. Four actions follow it:
// taskAdded and taskSet with the task, taskRemoved with the id it had, set with
// the plan. A task that moves to another plan is removed on the one it left
// before it is added on the one it joined.
//
// # The life of one action
//
// Actions are a pure function of the trees of two commits, so a tool call, a
// pushed edit, a translation and a sweep look the same, and a replay of history
// agrees with what was sent live to the byte. The cursor of a reader is a
// commit: the feed keeps no log of its own and cannot disagree with the store.
// Within one commit removals come first, then the plan, then tasks by number.
//
// # What can go wrong
//
//   - A reader is slow: its queue is bounded; then it gets a fresh snapshot or
//     is closed with a reason, and holds nobody else up.
//   - A connection drops: the reader goes on from its commit, or, where that is
//     no longer to be had, from a snapshot.
//   - A record is edited into something unreadable: it is removed from its
//     channel, and added again when it is mended.
//   - History is rewritten behind the store: readers get the difference of the
//     two trees, like any other.
//   - A client sends an action: it comes back to that client alone, refused;
//     the records are the only writer.
package channel
