package tools

var taskApprove = &Tool{
	Name:   "task_approve",
	Doc:    "Stamps a task approved. Needs task:approve.",
	Fields: []Field{{Name: "task", Form: TaskID, Doc: "task id"}},
	run:    func(c *call) (Answer, error) { return c.approve(c.in.Task) },
}
