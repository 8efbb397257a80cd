package cli

import (
	"context"
	"errors"
	"io"
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
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

// speak serves the client. Its calls go through the host while there is one: the
// client's connection and its session outlive every host.
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
	client := mcpserver.Client{Who: o.who, Offered: offered(o.c.String("tools"))}
	if !named { // else the host goes by other settings
		client.Ask = func(ctx context.Context, who tools.Who, tool string, input []byte) (tools.Answer, bool, error) {
			return serve.Call(ctx, o.store, who, o.env.get("XDG_RUNTIME_DIR"), tool, input)
		}
	}
	return mcpserver.Serve(o.c.Context, o.store, client, o.env.Stdin, stdout{o.env.Stdout})
}

// coreTools is the name of the set of tools that [tools.Tool.Core] tells.
const coreTools = "core"

// offered gives the tools of a set by its name, all for any but coreTools.
func offered(set string) []*tools.Tool {
	var offered []*tools.Tool
	for _, t := range tools.All() {
		if set == coreTools {
			t = t.Core()
		}
		if t != nil {
			offered = append(offered, t)
		}
	}
	return offered
}

func toolsFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "tools", Usage: "`SET` " + coreTools + " offers what most agents need, all, the default, every tool"}
}

// knownTools refuses a set of tools that there is not.
func knownTools(c *urfave.Context) error {
	if set := c.String("tools"); c.IsSet("tools") && set != coreTools && set != "all" {
		return usage("--tools must be %s or all", coreTools)
	}
	return nil
}

// stdout is standard output, which is not ours to close.
type stdout struct{ io.Writer }

func (stdout) Close() error { return nil }
