package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
)

func (f *front) approveCommand() *urfave.Command {
	return &urfave.Command{
		Name: "approve", ArgsUsage: "ID", Usage: "stamp a task or a plan approved",
		Description: "git tasks approve t1",
		Action:      f.approve,
	}
}

func (f *front) approve(c *urfave.Context) error {
	if err := arguments(c, 1, 1); err != nil {
		return err
	}
	id := c.Args().First()
	tool, in := "task_approve", input{"task": id}
	if kind, _, _ := records.ParseID(id); kind == records.PlanKind {
		tool, in = "plan_approve", input{"plan": id}
	}
	return f.stamp(c, tool, in, "approved "+id)
}

// stamp calls a tool that writes a stamp.
func (f *front) stamp(c *urfave.Context, tool string, in input, said string) error {
	return f.with(c, writes, func(o *opened) error {
		answer, err := o.call(tool, in)
		if err != nil {
			return err
		}
		return o.done(answer, said)
	})
}
