package tools

import "github.com/git-tasks/git-tasks/records"

var taskRemove = &Tool{
	Name:    "task_remove",
	Doc:     "Takes a task off the list; history keeps it.",
	Fields:  []Field{{Name: "task", Form: TaskID, plain: true, Doc: "task id"}, force, idempotencyKey},
	Example: `{"task":"t1"}`,
	run: func(c *call) (Answer, error) {
		edit := records.RemoveTask{Task: c.in.Task, Force: c.in.Force}
		if c.trial {
			return c.change(edit)
		}
		var gone *records.Task
		result, first, err := c.update(func(book *records.Book) (steps []Step, err error) {
			gone, err = c.store.asOfNow(book).Task(edit.Task)
			return []Step{{Edit: edit}}, err
		})
		switch {
		case err != nil:
			return Answer{}, err
		case first != nil:
			return *first, nil
		}
		return Answer{Text: gone.Line(), Records: []any{gone}, Commit: result.Commit.String(), Replaced: result.replaced.String()}, nil
	},
}
