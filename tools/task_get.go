package tools

import (
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
)

var taskGet = &Tool{
	Name:       "task_get",
	Doc:        "Answers all of a task: its fields and body, the open blockers, what it blocks, the commit.",
	ReadOnly:   true,
	Idempotent: true,
	Fields: []Field{
		{Name: "task", Form: TaskID, plain: true, Doc: "task id"},
		{Name: "packet", Form: Flag, Doc: "as a brief, in Markdown"},
	},
	Example: `{"task":"t1"}`,
	run: func(c *call) (Answer, error) {
		task, err := c.store.Detail(c.in.Task, true)
		if err != nil {
			return Answer{}, err
		}
		if task == nil { // removed since the input was read
			return Answer{}, records.Unknown("task", records.TaskKind, c.in.Task)
		}
		text := task.Text()
		if c.in.Packet == true {
			text = task.Brief()
		}
		return Answer{Text: text, Records: []any{task}}, nil
	},
}

// Detail gives all of a task, nil where there is none of that id. Only where those
// that wait for it are asked for is the whole list read.
func (s *Store) Detail(id string, blocks bool) (*detail.Task, error) {
	book, at, err := s.Book()
	if err != nil {
		return nil, err
	}
	task, err := book.Task(id)
	if err != nil || task == nil {
		return nil, err
	}
	return detail.Of(book, at.String(), task, blocks)
}
