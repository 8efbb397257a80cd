package records

import (
	"fmt"
	"strings"
)

// What fields must be, said as of a scope.
const (
	mustBeText       = "must be a non-empty string."
	mustBeTaskStatus = "must be todo, doing, blocked, review, done, or dropped."
	mustBePlanStatus = "must be draft, active, done, or dropped."
	mustBePriority   = "must be high, medium, or low."
	mustBeVerdict    = "must be approved or changes."
	mustBeLine       = "must be one line."
	mustBeFuture     = "must be in the future."
	mustBeUser       = "must match the id of a known user."
	mustBeApproved   = "must not be doing until the task is approved (see task_approve)."
	mustNotSelf      = "must not name the task itself."
	mustNotLoop      = "must not make a cycle."
	mustHaveKeys     = "must have keys of one line each, none blank."
	mustBeInPlan     = "must be a task of the same plan."
	mustBeAlone      = "must not be named together with before."
	mustBeSibling    = "must be a task with the same plan and parent."
	mustBeShorter    = "must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB."
)

// What is said of a field in a file, in the words that a tool's input is
// refused in.
const (
	titleReason      = "title " + mustBeText
	taskStatusReason = "status " + mustBeTaskStatus
	planStatusReason = "status " + mustBePlanStatus
	priorityReason   = "priority " + mustBePriority
	verdictReason    = "verdict " + mustBeVerdict
	scopeReason      = "scope " + MustBeScope
)

const (
	// maxTitle is how many bytes a title given to a tool may have, not counting
	// the [Cut] at its end. Files written by hand are read whatever their title's
	// length.
	maxTitle = 256
	// maxBlockers is how many tasks one task may wait for.
	maxBlockers = 64
)

var (
	mustBeTitle = fmt.Sprintf("must be one line of at most %d bytes.", maxTitle)
	mustBeFew   = fmt.Sprintf("must name at most %d tasks.", maxBlockers)
)

// invalid refuses a field of the input.
func invalid(field, must string) *Refusal {
	return &Refusal{Kind: Invalid, Field: field, Text: field + " " + must}
}

// mustKnow refuses a field that names a record which is not there: the input
// can be mended.
func mustKnow(field string, k Kind, id string) *Refusal {
	r := invalid(field, fmt.Sprintf("must match the id of a known %s (see %[1]s_list).", k.noun()))
	r.Given, r.See = id, k.noun()+"_list"
	return r
}

// Unknown refuses a call that is about a record which is not there. The field is
// the one that names it; anything but a plan is called a task.
func Unknown(field string, k Kind, id string) *Refusal {
	r := mustKnow(field, k, id)
	r.Kind = NotFound
	return r
}

// mustApprove refuses what a task may not be before it is approved.
func mustApprove(id string) *Refusal {
	r := invalid("status", mustBeApproved)
	r.Of, r.See = id, "task_approve"
	return r
}

// blockedBy refuses a move that the tasks in front of it keep back.
func blockedBy(id string, open []string) *Refusal {
	return &Refusal{Kind: Conflict, Text: "conflict: " + id + " is blocked by " + Visible(strings.Join(open, ", ")) + ".", Of: open[0], See: "task_list"}
}

// mustNotLoopBy refuses to wait for a task that waits itself, in the end.
func mustNotLoopBy(id, field string) *Refusal {
	r := invalid(field, mustNotLoop)
	r.Of, r.See = id, "task_list"
	return r
}
