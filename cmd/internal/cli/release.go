package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) releaseCommand() *urfave.Command {
	return &urfave.Command{
		Name: "release", Category: upkeep, ArgsUsage: "ID", Usage: "give a task back: todo, and nobody's",
		Description: "git tasks release t1",
		Flags:       flagsOf("task_release"),
		Action: func(c *urfave.Context) error {
			return f.queue(c, "task_release", "released ", " is nobody's already")
		},
	}
}
