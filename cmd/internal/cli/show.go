package cli

import (
	"encoding/json"
	"path"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) showCommand() *urfave.Command {
	return &urfave.Command{
		Name: "show", ArgsUsage: "ID", Usage: "show a task or a plan, with its stamps and text",
		Description: "git tasks show t1 --log",
		Flags:       []urfave.Flag{&urfave.BoolFlag{Name: "log", Usage: "also what was done to it, newest first"}},
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
	record, err := o.record(id)
	if err != nil {
		return err
	}
	if record == nil {
		return o.noRecord(id)
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
	}
	var plan struct {
		*records.Plan
		Unverified []string `json:"unverified,omitempty"`
		History    []event  `json:"history,omitempty"`
	}
	switch r := record.(type) {
	case *records.Task:
		task.Task, task.Unverified, task.History = r, unproven, eventsOf(events)
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
	for _, field := range fieldsOf(record) {
		switch field.key {
		case "id":
		case "title":
			title = textOf(field.value)
		case "body", "goal":
			json.Unmarshal(field.value, &text) // a text, as it was marshalled
		default:
			t.add("", field.key, textOf(field.value))
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

// textOf is a value in one line: a text as it is, a list with commas, a scope and
// a stamp as a person says them, and whatever else as JSON.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return records.Visible(text)
	}
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return records.Visible(strings.Join(list, ", "))
	}
	var scope records.Scope
	if json.Unmarshal(value, &scope) == nil && scope.Kind != "" {
		return records.Visible(scope.Kind + " " + scope.Folder + scope.Bot + scope.Session)
	}
	var stamp struct{ At, By, In, Verdict, Until string }
	if json.Unmarshal(value, &stamp) == nil && stamp.At != "" {
		sentence := stamp.At + " by " + stamp.By
		for _, part := range []struct{ word, value string }{
			{" in ", stamp.In}, {": ", stamp.Verdict}, {" until ", stamp.Until},
		} {
			if part.value != "" {
				sentence += part.word + part.value
			}
		}
		return records.Visible(sentence)
	}
	return records.Visible(string(value))
}
