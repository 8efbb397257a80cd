// Package simulation plays histories that nobody would think of against a whole
// list, as tests: callers through several stores, people with clones who push with
// git through the real gate, commits beside all of it, the sweep, and whoever
// follows the plans; it kills the real landing of a push, has processes race for
// claims, and kills workers in the middle of a plan.
//
// It has no code of its own, and stands above everything that it puts together:
// its test binary is git-tasks, which the hooks of the list run.
//
// # The life of one history
//
// rapid draws steps: tasks and plans are made and changed, claimed, given back and put
// beside each other, time passes and leases end. Each is done by what the list is made
// of, and by a model in plain values: at once for a call, and in the order of the
// commits for what was done at the same time. After each step both stores say what the
// model says, claims that are over as such, and what a Book read from scratch says; and
// they list in each row what they did, but for what was moved. What the gate took,
// check finds clean. At the end every commit is one that somebody was told of, no push
// that landed is lost, and whoever followed the list by its changes alone knows it as
// it is.
//
// # What can go wrong
//
//   - git is not on PATH: every history fails, and says so.
//   - A clone moves a task that was ever claimed: what comes of that depends on what the
//     clone knew, and no history draws it. Merges of claims are in the fuzzing of records.
//   - A push is refused since another holds what it changes: its edits are given up, as a
//     person would.
package simulation
