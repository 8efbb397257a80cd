package cli

import (
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

func (f *front) mcpCommand() *urfave.Command {
	return &urfave.Command{
		Name: "mcp", Usage: "serve the tools to an agent (MCP) on standard input and output",
		Description: "claude mcp add tasks -- git-tasks mcp",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.with(c, writes, func(o *opened) error {
				err := mcpserver.Serve(c.Context, o.store, o.who, f.env.Stdin, stdout{f.env.Stdout})
				if err != nil && c.Context.Err() != nil {
					return nil // a harness ends its servers by a signal, and means no harm
				}
				return err
			})
		},
	}
}

// stdout is standard output, which is not ours to close.
type stdout struct{ io.Writer }

func (stdout) Close() error { return nil }
