package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

func (f *front) primeCommand() *urfave.Command {
	return &urfave.Command{
		Name: "prime", Category: upkeep, Usage: "print what an agent should know of the list",
		Description: "git tasks prime >>AGENTS.md",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			if f.json {
				return f.document(map[string]string{"text": mcpserver.Instructions})
			}
			f.printf("%s\n", mcpserver.Instructions)
			return f.flush()
		},
	}
}
