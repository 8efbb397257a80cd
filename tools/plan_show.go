package tools

var planShow = &Tool{
	Name:       "plan_show",
	Doc:        "Answers the plan and one line per task that names it.",
	ReadOnly:   true,
	Idempotent: true,
	Fields:     []Field{{Name: "plan", Form: PlanID, Doc: "plan id"}},
	run: func(c *call) (Answer, error) {
		var l list
		plan, err := c.book.Plan(c.in.text("plan"))
		if err != nil {
			return Answer{}, err
		}
		l.addPlan(plan)
		tasks, err := c.book.TasksOf(plan.ID)
		if err != nil {
			return Answer{}, err
		}
		for t := range tasks {
			l.addTask(t)
		}
		return l.answer(c.book, "")
	},
}
