package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) reviewCommand() *urfave.Command {
	return &urfave.Command{
		Name: "review", Category: upkeep, ArgsUsage: "ID", Usage: "stamp a task reviewed",
		Description: "git tasks review t1 --verdict changes",
		Flags:       flagsOf("task_review"),
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			in, err := f.inputOf(c, "task_review")
			if err != nil {
				return err
			}
			id := c.Args().First()
			in["task"] = id
			said := "reviewed " + id
			if verdict := c.String("verdict"); verdict != "" {
				said += ": " + verdict
			}
			return f.stamp(c, "task_review", in, said)
		},
	}
}
