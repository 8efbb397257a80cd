package cli

import (
	"bufio"
	"context"
	"slices"

	cli "github.com/urfave/cli/v2"
)

// front is one run of the command line.
type front struct {
	env   Env
	out   *bufio.Writer // standard output, flushed before the list is closed
	plain bool          // errors are printed as an agent gets them
}

// Run carries out one command line and gives its exit code.
func Run(ctx context.Context, env Env) int {
	f := &front{env: env, out: bufio.NewWriter(env.Stdout)}
	err := f.run(ctx)
	if ferr := f.flush(); err == nil {
		err = ferr
	}
	if err == nil {
		return 0
	}
	return f.fail(ctx, err)
}

func (f *front) run(ctx context.Context) error {
	app := f.app()
	line, err := arrange(app, f.env.Args[1:])
	switch {
	case err != nil:
		return err
	case line.help:
		f.help(app, line.path)
		return nil
	case line.version:
		f.printf("git-tasks %s\n", version())
		return nil
	}
	return app.RunContext(ctx, append([]string{app.Name}, line.args()...))
}

// app is the tree of commands. The library's own help, exits and prints are
// off: usage errors must not reach standard output, nor end the process.
func (f *front) app() *cli.App {
	app := &cli.App{
		Name: "git-tasks", Usage: "one list of tasks and plans, for people and agents, kept in git",
		Flags: globals(), HideHelp: true, HideVersion: true,
		Commands: []*cli.Command{
			f.initCommand(), f.addCommand(), f.setCommand(), f.listCommand(), f.showCommand(),
			f.approveCommand(), f.reviewCommand(), f.logCommand(), f.planCommand(),
			f.checkCommand(), f.sweepCommand(), f.callCommand(), f.mcpCommand(), f.hookCommand(),
		},
		Writer: f.env.Stderr, ErrWriter: f.env.Stderr,
		OnUsageError:   usageError,
		ExitErrHandler: func(*cli.Context, error) {},
	}
	settle(app.Commands)
	return app
}

func settle(commands []*cli.Command) {
	for _, c := range commands {
		c.HideHelp, c.OnUsageError = true, usageError
		settle(c.Subcommands)
	}
}

func usageError(_ *cli.Context, err error, _ bool) error { return usage("%s", err) }

// globals are the flags that every command takes.
func globals() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "repo", Usage: "the repository"},
		&cli.StringFlag{Name: "branch", Usage: "its branch"},
		&cli.StringFlag{Name: "as", Usage: "who you are"},
		&cli.StringFlag{Name: "session", Usage: "the session you are in"},
		&cli.StringFlag{Name: "config", Usage: "the settings file"},
		&cli.BoolFlag{Name: "json", Usage: "one JSON document"},
	}
}

// named gives a setting: the flag, else its variable where that is not empty.
func (f *front) named(c *cli.Context, flag, variable string) (value string, ok bool, err error) {
	if c.IsSet(flag) {
		if value = c.String(flag); value == "" {
			return "", false, usage("--%s must not be empty", flag)
		}
		return value, true, nil
	}
	value = f.env.get(variable)
	return value, value != "", nil
}

// wantsJSON looks for --json itself: errors of the arguments are told in the
// form that was asked for, too.
func (f *front) wantsJSON() bool {
	args := f.env.Args
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}
