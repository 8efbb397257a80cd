package cli

import (
	"path"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) showCommand() *urfave.Command {
	return &urfave.Command{
		Name: "show", ArgsUsage: "ID", Usage: "show a task or a plan, with its stamps and text",
		Description: "git tasks show t1 --log",
		Flags: []urfave.Flag{
			&urfave.BoolFlag{Name: "log", Usage: "also what was done to it, newest first"},
			&urfave.BoolFlag{Name: "blocks", Usage: "also the tasks that wait for it"},
			&urfave.BoolFlag{Name: "packet", Usage: "a task as a brief for whoever is to do it, in Markdown"},
		},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.with(c, reads, (*opened).show)
		},
	}
}

func (o *opened) show() error {
	id := o.c.Args().First()
	record, err := o.recordToShow(id)
	if err != nil {
		return err
	}
	if o.c.Bool("packet") && !o.json {
		return o.brief(record)
	}
	var events []tools.Event
	if o.c.Bool("log") {
		if events, err = o.store.History(id); err != nil {
			return err
		}
	}
	unproven, err := o.store.Unproven(id)
	if err != nil {
		return err
	}
	if o.json {
		return o.showJSON(record, unproven, events)
	}
	if _, ok := record.(*records.Plan); ok {
		if err := o.showPlan(id); err != nil {
			return err
		}
	} else {
		o.fields(record)
	}
	if len(unproven) > 0 {
		o.printf("\nunverified: ")
		o.hanging(len("unverified: "), strings.Join(unproven, ", ")+
			" was changed in the file, and no tool did so; it counts for nothing, and the next change puts it back")
	}
	if len(events) > 0 {
		o.printf("\n")
		o.history(events)
	}
	return nil
}

// recordToShow gives a task with what follows for it, or a plan.
func (o *opened) recordToShow(id string) (any, error) {
	if kind, _, _ := records.ParseID(id); kind == records.TaskKind {
		task, err := o.store.Detail(id, o.c.Bool("blocks"))
		if err != nil || task != nil {
			return task, err
		}
		return nil, o.noRecord(id)
	}
	plan, err := o.record(id)
	if err == nil && plan == nil {
		err = o.noRecord(id)
	}
	return plan, err
}

// brief prints a task as whoever is to do it gets it.
func (o *opened) brief(record any) error {
	task, ok := record.(*detail.Task)
	if !ok {
		return usage("%s is a plan; only tasks have a packet", idOf(record))
	}
	o.printf("%s\n", task.Brief())
	return nil
}

// noRecord is the refusal of an id that nothing has, with what a file of that
// name says where there is one.
func (o *opened) noRecord(id string) error {
	what, next, hint := "task", "task_list", "git tasks list shows the tasks"
	kind, _, ok := records.ParseID(id)
	switch {
	case !ok:
		what, hint = "record", meantHint(id, records.TaskKind)
	case kind == records.PlanKind:
		what, next, hint = "plan", "plan_list", "git tasks plan list shows the plans"
	}
	book, _, err := o.store.Book()
	if err != nil {
		return err
	}
	for _, fault := range book.Faults() {
		if inPlace := records.PathOf(id) + "/"; ok && strings.HasPrefix(fault.Path, inPlace) {
			hint = "a folder has the place of its file: " + fault.String()
			break
		}
		if path.Base(fault.Path) == id+".md" {
			hint = "its file cannot be read: " + fault.String()
			break
		}
	}
	message := "there is no " + what + " " + records.Visible(id)
	return withHint(&tools.Error{Code: tools.NotFound, Message: message, Next: next}, hint)
}

func (o *opened) showJSON(record any, unproven []string, events []tools.Event) error {
	var task struct {
		*records.Task
		Unverified []string `json:"unverified,omitempty"`
		History    []event  `json:"history,omitempty"`
		detail.Standing
	}
	var plan struct {
		*records.Plan
		Unverified []string `json:"unverified,omitempty"`
		History    []event  `json:"history,omitempty"`
	}
	switch r := record.(type) {
	case *detail.Task:
		task.Task, task.Unverified, task.History, task.Standing = r.Task, unproven, eventsOf(events), r.Standing
		return o.document(task)
	case *records.Plan:
		plan.Plan, plan.Unverified, plan.History = r, unproven, eventsOf(events)
		return o.document(plan)
	}
	return nil
}

// fields prints a record: id and title, a line per field, then its text.
func (o *opened) fields(record any) {
	var title, text string
	t := table{whole: true}
	for _, key := range detail.Keys(record) {
		switch key.Name {
		case "id", "blocked", "commit": // openBlockers says the one, --json the other
		case "title":
			title = key.Line()
		case "body", "goal":
			text, _ = key.Value.(string)
		default:
			t.add("", key.Name, key.Line())
		}
	}
	o.printf("%s  ", idOf(record))
	o.hanging(len(idOf(record))+2, title)
	o.table(t)
	if text != "" {
		o.printf("\n")
		o.paragraphs(strings.TrimRight(visibleText(text), "\n"))
	}
}
