package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) restoreCommand() *urfave.Command {
	return &urfave.Command{
		Name: "restore", Category: upkeep, ArgsUsage: "ID", Usage: "bring a removed or swept record back as it was",
		Description: "git tasks restore p1 --with-tasks",
		Flags: []urfave.Flag{&urfave.BoolFlag{Name: "with-tasks",
			Usage: "of a plan: also its tasks that went in the same commit"}},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.with(c, amends, (*opened).restore)
		},
	}
}

func (o *opened) restore() error {
	id, tasks := o.c.Args().First(), o.c.Bool("with-tasks")
	if kind, _, _ := records.ParseID(id); tasks && kind == records.TaskKind {
		return usage("--with-tasks is for a plan, and %s is a task", id)
	}
	restored, err := o.store.Restore(o.c.Context, o.caller, id, tasks)
	if err != nil {
		if hint := o.restoreHint(tools.AsError(err).Code, id); hint != "" {
			return withHint(err, hint)
		}
		return err
	}
	if err := o.done(restored.Answer, "restored "+idsOf(restored.Records)); err != nil {
		return err
	}
	if n := len(restored.Away); n > 0 {
		o.note(count(n, "task") + " went with it: git tasks restore " + id + " --with-tasks")
	}
	o.noteSweep(restored.Records[0])
	return nil
}

// restoreHint is what helps on where nothing was restored.
func (o *opened) restoreHint(code tools.Code, id string) string {
	switch code {
	case tools.Invalid:
		if near := meant(id, records.TaskKind); near != "" {
			return "did you mean " + near + "?"
		}
	case tools.Conflict:
		if book, _, err := o.store.Book(); err == nil {
			if record, err := book.Record(id); err == nil && record == nil {
				return "git tasks check says what is in its place"
			}
		}
		return "git tasks show " + id
	case tools.NotFound:
		return "git tasks log names what was removed"
	}
	return ""
}

func idsOf(list []any) string {
	ids := make([]string, len(list))
	for i, record := range list {
		ids[i] = idOf(record)
	}
	return strings.Join(ids, ", ")
}

// noteSweep says of a plan that is over that it will not stay: it is as old as
// it was.
func (o *opened) noteSweep(record any) {
	plan, ok := record.(*records.Plan)
	if ok && o.store.Options().SweepAfterDays > 0 && !plan.Status.Open() {
		o.note("the next sweep may take it again; git tasks plan set " + plan.ID + " --status active keeps it")
	}
}
