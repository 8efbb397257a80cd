package tools

var planShow = &Tool{
	Name:       "plan_show",
	Doc:        "Answers the plan and one line per task that names it.",
	ReadOnly:   true,
	Idempotent: true,
	Fields:     []Field{{Name: "plan", Form: PlanID, Doc: "plan id"}},
	Example:    `{"plan":"p1"}`,
	run: func(c *call) (Answer, error) {
		var l list
		plan, err := c.book.Plan(text(c.in.Plan))
		if err != nil {
			return Answer{}, err
		}
		l.add(plan)
		tasks, err := c.book.TasksOf(plan.ID)
		if err != nil {
			return Answer{}, err
		}
		for t := range tasks {
			l.add(t)
		}
		return l.answer(c.book, "")
	},
}
