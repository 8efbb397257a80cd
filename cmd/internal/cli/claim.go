package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) claimCommand() *urfave.Command {
	return &urfave.Command{
		Name: "claim", Category: upkeep, ArgsUsage: "ID", Usage: "take a task: doing, and nobody else may change it",
		Description: `git tasks claim t1 --lease-for 30m`,
		Flags:       flagsOf("task_claim", "next", "plan", "labels", "priority"),
		Action: func(c *urfave.Context) error {
			return f.queue(c, "task_claim", "claimed ", " is yours already")
		},
	}
}

// queue calls a tool of the work queue about the task whose id is the only argument.
// Of what changed nothing is said how it stands.
func (f *front) queue(c *urfave.Context, tool, did, stands string) error {
	if err := arguments(c, 1, 1); err != nil {
		return err
	}
	in, err := f.inputOf(c, tool)
	if err != nil {
		return err
	}
	id := c.Args().First()
	in["task"] = id
	return f.with(c, writes, func(o *opened) error {
		answer, err := o.call(tool, in)
		if err != nil {
			return err
		}
		if answer.Commit == "" {
			return o.done(answer, id+stands)
		}
		return o.done(answer, did+id)
	})
}
