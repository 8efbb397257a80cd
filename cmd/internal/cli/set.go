package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
)

func (f *front) setCommand() *urfave.Command {
	return &urfave.Command{
		Name: "set", ArgsUsage: "ID", Usage: `change a task; an empty value clears a field`,
		Description: `git tasks set t1 --status doing --active "Reading the plan" --label ""`,
		Flags:       flagsOf("task_set"),
		Action: func(c *urfave.Context) error {
			if kind, _, _ := records.ParseID(c.Args().First()); kind == records.PlanKind {
				return withHint(usage("%s is a plan", c.Args().First()), "git tasks plan set "+c.Args().First())
			}
			return f.change(c, "task_set", "task")
		},
	}
}

// change changes the record whose id is the only argument, by the flags.
func (f *front) change(c *urfave.Context, tool, idField string) error {
	if err := arguments(c, 1, 1); err != nil {
		return err
	}
	in, err := f.inputOf(c, tool)
	if err != nil {
		return err
	}
	if len(in) == 0 {
		return withHint(usage("nothing to change: name a field"), c.Command.HelpName+" --help lists the fields")
	}
	id := c.Args().First()
	in[idField] = id
	return f.with(c, writes, func(o *opened) error {
		before, err := o.record(id)
		if err != nil {
			return err
		}
		answer, err := o.call(tool, in)
		if err != nil {
			return err
		}
		if answer.Commit == "" {
			return o.done(answer, id+" is as you want it already")
		}
		return o.done(answer, "changed "+id+": "+strings.Join(changedFields(before, answer.Records[0]), ", "))
	})
}
