package cli

import (
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

func (f *front) mcpCommand() *urfave.Command {
	return &urfave.Command{
		Name: "mcp", Usage: "serve the tools to an agent (MCP) on standard input and output",
		Description: "claude mcp add tasks -- git-tasks mcp",
		Subcommands: []*urfave.Command{f.mcpConfigCommand()},
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return f.with(c, writes, func(o *opened) error {
				err := o.speak()
				if err != nil && c.Context.Err() != nil {
					return nil // a harness ends its servers by a signal, and means no harm
				}
				return err
			})
		},
	}
}

// speak serves the client through the host where there is one. A process with
// settings of its own serves it itself: the host goes by others.
func (o *opened) speak() error {
	if o.atKeyboard() {
		o.note("this speaks MCP on standard input, and a client starts it: git tasks mcp config --help; Ctrl-C ends it")
	}
	_, named, err := o.named(o.c, "config", "GIT_TASKS_CONFIG")
	if err != nil {
		return err
	}
	if !named {
		if conn := serve.Dial(o.store, o.who, o.env.get("XDG_RUNTIME_DIR")); conn != nil {
			return serve.Relay(o.c.Context, conn, o.env.Stdin, o.env.Stdout)
		}
	}
	return mcpserver.Serve(o.c.Context, o.store, o.who, o.env.Stdin, stdout{o.env.Stdout})
}

// stdout is standard output, which is not ours to close.
type stdout struct{ io.Writer }

func (stdout) Close() error { return nil }
