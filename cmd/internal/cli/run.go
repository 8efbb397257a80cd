package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
)

// front is one run of the command line.
type front struct {
	env    Env
	out    *bufio.Writer // standard output, flushed before the list is closed
	json   bool          // data and errors are printed as one JSON document
	plain  bool          // errors are printed as an agent gets them
	daemon bool          // what is logged is for whoever keeps the host
	noList bool          // there is no list yet, and that was said

	isHook   bool // a harness may have run it, which takes the code of a refusal for one of its call
	harmless bool // whatever goes wrong is said, and is no failure
}

// stopWait is how long a command that was told to stop has to end well. A host
// needs nearly two seconds to answer what is under way, and longer on a machine
// that is busy; whoever cannot wait sends a second signal.
const stopWait = 5 * time.Second

// Run carries out one command line and gives its exit code. When ctx ends the
// command stops; one that does not, since a program or a pipe that it waits for
// hangs, is left to itself after five seconds: whatever it is at may be killed at
// any moment.
func Run(ctx context.Context, env Env) int {
	ended := make(chan int, 1)
	go func() { ended <- carryOut(ctx, env) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(stopWait):
		fmt.Fprintln(env.Stderr, "git-tasks: error: stopped by a signal, and did not wait for what hangs")
		return tools.Internal.Exit()
	}
}

func carryOut(ctx context.Context, env Env) (code int) {
	f := &front{env: env, out: bufio.NewWriter(env.Stdout)}
	defer func() {
		if f.harmless {
			if p := recover(); p != nil {
				fmt.Fprintf(env.Stderr, "git-tasks: a panic was caught: %v\n", p)
			}
			code = 0
		}
	}()
	err := f.run(ctx)
	if ferr := f.flush(); err == nil {
		err = ferr
	}
	var agent agentEnded
	switch {
	case err == nil:
		return 0
	case errors.As(err, &agent):
		return int(agent)
	}
	if code = f.fail(ctx, err); f.isHook && code == tools.Invalid.Exit() {
		return tools.Internal.Exit()
	}
	return code
}

func (f *front) run(ctx context.Context) error {
	app := f.app()
	line := arrange(program(app), f.env.Args[1:])
	f.json = line.json
	f.isHook = len(line.path) > 0 && line.path[0] == "hook"
	if line.isHarmless() {
		f.harmless = true
		f.scrub()
	}
	switch {
	case line.err != nil:
		return line.err
	case line.help:
		f.help(line)
		return nil
	case line.version:
		f.printf("git-tasks %s\n", tools.Version())
		return nil
	}
	return app.RunContext(ctx, line.args())
}

// app is the tree of commands, without the library's help and exits: those
// print to standard output and end the process.
func (f *front) app() *urfave.App {
	app := &urfave.App{
		Name: "git-tasks", HelpName: "git tasks",
		Usage: "one list of tasks and plans, for people and agents, kept in git",
		Flags: globals(), HideHelp: true, HideVersion: true,
		Commands: []*urfave.Command{
			f.initCommand(), f.addCommand(), f.setCommand(), f.listCommand(), f.showCommand(),
			f.approveCommand(), f.reviewCommand(), f.nextCommand(), f.claimCommand(), f.releaseCommand(), f.rmCommand(), f.logCommand(), f.watchCommand(), f.planCommand(),
			f.editCommand(), f.panelCommand(), f.graphCommand(), f.restoreCommand(), f.checkCommand(), f.doctorCommand(), f.tokenCommand(), f.sweepCommand(), f.callCommand(), f.mcpCommand(), f.primeCommand(), f.acpCommand(), f.followCommand(), f.workCommand(),
			f.cloneCommand(), f.fmtCommand(), f.installCommand(), f.uninstallCommand(),
			f.serveCommand(), f.hookCommand(), f.mergeDriverCommand(), f.completionCommand(), f.manCommand(), f.completeCommand(),
		},
		Writer:         f.env.Stderr,
		ExitErrHandler: func(*urfave.Context, error) {}, // else an error of git's ends the process with its code
	}
	app.Setup() // names the commands in full
	for _, c := range app.Commands {
		c.HideHelp = true
		for _, part := range c.Subcommands {
			part.HideHelp, part.HelpName = true, c.HelpName+" "+part.Name
		}
	}
	return app
}

// program is the app as the command that all others are part of.
func program(app *urfave.App) *urfave.Command {
	return &urfave.Command{Name: app.Name, HelpName: app.HelpName, Usage: app.Usage,
		Description: `git tasks add "Fix the login" --priority high`, Flags: app.Flags, Subcommands: app.Commands}
}

// globals are the flags that every command takes.
func globals() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "repo", Usage: "`PATH` the repository"},
		&urfave.StringFlag{Name: "branch", Usage: "`NAME` its branch (main)"},
		&urfave.StringFlag{Name: "config", Usage: "`FILE` the settings file"},
		&urfave.StringFlag{Name: "as", Usage: "`NAME` who you are; \"\" for nobody"},
		&urfave.StringFlag{Name: "session", Usage: "`ID` the session you are in"},
		&urfave.BoolFlag{Name: "json", Usage: "print one JSON document"},
	}
}

// named gives a setting: the flag, else its variable where that is not empty.
func (f *front) named(c *urfave.Context, flag, variable string) (value string, ok bool, err error) {
	if c.IsSet(flag) {
		if value = c.String(flag); value == "" {
			return "", false, usage("--%s must not be empty", flag)
		}
		return value, true, nil
	}
	value = f.env.get(variable)
	return value, value != "", nil
}
