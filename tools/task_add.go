package tools

import (
	"slices"

	"github.com/git-tasks/git-tasks/records"
)

// priorities in falling order.
var priorities = words(records.High, records.Medium, records.Low)

var taskAdd = &Tool{
	Name: "task_add",
	Doc:  "Makes a task, todo.",
	Fields: slices.Concat([]Field{
		{Name: "title", Form: Named, Doc: "one line"},
		{Name: "priority", Form: Choice, Choices: priorities, Clears: true, Doc: "medium where absent"},
	}, taskFields, placeFields, []Field{idempotencyKey}),
	Example: `{"title":"Fix tabs","plan":"p1"}`,
	run: func(c *call) (Answer, error) {
		fields := c.in.fields()
		if fields.Folder == nil && c.caller.folder != "" {
			fields.Folder = &c.caller.folder
		}
		if fields.Session == nil && c.caller.session != "" {
			fields.Session = &c.caller.session
		}
		return c.change(records.AddTask{Fields: fields})
	},
}

// taskFields are those that task_add and task_set take alike.
var taskFields = []Field{
	{Name: "labels", Form: Texts, plain: true, Doc: "words to group tasks by"},
	{Name: "topic", Form: Text, plain: true, Doc: "what it is about, in one word"},
	{Name: "plan", Form: Text, Kind: PlanRef, plain: true, Doc: "id of its plan"},
	{Name: "bot", Form: Text, plain: true, Doc: "slug of its bot"},
	{Name: "folder", Form: Text, Kind: FolderPath, plain: true, Doc: "folder it was made in"},
	{Name: "session", Form: Text, Kind: SessionRef, plain: true, Doc: "session it was made in"},
	{Name: "owner", Form: Text, plain: true, Doc: "who is to do it"},
	{Name: "blockedBy", Form: Texts, Kind: TaskRef, plain: true, Doc: "tasks that must be done first"},
	{Name: "active", Form: Text, Doc: "what is being done right now"},
	{Name: "note", Form: Text, plain: true, Doc: "one line on where it stands"},
	{Name: "refs", Form: Texts, plain: true, Doc: "links it needs"},
	{Name: "body", Form: Text, Kind: Markdown, plain: true, Doc: "the long text, in Markdown"},
	{Name: "packet", Form: Packet, plain: true, Doc: "work order"},
}

// placeFields say where a task stands, and what else is kept with it.
var placeFields = []Field{
	{Name: "parent", Form: Text, Kind: TaskRef, plain: true, Doc: "task it is a part of"},
	{Name: "before", Form: Text, Kind: TaskRef, Doc: "task of that parent to go before"},
	{Name: "after", Form: Text, Kind: TaskRef, plain: true, Doc: "task of that parent to go after"},
	{Name: "metadata", Form: Pairs, plain: true, Doc: "texts by key; an empty one removes the key"},
}
