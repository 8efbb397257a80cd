// Command git-tasks keeps one list of tasks and plans, for people and agents,
// in a git repository. Git finds it as "git tasks".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := cli.Run(ctx, cli.OfProcess())
	stop()
	os.Exit(code)
}
