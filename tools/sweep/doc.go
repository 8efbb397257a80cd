// Package sweep takes finished plans off the list, with every task that names
// them. A plan is due once the newest stamp among those tasks and the plan is
// older than the setting sweepAfterDays. Git keeps what was taken off.
//
// # Shape
//
// A swept plan is one commit, authored as the host: its subject is
// "p1 sweep 12 tasks", its body the line of each record that went. Where the
// highest id leaves the tree with it, .highest remembers the id.
//
// # The life of one plan
//
// A plan that is done or dropped is looked at once when [Run] starts and then
// every hour. Draft and active plans, and tasks without a plan, never go,
// however old they are. The status of a task does not matter, but a plan stays while
// somebody holds a task of it; a claim that is over is taken back ahead of the sweep, in
// a commit of its own.
//
// # What can go wrong
//
//   - A plan changes while a pass looks at it: the write door looks again at
//     the tip, and leaves a plan alone that is no longer due.
//   - A pass fails or panics: it is logged, and the next hour's pass looks
//     again. One plan that cannot be swept does not keep the others.
//   - A pass outlasts the hour: the next one is skipped.
package sweep
