package tools

import "github.com/git-tasks/git-tasks/records"

var taskReview = &Tool{
	Name: "task_review",
	Doc:  "Stamps a task reviewed, with a verdict where one is given. Changes no status.",
	Fields: []Field{
		{Name: "task", Form: TaskID, plain: true, Doc: "task id"},
		{Name: "verdict", Form: Choice, Choices: words(records.Approved, records.ChangesWanted)},
	},
	Example: `{"task":"t1","verdict":"changes"}`,
	run: func(c *call) (Answer, error) {
		return c.change(records.ReviewTask{Task: c.in.Task, Verdict: records.Verdict(c.in.Verdict)})
	},
}
