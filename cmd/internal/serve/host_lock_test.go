package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestA15P9EightAtOnce: of hosts that start at the same moment one serves, and each
// of the others ends and says that there is one.
func TestA15P9EightAtOnce(t *testing.T) {
	t.Parallel()
	const all = 8
	dir := repotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ready, ended := make(chan string, all), make(chan error, all)
	for range all {
		s := toolstest.Again(t, tools.Config{Path: dir})
		go func() {
			ended <- serve.Run(ctx, serve.Config{Store: s, Listen: "127.0.0.1:0", Ready: func(address string) error {
				ready <- address
				return nil
			}})
		}()
	}
	for range all - 1 {
		err := <-ended
		if err == nil || !strings.HasPrefix(err.Error(), "a host serves this list already: ") || tools.AsError(err).Code != tools.Held {
			t.Errorf("one of eight ended with %v", err)
		}
	}
	if h := healthOf(t, <-ready); h.Started.IsZero() {
		t.Errorf("the health of the one that serves is %+v", h)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the one that served ended with %v", err)
	}
	if len(ready) > 0 {
		t.Errorf("%d more served", len(ready))
	}
}

// TestP9LinkedWorktree: a repository and a linked worktree of it are one, for
// hosts too.
func TestP9LinkedWorktree(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	work, linked := filepath.Join(top, "work"), filepath.Join(top, "linked")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, work, "init", "-q", "-b", "main", ".")
	repotest.Git(t, work, "-c", "user.name=ana", "-c", "user.email=ana@example.org", "commit", "-q", "--allow-empty", "-m", "start")
	repotest.Git(t, work, "worktree", "add", "-q", linked)
	open := func(dir string) *tools.Store { return toolstest.Again(t, tools.Config{Path: dir, Branch: "tasks"}) }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	second := ""
	err := serve.Run(ctx, serve.Config{Store: open(work), Listen: "127.0.0.1:0", Ready: func(address string) error {
		defer cancel()
		if err := serve.Run(ctx, serve.Config{Store: open(linked), Listen: "127.0.0.1:0"}); err != nil {
			second = err.Error()
		}
		if !strings.Contains(second, " at "+address) {
			t.Errorf("the host of the linked worktree ended with %q, and %s serves", second, address)
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
}

// TestP9BindMount: a repository is one by whatever path a host comes to it.
func TestP9BindMount(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a folder at another path")
	}
	r := begin(t, nil, nil)
	other := t.TempDir()
	if out, err := exec.Command("mount", "--bind", r.dir, other).CombinedOutput(); err != nil {
		t.Skipf("a folder cannot be mounted at another path here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", other).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	s, err := tools.Open(tools.Config{Path: other})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = serve.Run(t.Context(), serve.Config{Store: s, Listen: "127.0.0.1:0"})
	if err == nil || !strings.Contains(err.Error(), " at "+r.url) || tools.AsError(err).Code != tools.Held {
		t.Errorf("a host by another path ended with %v, and %s serves", err, r.url)
	}
}

// TestP9AfterAKill: another process is named while it lives, and in nobody's way
// once it was killed.
func TestP9AfterAKill(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, dir)
	if status, answer := ask(t, http.MethodPost, p.url+"/mcp", addTask, "Git-Tasks-As: ana"); status != 200 {
		t.Fatalf("a call is answered %d %s", status, answer)
	}
	run := func(ready func(string) error) error {
		return serve.Run(t.Context(), serve.Config{Store: toolstest.Again(t, tools.Config{Path: dir}), Listen: "127.0.0.1:0", Ready: ready})
	}
	want := fmt.Sprintf("a host serves this list already: process %d at %s, since ", p.pid, p.url)
	if err := run(nil); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("beside another process a host ended with %v, want %s", err, want)
	}
	p.Process.Kill()
	p.Wait()
	served := errors.New("it serves")
	err := run(func(address string) error {
		if status, answer := ask(t, http.MethodPost, address+"/mcp", addTask, "Git-Tasks-As: ana"); status != 200 || !strings.Contains(answer, "t2 todo") {
			t.Errorf("a call of the next host is answered %d %s", status, answer)
		}
		return served
	})
	if !errors.Is(err, served) {
		t.Errorf("after a kill a host ended with %v", err)
	}
}
