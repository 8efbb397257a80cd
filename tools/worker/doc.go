// Package worker does the tasks of a list by running a command for each.
//
// # Shape
//
// A worker is a session of its own. It claims the first task that is ready and
// nobody's, under a lease, and runs the command in a process group of its own. On
// its standard input the command finds the task as Markdown, in its environment
//
//	GIT_TASKS_TASK     t4
//	GIT_TASKS_SESSION  the worker's session, so that what it calls is the holder's
//
// What the command comes to is what becomes of the task, in a commit of the worker:
//
//	0          done, unless the command moved the task itself
//	75         todo again; the worker pauses, another may take it at once
//	126, 127   todo again; the command cannot be run, so the worker ends
//	any other  blocked, with a note: "exit 3: " and the last line of standard error
//
// # The life of one task
//
// A worker that finds nothing waits for the branch to move, or for the end of a
// claim, and looks again. Where something is ready it calls task_claim, whose
// answer is one worker's alone. While the command runs the lease is renewed once
// per half of it, and the branch is followed from the claim on. When the command
// ends, the write door looks once more whether the claim is still the one that was
// made, and only then moves the task, in the same step: there is no moment in
// between.
//
// # What can go wrong
//
//   - The claim is lost, since somebody forced it, the lease could not be renewed
//     in time, be it since the machine slept, or the task was removed: the command is
//     stopped, and nothing is reported. A move that the command made itself, in the
//     worker's session, is no loss: it may go on, and nothing is reported either.
//   - The worker is told to stop: so is the command, which is killed two seconds
//     later; the task is todo again.
//   - The worker is killed: a shell that leads the command's process group reads
//     from a pipe that ends with the worker, and kills the group. The session has
//     ended then, and with it the claim.
//   - What the command leaves in the background goes on after it, and is nobody's.
//   - The list cannot be written when the command has ended: the worker tries again
//     until its lease is over.
package worker
