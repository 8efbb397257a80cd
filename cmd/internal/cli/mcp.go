package cli

import (
	"errors"
	"io"
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

func (f *front) mcpCommand() *urfave.Command {
	return &urfave.Command{
		Name: "mcp", Usage: "serve the tools to an agent (MCP) on standard input and output",
		Description: "claude mcp add tasks -- git-tasks mcp",
		Flags:       []urfave.Flag{toolsFlag()},
		Subcommands: []*urfave.Command{f.mcpConfigCommand()},
		Action: func(c *urfave.Context) error {
			if err := errors.Join(arguments(c, 0, 0), knownTools(c)); err != nil {
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
	isOwn := o.joins()
	switch err := o.store.WatchSession(o.c.Context, o.who.Session, os.Getpid()); {
	case isOwn && err == nil:
		defer o.leaves(o.who.Session, true)
	case err != nil && !isOwn: // in one of its own a process that cannot write holds nothing
		o.store.Log().Warn("what this session holds will not be given back when it ends", "error", err)
	}
	_, named, err := o.named(o.c, "config", "GIT_TASKS_CONFIG")
	if err != nil {
		return err
	}
	if !named {
		if conn := serve.Dial(o.store, o.who, o.c.String("tools"), o.env.get("XDG_RUNTIME_DIR")); conn != nil {
			return serve.Relay(o.c.Context, conn, o.env.Stdin, o.env.Stdout)
		}
	}
	return mcpserver.Serve(o.c.Context, o.store, o.who, serve.Offered(o.c.String("tools")), o.env.Stdin, stdout{o.env.Stdout})
}

func toolsFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "tools", Usage: "`SET` " + serve.CoreTools + " offers what most agents need, all, the default, every tool"}
}

// knownTools refuses a set of tools that there is not.
func knownTools(c *urfave.Context) error {
	if set := c.String("tools"); c.IsSet("tools") && set != serve.CoreTools && set != "all" {
		return usage("--tools must be %s or all", serve.CoreTools)
	}
	return nil
}

// stdout is standard output, which is not ours to close.
type stdout struct{ io.Writer }

func (stdout) Close() error { return nil }
