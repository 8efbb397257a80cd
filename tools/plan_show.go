package tools

import "github.com/git-tasks/git-tasks/records"

var planShow = &Tool{
	Name:       "plan_show",
	Doc:        "Answers the plan and one line per task that names it.",
	ReadOnly:   true,
	Idempotent: true,
	Fields:     []Field{{Name: "plan", Form: PlanID, plain: true, Doc: "plan id"}},
	Example:    `{"plan":"p1"}`,
	run: func(c *call) (Answer, error) {
		var l list
		plan, err := c.book.Plan(text(c.in.Plan))
		if err != nil {
			return Answer{}, err
		}
		l.add(plan)
		page, _, err := c.book.Select(records.Filter{Plan: plan.ID}, 0, 0)
		if err != nil {
			return Answer{}, err
		}
		for _, t := range page {
			l.addUnder(t.Depth, t.Task, t.Task)
		}
		return l.answer(c.book, "")
	},
}
