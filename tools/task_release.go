package tools

import (
	"time"

	"github.com/git-tasks/git-tasks/records"
)

var taskRelease = &Tool{
	Name:       "task_release",
	Doc:        "Gives a task back: todo, and nobody's.",
	Idempotent: true,
	Fields:     []Field{{Name: "task", Form: TaskID, plain: true, Doc: "task id"}, force, idempotencyKey},
	Example:    `{"task":"t1"}`,
	run: func(c *call) (Answer, error) {
		todo, nobody, never := string(records.Todo), "", time.Time{}
		return c.change(records.SetTask{Task: c.in.Task, Force: c.in.Force,
			Fields: records.Fields{Status: &todo, Owner: &nobody, LeasedUntil: &never}})
	},
}
