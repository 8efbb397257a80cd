package cli

import (
	"embed"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// scripts are what the shells are given: completion/git-tasks.bash and others.
//
//go:embed completion
var scripts embed.FS

// shells are those that a script is made for.
func shells() []string { return []string{"bash", "zsh", "fish"} }

func (f *front) completionCommand() *urfave.Command {
	return &urfave.Command{
		Name: "completion", Category: upkeep, ArgsUsage: "bash|zsh|fish", Usage: "print the script that lets a shell complete words and ids",
		Description: `git tasks completion bash >>~/.bashrc`,
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			shell := c.Args().First()
			if !slices.Contains(shells(), shell) {
				return usage("the shell must be one of %s", strings.Join(shells(), ", "))
			}
			script, err := scripts.ReadFile("completion/git-tasks." + shell)
			if err != nil {
				return err
			}
			f.printf("%s", script)
			return nil
		},
	}
}
