package records

import "fmt"

// What a field must be, by field; each sentence begins with the field's name.
const (
	mustKnowTask     = "must match the id of a known task (see task_list)."
	mustKnowPlan     = "must match the id of a known plan (see plan_list)."
	mustBeText       = "must be a non-empty string."
	mustBeTaskStatus = "must be todo, doing, blocked, review, done, or dropped."
	mustBePlanStatus = "must be draft, active, done, or dropped."
	mustBePriority   = "must be high, medium, or low."
	mustBeVerdict    = "must be approved or changes."
	mustBeScope      = "must be a folder, bot, or session scope."
	mustBeTitle      = "must be one line of at most 256 bytes."
	mustBeLine       = "must be one line."
	mustBeApproved   = "must not be doing until the task is approved (see task_approve)."
	mustNotSelf      = "must not name the task itself."
	mustNotLoop      = "must not make a cycle."
	mustBeShorter    = "must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB."
)

// maxBlockers is how many tasks one task may wait for.
const maxBlockers = 64

var mustBeFew = fmt.Sprintf("must name at most %d tasks.", maxBlockers)

// invalid refuses a field of the input.
func invalid(field, must string) *Refusal {
	return &Refusal{Kind: Invalid, Field: field, Text: field + " " + must}
}

// unknown refuses an edit of a record that is not there.
func unknown(k Kind) *Refusal {
	if k == PlanKind {
		return &Refusal{Kind: NotFound, Field: "plan", Text: "plan " + mustKnowPlan}
	}
	return &Refusal{Kind: NotFound, Field: "task", Text: "task " + mustKnowTask}
}
