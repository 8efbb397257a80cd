package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// TestP31GitHangs: a git that stops is given up on, and the answer says what
// helps; whoever does not want to wait presses Ctrl-C.
func TestP31GitHangs(t *testing.T) {
	t.Parallel()
	program := programOf(t)
	for name, c := range map[string]struct {
		args      []string
		interrupt bool
		code      int
		says      string
	}{
		"limit":  {[]string{"add", "A"}, false, 1, "git-tasks: error: git did not answer within 5s\nhint: --as NAME says who you are, and git is not asked\n"},
		"doctor": {[]string{"doctor"}, false, 1, "hand  git       git did not answer within 5s\n"},
		"ctrl-c": {[]string{"add", "A"}, true, 1, "git-tasks: error: stopped by a signal\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := bench(t)
			must(t, env, "init")
			called := hangingGit(t, env.Dir)
			var said bytes.Buffer
			cmd := exec.CommandContext(t.Context(), program, c.args...)
			cmd.Dir, cmd.Stdout, cmd.Stderr = env.Dir, &said, &said
			cmd.Env = append(covered(), "HOME="+env.Dir, "PATH="+filepath.Join(env.Dir, "bin"), "GORACE=atexit_sleep_ms=0")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			called()
			if c.interrupt {
				cmd.Process.Signal(os.Interrupt)
			}
			cmd.Wait() // its code is looked at
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.says) {
				t.Errorf("ended with %d, want %d, and said\n%s\nwant\n%s", code, c.code, said.String(), c.says)
			}
			if got := must(t, env, "list"); !strings.Contains(got, "No tasks match.") {
				t.Errorf("the list is %s", got)
			}
		})
	}
}

// hangingGit puts a git into dir/bin that stops as soon as it runs; called waits
// until it does.
func hangingGit(t *testing.T, dir string) (called func()) {
	t.Helper()
	fifo, bin := filepath.Join(dir, "called"), filepath.Join(dir, "bin")
	err := syscall.Mkfifo(fifo, 0o600)
	if err == nil {
		err = os.Mkdir(bin, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho called >'"+fifo+"'\nkill -STOP $$\n"), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if said, err := os.ReadFile(fifo); err != nil || string(said) != "called\n" {
			t.Fatalf("git was not called: %q, %v", said, err)
		}
	}
}

// TestP31PipeIsBlocked: nobody reads what is printed, and Ctrl-C ends the command
// all the same.
func TestP31PipeIsBlocked(t *testing.T) {
	t.Parallel()
	env, program := bench(t), programOf(t)
	long := strings.Repeat("word ", 1000)
	for i := range 20 { // more than a pipe holds
		must(t, env, "add", strconv.Itoa(i), "--body", long)
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, "list", "--json")
	cmd.Dir, cmd.Stdout, cmd.Stderr = env.Dir, in, &said
	cmd.Env = append(append([]string{}, env.Environ...), "GORACE=atexit_sleep_ms=0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it prints, and will not end
		t.Fatal(err)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	const want = "git-tasks: error: stopped by a signal, and did not wait for what hangs\n"
	if code := cmd.ProcessState.ExitCode(); code != 1 || said.String() != want {
		t.Errorf("ended with %d and said %q", code, said.String())
	}
}

// TestP31LockHangs: a process that holds the write door and does not move is
// waited for no longer than somebody wants to.
func TestP31LockHangs(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "A")
	file, err := os.OpenFile(filepath.Join(env.Dir, ".local/share/git-tasks/records.git/git-tasks/lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer time.AfterFunc(100*time.Millisecond, stop).Stop()
	var said bytes.Buffer
	env.Args, env.Host, env.User = []string{"git-tasks", "add", "B"}, "h", func() string { return "" }
	env.Stdout, env.Stderr = &said, &said
	if code := cli.Run(ctx, env); code != 1 || said.String() != "git-tasks: error: stopped by a signal\n" {
		t.Errorf("ended with %d and said %q", code, said.String())
	}
	if got := must(t, env, "list"); got != "t1  todo  medium  A\n" {
		t.Errorf("the list is\n%s", got)
	}
}
