package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestFollow writes the files of a list while they are followed: each change lands,
// and what was there before is nobody's business.
func TestFollow(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	env := bench(t)
	lists := filepath.Join(env.Dir, ".claude", "tasks")
	task := func(list, id, subject, status string) {
		t.Helper()
		path := filepath.Join(lists, list, id+".json")
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path+".new", []byte(`{"id":"`+id+`","subject":"`+subject+`","status":"`+status+`"}`), 0o600)
		}
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	task("old", "1", "Long ago", "in_progress")

	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	errs, said := io.Pipe()
	env.Environ = append(env.Environ, "GIT_TASKS_REPO="+dir)
	env.Args = []string{"git-tasks", "follow"}
	env.Stdin, env.Stdout, env.Stderr = io.NopCloser(bytes.NewReader(nil)), io.Discard, said
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(ctx, env) }()
	if line, err := bufio.NewReader(errs).ReadString('\n'); err != nil || !strings.Contains(line, "following "+lists) {
		t.Fatalf("it says %q, %v", line, err)
	}
	go io.Copy(io.Discard, errs)

	store := toolstest.Open(t, tools.Config{Path: dir})
	_, tip, err := store.Book()
	if err != nil {
		t.Fatal(err)
	}
	feed, err := store.Feed(tip)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := feed.Follow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	task("new", "1", "Read", "pending")
	step := 0
	for _, err := range moves {
		if err != nil {
			t.Fatal(err)
		}
		if step++; step == 1 {
			task("new", "1", "Read", "completed")
			continue
		}
		break
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("it ended with %d", code)
	}
	if got := must(t, env, "list"); got != "t1  done  medium  Read\n" {
		t.Errorf("the list is\n%s", got)
	}
}
