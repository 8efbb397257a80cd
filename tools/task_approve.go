package tools

var taskApprove = &Tool{
	Name:    "task_approve",
	Doc:     "Stamps a task approved. Needs task:approve.",
	Fields:  []Field{{Name: "task", Form: TaskID, Doc: "task id"}},
	Example: `{"task":"t1"}`,
	run:     func(c *call) (Answer, error) { return c.approve(c.in.Task) },
}
