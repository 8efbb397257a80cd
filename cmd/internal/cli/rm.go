package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) rmCommand() *urfave.Command {
	return &urfave.Command{
		Name: "rm", Category: upkeep, ArgsUsage: "ID", Usage: "take a task off the list; restore brings it back",
		Description: "git tasks rm t1",
		Flags:       flagsOf("task_remove"),
		Action: func(c *urfave.Context) error {
			return f.queue(c, "task_remove", "removed ", " is gone already")
		},
	}
}
