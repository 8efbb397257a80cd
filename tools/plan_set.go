package tools

import "github.com/git-tasks/git-tasks/records"

// planStatuses in the order in which a plan goes through them.
var planStatuses = words(records.Draft, records.Active, records.Done, records.Dropped)

var planSet = &Tool{
	Name:       "plan_set",
	Doc:        "Changes a plan's title or status.",
	Idempotent: true,
	Fields: []Field{
		{Name: "plan", Form: PlanID, plain: true, Doc: "plan id"},
		{Name: "title", Form: Title, Doc: "what the plan is, in one line"},
		{Name: "status", Form: Choice, Choices: planStatuses},
	},
	Example: `{"plan":"p1","status":"active"}`,
	run: func(c *call) (Answer, error) {
		return c.change(records.SetPlan{Plan: text(c.in.Plan), Title: c.in.Title, Status: c.in.Status})
	},
}
