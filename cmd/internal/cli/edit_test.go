package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// TestEditWithAHost: a file goes to the host where one serves the list; its clock
// stamps what is moved.
func TestEditWithAHost(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "Fix the login")
	host(t, env, 2)
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak 's/^status: .*/status: doing/'")
	if out := must(t, env, "edit", "t1"); !strings.HasPrefix(out, "t1 doing medium Fix the login\n") {
		t.Errorf("edit prints\n%s", out)
	}
	created, started, _ := strings.Cut(must(t, env, "show", "t1"), "started")
	if !strings.Contains(created, "2026-10-18T10:00:00.000Z by ana") || strings.Contains(started, "2026-10-18T10:00:00.000Z") {
		t.Errorf("the move was not stamped by the clock of the host: %s", started)
	}
	env.Environ = append(env.Environ, "EDITOR=sed -i.bak 's/^status: .*/status: soon/'")
	out, code := run(t, env, "edit", "t1")
	if code != 2 || !strings.HasPrefix(out, "git-tasks: error: tasks/t1.md:4: status must be todo, doing, blocked, review, done, or dropped.\nhint: what you wrote is in ") {
		t.Errorf("edit ended with %d and prints\n%s", code, out)
	}
}

// TestEditorOutlivesEdit: an editor that lives on when the command is told to stop has its
// file still, and what it writes then goes on the list.
func TestEditorOutlivesEdit(t *testing.T) {
	t.Parallel()
	env := bench(t)
	must(t, env, "add", "Fix the login")
	for _, name := range []string{"open", "write", "written"} {
		if err := syscall.Mkfifo(filepath.Join(env.Dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	editor := filepath.Join(env.Dir, "editor")
	script := "#!/bin/sh\n(trap '' TERM; echo open >open; cat write; sed -i.bak 's/Fix/Mend/' \"$1\"; echo done >written) </dev/null >/dev/null 2>&1 &\nwait\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env.Environ = append(env.Environ, "EDITOR="+editor)
	ctx, stop := context.WithCancel(t.Context())
	var said bytes.Buffer
	stopped := env
	stopped.Args, stopped.Stdout, stopped.Stderr, stopped.Host = []string{"git-tasks", "edit", "t1"}, io.Discard, &said, "desk.example.org"
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(ctx, stopped) }()
	fifo(t, env, "open", "")
	stop()
	if code := <-ended; code != 1 {
		t.Errorf("edit ended with %d", code)
	}
	fifo(t, env, "write", "now\n")
	fifo(t, env, "written", "")
	_, file, _ := strings.Cut(said.String(), "what you wrote is in ")
	file, _, _ = strings.Cut(file, ";")
	env.Environ = append(env.Environ, "EDITOR=true")
	if out := must(t, env, "edit", "t1", "--resume", file); !strings.HasPrefix(out, "t1 todo medium Mend the login\n") {
		t.Errorf("edit said %q, and goes on with\n%s", said.String(), out)
	}
}

// fifo reads a pipe to its end, or writes a text into it.
func fifo(t *testing.T, env cli.Env, name, text string) {
	t.Helper()
	path := filepath.Join(env.Dir, name)
	var err error
	if text == "" {
		_, err = os.ReadFile(path)
	} else {
		err = os.WriteFile(path, []byte(text), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
}
