package cli

import (
	urfave "github.com/urfave/cli/v2"
)

func (f *front) addCommand() *urfave.Command {
	return &urfave.Command{
		Name: "add", ArgsUsage: "TITLE", Usage: "make a task",
		Description: `git tasks add "Fix the login" --priority high --label docs --body -`,
		Flags:       flagsOf("task_add", "title"),
		Action:      func(c *urfave.Context) error { return f.make(c, "task_add") },
	}
}

// make makes a task or a plan of the title that is the only argument.
func (f *front) make(c *urfave.Context, tool string) error {
	if err := arguments(c, 1, 1); err != nil {
		return err
	}
	in, err := f.inputOf(c, tool)
	if err != nil {
		return err
	}
	in["title"] = c.Args().First()
	return f.with(c, writes, func(o *opened) error {
		answer, err := o.call(tool, in)
		if err != nil {
			return err
		}
		return o.done(answer, "added "+idOf(answer.Records[0]))
	})
}
