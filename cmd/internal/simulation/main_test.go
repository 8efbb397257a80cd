package simulation_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/tools"
)

// clockVariable makes this test program git-tasks, as the hooks of a list run it;
// it is what the clock shows.
const clockVariable = "GIT_TASKS_TEST_NOW"

// runVariable makes it git-tasks by the clock of the system, as a swarm runs it.
const runVariable = "GIT_TASKS_TEST_RUN"

// stepVariable says before which file call of landing a push git-tasks is to kill
// itself.
const stepVariable = "GIT_TASKS_TEST_STEP"

// whole says whether heavy suites run whole.
var whole = os.Getenv("GIT_TASKS_TEST_FULL") == "1"

// TestMain runs a tenth of the histories, and all hundred where whole suites are
// asked for.
func TestMain(m *testing.M) {
	if at, err := time.Parse(time.RFC3339Nano, os.Getenv(clockVariable)); err == nil {
		env := cli.OfProcess()
		env.Host, env.Now = "", func() time.Time { return at }
		if step, err := strconv.Atoi(os.Getenv(stepVariable)); err == nil && os.Args[len(os.Args)-1] == "proc-receive" {
			killedLanding(env.Now, step)
		}
		os.Exit(cli.Run(context.Background(), env))
	}
	if os.Getenv(runVariable) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		code := cli.Run(ctx, cli.OfProcess())
		stop()
		os.Exit(code)
	}
	checks := 10 / sideBySide
	if whole {
		checks = 100 / sideBySide
	}
	if err := flag.Set("rapid.checks", strconv.Itoa(checks)); err != nil { // the command line still has the last word
		panic(err)
	}
	os.Exit(m.Run())
}

// killedLanding is the hook that lands a push, in a process that kills itself
// before a file call.
func killedLanding(now func() time.Time, step int) {
	calls := 0
	s, err := tools.Open(tools.Config{Path: ".", Now: now, Fault: func(string, string) error {
		if calls++; calls == step {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}})
	if err == nil {
		err = hooks.ProcReceive(os.Stdin, os.Stdout, func(l tools.Landing) (tools.Landed, error) {
			return s.Land(context.Background(), l)
		}, func(line string) { fmt.Fprintln(os.Stderr, line) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
