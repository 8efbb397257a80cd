package serve_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestSocket: a process's call is made through the host, as whoever it was started for.
func TestSocket(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	who := tools.Who{Person: "ana", Session: "one", Folder: "/srv/work"}
	answer, ok, err := serve.Call(t.Context(), toolstest.Again(t, tools.Config{Path: r.dir}), who, "", "task_add", []byte(`{"title":"by the socket"}`))
	if !ok || err != nil || answer.Text != "t1 todo medium by the socket" {
		t.Errorf("the host said %q, %v, %v", answer.Text, ok, err)
	}
	if by := repotest.Git(t, r.dir, "log", "-1", "--format=%an %(trailers:key=Session,valueonly)", "main"); strings.TrimSpace(by) != "ana ahp-session:/one" {
		t.Errorf("the commit is by %q", by)
	}
}

// TestP26Socket: the socket is its user's alone.
func TestP26Socket(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	info, err := os.Stat(filepath.Join(r.dir, "git-tasks", "socket"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v; want 0600", info.Mode(), err)
	}
}

// TestNoSocketForIt: where no host serves the branch, a process goes by itself.
func TestNoSocketForIt(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	isTaken := func(s *tools.Store) bool {
		_, ok, err := serve.Call(t.Context(), s, tools.Who{}, "", "task_list", []byte(`{}`))
		return ok || err != nil
	}
	if !isTaken(r.store) {
		t.Error("the host takes no process of its own branch")
	}
	if isTaken(toolstest.Again(t, tools.Config{Path: r.dir, Branch: "tasks"})) {
		t.Error("the host of main takes a process of tasks")
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if isTaken(r.store) {
		t.Error("a host that has stopped takes a process")
	}
}

// TestHostStopsBesideASilentProcess: one that says nothing does not hold the host up.
func TestHostStopsBesideASilentProcess(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	silent, err := net.Dial("unix", filepath.Join(r.dir, "git-tasks", "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	began := time.Now()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 1800*time.Millisecond { // less than it waits for a word
		t.Errorf("the host took %v to stop", took)
	}
}
