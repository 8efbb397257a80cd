package tools

import "github.com/git-tasks/git-tasks/records"

var planList = &Tool{
	Name:       "plan_list",
	Doc:        "Lists plans, one line each; every filter given must match.",
	ReadOnly:   true,
	Idempotent: true,
	Fields: []Field{
		{Name: "scope", Form: ScopeRef, Doc: "only plans of this scope"},
		{Name: "status", Form: Choice, Choices: planStatuses, Doc: "only plans of this status"},
	},
	Example: `{"status":"active"}`,
	run: func(c *call) (Answer, error) {
		plans, err := c.book.Plans()
		if err != nil {
			return Answer{}, err
		}
		scope, status := c.in.Scope, records.Status(text(c.in.Status))
		var l list
		for p := range plans {
			if scope != nil && !scopeIs(p.Scope, *scope) || status != "" && p.Status != status {
				continue
			}
			l.add(p)
		}
		return l.answer(c.book, "No plans match.")
	},
}
