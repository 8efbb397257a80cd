package cli

import (
	"strings"

	cli "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// arguments refuses more or fewer arguments than a command takes.
func arguments(c *cli.Context, least, most int) error {
	switch n := c.NArg(); {
	case n < least:
		return withHint(usage("%s needs %s", c.Command.Name, c.Command.ArgsUsage), "example: "+c.Command.Description)
	case n <= most:
		return nil
	case most == 0:
		return usage("%s takes no argument", c.Command.Name)
	case least == 1 && c.Command.ArgsUsage == "TITLE":
		return withHint(usage("%s takes one TITLE, not %d arguments", c.Command.Name, n), `put the title in quotes: "`+strings.Join(c.Args().Slice(), " ")+`"`)
	default:
		return usage("%s takes %s, not %d arguments", c.Command.Name, c.Command.ArgsUsage, n)
	}
}

// call calls a tool as the one who runs the command. A refusal keeps its words
// and may get a hint.
func (o *opened) call(tool string, in input) (tools.Answer, error) {
	raw, err := in.json()
	if err != nil {
		return tools.Answer{}, err
	}
	answer, err := tools.Call(o.c.Context, o.store, o.caller, tool, raw)
	if err != nil {
		if hint := hintFor(tools.AsError(err), in); hint != "" {
			return answer, withHint(err, hint)
		}
		return answer, err
	}
	return answer, nil
}

// hintFor is the command that helps on from a refusal.
func hintFor(e *tools.Error, in input) string {
	task, _ := in["task"].(string)
	switch {
	case e.Code == tools.NotFound && in["task"] != nil, strings.Contains(e.Message, "(see task_list)"):
		return "git tasks list shows the tasks"
	case strings.Contains(e.Message, "(see plan_list)"):
		return "git tasks plan list shows the plans"
	case strings.Contains(e.Message, "(see task_approve)"):
		return "git tasks approve " + task
	}
	return ""
}

// done prints what a tool answered about the one record that it changed, and
// beside it what was done and the commit.
func (o *opened) done(answer tools.Answer, said string) error {
	if o.c.Bool("json") {
		return o.document(documentOf(answer))
	}
	o.printf("%s\n", answer.Text)
	if err := o.flush(); err != nil {
		return err
	}
	if answer.Commit != "" {
		said += " (" + short(answer.Commit) + ")"
	}
	o.note(said)
	return nil
}

// short is a commit as people write it.
func short(commit string) string { return commit[:min(10, len(commit))] }

// record gives a task or plan, nil where there is none.
func (o *opened) record(id string) (any, error) {
	book, _, err := o.store.Book()
	if err != nil {
		return nil, err
	}
	if kind, _, _ := records.ParseID(id); kind == records.PlanKind {
		if plan, err := book.Plan(id); plan != nil || err != nil {
			return plan, err
		}
		return nil, nil
	}
	if task, err := book.Task(id); task != nil || err != nil {
		return task, err
	}
	return nil, nil
}

func idOf(record any) string {
	switch r := record.(type) {
	case *records.Task:
		return r.ID
	case *records.Plan:
		return r.ID
	}
	return ""
}
