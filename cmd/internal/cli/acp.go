package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// agentWait is how long an agent that was told to stop has to end, and how long
// what it started may hold its output once it has ended.
const agentWait = 3 * time.Second

func (f *front) acpCommand() *urfave.Command {
	return &urfave.Command{
		Name: "acp", Category: upkeep, ArgsUsage: "-- AGENT [ARG...]", Usage: "run an ACP agent, and keep its plans as those of its sessions",
		Description: "git tasks acp -- claude-agent-acp",
		Action: func(c *urfave.Context) error {
			if c.NArg() == 0 {
				return withHint(usage("git tasks acp needs AGENT"), "example: "+c.Command.Description)
			}
			f.plain = true
			ctx, stop := hungUp(c.Context)
			defer stop()
			ran := false
			c.Context = context.WithoutCancel(ctx) // what the agent has said is kept, also when it is told to stop
			err := f.with(c, writes, func(o *opened) error {
				ran = true
				plans := newBacklog(func(line []byte) { o.takeMessage(line) })
				defer plans.close()
				return f.runAgent(ctx, c.Args().Slice(), &tee{to: f.env.Stdout, line: plans.add})
			})
			if ran {
				return err
			}
			f.note("the agent's plans are not kept: " + tools.AsError(err).Message)
			return f.runAgent(ctx, c.Args().Slice(), f.env.Stdout)
		},
	}
}

// hungUp gives a context that also ends when the terminal hangs up, unless whoever
// started us had that ignored, as nohup does: an agent must not outlive its client.
func hungUp(ctx context.Context) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}

// takeMessage takes the plan that a message of the agent may hold. The agent and its
// client go on whatever comes of it.
func (o *opened) takeMessage(line []byte) {
	said, err := translate.Read("acp", line, "")
	if err != nil && len(said.Updates) == 0 {
		return // the agent's own affair, and the client's
	}
	if len(said.Updates) == 0 && said.Title == "" {
		return
	}
	in, err := o.in(said)
	if err == nil {
		err = in.takeSaid(said)
	}
	if err != nil {
		o.note("a plan is not kept: " + tools.AsError(err).Message)
	}
}

// agentEnded is the end of an agent that did not end well: so does the command.
type agentEnded int

func (a agentEnded) Error() string { return fmt.Sprintf("the agent ended with %d", int(a)) }

// statusOfSignal is what a shell says of a program that a signal ended: 128 and the
// signal's number.
func statusOfSignal(exit *exec.ExitError) int {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return 1
}

// runAgent runs an agent on our own standard input, until it ends. When ctx ends it
// is told to.
func (f *front) runAgent(ctx context.Context, argv []string, out io.Writer) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = f.env.Dir, f.env.Environ, f.env.Stdin, out, f.env.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = agentWait
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return agentEnded(exit.ExitCode())
	case errors.Is(err, exec.ErrWaitDelay), err != nil && ctx.Err() != nil:
		return nil
	case exit != nil:
		return agentEnded(statusOfSignal(exit))
	case errors.Is(err, exec.ErrNotFound):
		return &tools.Error{Code: tools.Invalid, Message: argv[0] + " is not on PATH"}
	case err != nil:
		return fmt.Errorf("running %s: %w", argv[0], err)
	}
	return nil
}
