package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// A command line that does not touch the process it runs in: its home is a
// folder of its own, and its clock stands.
func ExampleRun() {
	home, err := os.MkdirTemp("", "git-tasks-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	env := cli.Env{
		Program: "/usr/local/bin/git-tasks",
		Stdin:   io.NopCloser(strings.NewReader("The long text.\n")),
		Stdout:  os.Stdout, Stderr: io.Discard, // where it says what it did
		Width:   0, // no terminal: nothing is cut
		Environ: []string{"HOME=" + home}, Dir: home, Host: "desk.example.org",
		User: func() string { return "ana" },
		Now:  func() time.Time { return time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC) },
	}
	for _, args := range [][]string{
		{"git-tasks", "add", "Read the plan", "--priority", "high"},
		{"git-tasks", "add", "Write it down", "--blocked-by", "t1", "--body", "-"},
		{"git-tasks", "list"},
		{"git-tasks", "show", "t3"},
	} {
		env.Args = args
		if code := cli.Run(context.Background(), env); code != 0 {
			fmt.Println("exit code", code)
		}
	}
	// Output:
	// t1 todo high Read the plan
	// t2 todo medium Write it down
	// t1  todo  high    Read the plan
	// t2  todo  medium  Write it down
	// exit code 3
}
