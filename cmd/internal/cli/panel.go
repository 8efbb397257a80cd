package cli

import (
	"context"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/channel/panel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) panelCommand() *urfave.Command {
	return &urfave.Command{
		Name: "panel", Category: upkeep, ArgsUsage: "[PLAN]", Usage: "show the list, or a plan, live on the terminal",
		Description: "git tasks panel p1 --tree",
		Flags:       []urfave.Flag{&urfave.BoolFlag{Name: "tree", Usage: "every task below its parent"}},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			return f.with(c, amends, (*opened).panel)
		},
	}
}

func (o *opened) panel() error {
	book, _, err := o.store.Book()
	if err != nil {
		return err
	}
	id := o.c.Args().First()
	if o.c.NArg() > 0 {
		if kind, _, _ := records.ParseID(id); kind == records.TaskKind {
			return withHint(usage("%s is a task", id), "git tasks show "+id)
		}
		if plan, err := book.Plan(id); err != nil || plan == nil {
			if err != nil {
				return err
			}
			return o.noRecord(id)
		}
	}
	p := panel.New(book, id)
	p.Tree = o.c.Bool("tree")
	switch {
	case o.json:
		tasks, err := p.Tasks(o.store.Now())
		if err != nil {
			return err
		}
		answer := tools.Answer{Records: []any{}}
		for _, t := range tasks {
			answer.Records = append(answer.Records, t)
		}
		return o.listDocument(answer, tools.Notes(book))
	case o.env.Width == 0 || !o.atKeyboard() || o.noList || o.env.get("TERM") == "dumb":
		return p.Print(o.out, o.store.Now())
	}
	return panel.Show(o.c.Context, p, panel.Config{Store: o.store, In: o.env.Stdin, Out: o.env.Stdout, Environ: o.env.Environ, Edit: o.editInPanel})
}

// editInPanel edits a record on the terminal that the panel lends, and leaves what
// went wrong there until somebody has read it.
func (o *opened) editInPanel(id string) error {
	err := o.edit(id)
	o.flush() // the panel shows what changed
	if err == nil {
		return nil
	}
	o.fail(context.WithoutCancel(o.c.Context), err)
	io.WriteString(o.env.Stderr, "git-tasks: Enter goes back to the panel ")
	o.keyed(o.c.Context)
	return err
}
