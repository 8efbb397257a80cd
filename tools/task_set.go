package tools

import (
	"slices"

	"github.com/git-tasks/git-tasks/records"
)

// taskStatuses in the order in which they are named.
var taskStatuses = words(records.Todo, records.Doing, records.Blocked, records.Review, records.Done, records.Dropped)

var taskSet = &Tool{
	Name: "task_set",
	Doc: "Changes the fields it names; \"\" or [] clears one. The first doing stamps the task started, " +
		"the first review, done, or dropped finished.",
	Idempotent: true,
	Fields: slices.Concat([]Field{
		{Name: "task", Form: TaskID, plain: true, Doc: "task id"},
		{Name: "title", Form: Title, plain: true, Doc: "what the task is, in one line"},
		{Name: "status", Form: Choice, Choices: taskStatuses},
		{Name: "priority", Form: Choice, Choices: priorities, Clears: true},
	}, taskFields, placeFields, []Field{
		{Name: "addBlockedBy", Form: Texts, Kind: TaskRef, plain: true, Doc: "tasks to wait for besides"},
		{Name: "removeBlockedBy", Form: Texts, Kind: TaskRef, plain: true, Doc: "tasks to wait for no longer"},
		output, leasedUntil, force, ifCommit, idempotencyKey,
	}),
	Example: `{"task":"t1","status":"doing"}`,
	run: func(c *call) (Answer, error) {
		return c.change(records.SetTask{Task: c.in.Task, Fields: c.in.fields(), Force: c.in.Force})
	},
}

// output is what came of a task.
var output = Field{Name: "output", Form: Text, Kind: Markdown, Doc: "what came of it; kept in the body"}

// The fields that say until when a task is held, and that it is to be changed whoever
// holds it.
var (
	leasedUntil = Field{Name: "leasedUntil", Form: Until, Doc: "when the claim ends, ISO-8601; 0 never"}
	force       = Field{Name: "force", Form: Flag, Doc: "though another holds it"}
)
