package cli

import (
	cli "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
)

func (f *front) planCommand() *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "make, change, list, show and approve plans",
		Description: `git tasks plan add "Ship it" --goal "Release 1.0 in May"`,
		Subcommands: []*cli.Command{f.planAdd(), f.planSet(), f.planList(), f.planShow(), f.planApprove()},
	}
}

func (f *front) planAdd() *cli.Command {
	return &cli.Command{
		Name: "add", ArgsUsage: "TITLE", Usage: "make a plan",
		Description: `git tasks plan add "Ship it" --goal "Release 1.0 in May"`,
		Flags:       flagsOf("plan_create", "title"),
		Action:      func(c *cli.Context) error { return f.make(c, "plan_create") },
	}
}

func (f *front) planSet() *cli.Command {
	return &cli.Command{
		Name: "set", ArgsUsage: "ID", Usage: "change a plan's title or status",
		Description: "git tasks plan set p1 --status active",
		Flags:       flagsOf("plan_set"),
		Action:      func(c *cli.Context) error { return f.change(c, "plan_set", "plan") },
	}
}

func (f *front) planList() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list plans",
		Description: "git tasks plan list --status active",
		Flags:       flagsOf("plan_list"),
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			in, err := f.inputOf(c, "plan_list")
			if err != nil {
				return err
			}
			return f.with(c, reads, func(o *opened) error { return o.plans(in) })
		},
	}
}

func (o *opened) plans(in input) error {
	answer, err := o.call("plan_list", in)
	if err != nil {
		return err
	}
	if o.c.Bool("json") {
		return o.listDocument(answer, notesIn(answer))
	}
	if len(answer.Records) == 0 {
		o.printf("No plans match.\n")
	}
	var t table
	for _, r := range answer.Records {
		p := r.(*records.Plan) // plan_list answers nothing else
		t.add(p.Status, p.ID, string(p.Status), records.Visible(p.Title))
	}
	o.table(t)
	o.notes(notesIn(answer))
	return nil
}

func (f *front) planShow() *cli.Command {
	return &cli.Command{
		Name: "show", ArgsUsage: "ID", Usage: "show a plan and its tasks",
		Description: "git tasks plan show p1",
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.with(c, reads, func(o *opened) error {
				answer, err := o.call("plan_show", input{"plan": c.Args().First()})
				switch {
				case err != nil:
					return err
				case c.Bool("json"):
					return o.listDocument(answer, notesIn(answer))
				}
				return o.show()
			})
		},
	}
}

func (f *front) planApprove() *cli.Command {
	return &cli.Command{
		Name: "approve", ArgsUsage: "ID", Usage: "stamp a plan approved",
		Description: "git tasks plan approve p1",
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			id := c.Args().First()
			return f.stamp(c, "plan_approve", input{"plan": id}, "approved "+id)
		},
	}
}
