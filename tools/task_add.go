package tools

import "github.com/git-tasks/git-tasks/records"

// priorities in falling order.
var priorities = words(records.High, records.Medium, records.Low)

var taskAdd = &Tool{
	Name: "task_add",
	Doc:  "Makes a task, todo.",
	Fields: append([]Field{
		{Name: "title", Form: Named, Doc: "what the task is, in one line"},
		{Name: "priority", Form: Choice, Choices: priorities, Clears: true, Doc: "medium where absent"},
	}, taskFields...),
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
	{Name: "labels", Form: Texts, Doc: "words to group tasks by"},
	{Name: "topic", Form: Text, Doc: "what it is about, in one word"},
	{Name: "plan", Form: Text, Kind: PlanRef, Doc: "id of its plan"},
	{Name: "bot", Form: Text, Doc: "slug of its bot"},
	{Name: "folder", Form: Text, Kind: FolderPath, Doc: "folder it was made in"},
	{Name: "session", Form: Text, Kind: SessionRef, Doc: "session it was made in"},
	{Name: "owner", Form: Text, Doc: "who is to do it"},
	{Name: "blockedBy", Form: Texts, Kind: TaskRef, Doc: "ids of tasks that must be done first"},
	{Name: "active", Form: Text, Doc: "what is being done right now, in one line, while doing"},
	{Name: "note", Form: Text, Doc: "one line on where it stands"},
	{Name: "refs", Form: Texts, Doc: "links it needs"},
	{Name: "body", Form: Text, Kind: Markdown, Doc: "the long text, in Markdown"},
	{Name: "packet", Form: Packet, Doc: "work order"},
}
