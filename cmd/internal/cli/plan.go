package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
)

func (f *front) planCommand() *urfave.Command {
	return &urfave.Command{
		Name: "plan", Usage: "make, change, list, show and approve plans",
		Description: `git tasks plan add "Ship it" --goal "Release 1.0 in May"`,
		Subcommands: []*urfave.Command{f.planAdd(), f.planSet(), f.planList(), f.planShow(), f.planApprove()},
	}
}

func (f *front) planAdd() *urfave.Command {
	return &urfave.Command{
		Name: "add", ArgsUsage: "TITLE", Usage: "make a plan",
		Description: `git tasks plan add "Ship it" --goal "Release 1.0 in May"`,
		Flags:       flagsOf("plan_create", "title"),
		Action:      func(c *urfave.Context) error { return f.make(c, "plan_create") },
	}
}

func (f *front) planSet() *urfave.Command {
	return &urfave.Command{
		Name: "set", ArgsUsage: "ID", Usage: "change a plan's title or status",
		Description: "git tasks plan set p1 --status active",
		Flags:       flagsOf("plan_set"),
		Action:      func(c *urfave.Context) error { return f.change(c, "plan_set", "plan") },
	}
}

func (f *front) planList() *urfave.Command {
	return &urfave.Command{
		Name: "list", Usage: "list plans",
		Description: "git tasks plan list --status active",
		Flags:       flagsOf("plan_list"),
		Action: func(c *urfave.Context) error {
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
	if o.json {
		return o.listDocument(answer, notesIn(answer))
	}
	if len(answer.Records) == 0 {
		o.printf("No plans match.\n")
		o.noteEmpty(notesIn(answer), "git tasks plan add TITLE makes one")
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

func (f *front) planShow() *urfave.Command {
	return &urfave.Command{
		Name: "show", ArgsUsage: "ID", Usage: "show a plan and its tasks",
		Description: "git tasks plan show p1",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			return f.with(c, reads, func(o *opened) error { return o.showPlan(c.Args().First()) })
		},
	}
}

// showPlan prints a plan and its tasks, and what a list ends with.
func (o *opened) showPlan(id string) error {
	answer, err := o.call("plan_show", input{"plan": id})
	if err != nil {
		return err
	}
	tasks, notes := tasksIn(answer), notesIn(answer)
	if o.json {
		return o.listDocument(answer, notes)
	}
	o.fields(answer.Records[0]) // the plan comes first
	if len(tasks)+len(notes) > 0 {
		o.printf("\n")
	}
	o.taskTable(openFirst(tasks))
	o.notes(notes)
	return nil
}

func (f *front) planApprove() *urfave.Command {
	return &urfave.Command{
		Name: "approve", ArgsUsage: "ID", Usage: "stamp a plan approved",
		Description: "git tasks plan approve p1",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			id := c.Args().First()
			return f.stamp(c, "plan_approve", input{"plan": id}, "approved "+id)
		},
	}
}
