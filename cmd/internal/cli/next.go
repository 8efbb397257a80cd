package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) nextCommand() *urfave.Command {
	return &urfave.Command{
		Name: "next", Usage: "take the first task that is ready and nobody's",
		Description: "git tasks next --label docs --lease-for 30m",
		Flags:       flagsOf("task_claim", "next", "force"),
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			in, err := f.inputOf(c, "task_claim")
			if err != nil {
				return err
			}
			in["next"] = true
			return f.with(c, writes, func(o *opened) error {
				answer, err := o.call("task_claim", in)
				if err != nil {
					return err
				}
				if len(answer.Records) == 0 {
					return o.done(answer, "git tasks list --ready shows what is ready, whoever has it")
				}
				return o.done(answer, "claimed "+idOf(answer.Records[0]))
			})
		},
	}
}
