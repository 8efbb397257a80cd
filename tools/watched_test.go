package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// process is one that lives until the returned function ends it.
func process(t *testing.T) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if !ended {
			in.Close()
			cmd.Wait()
		}
		ended = true
	}
	t.Cleanup(end)
	return cmd.Process.Pid, end
}

// TestQueueASessionEndsWithItsProcess: once whoever watched it is gone, and nothing
// was heard of it for 30 seconds, what it held is anyone's.
func TestQueueASessionEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	pid, end := process(t)
	if err := s.WatchSession(t.Context(), "s1", pid); err != nil {
		t.Fatal(err)
	}
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	is := func(when, want string) {
		t.Helper()
		if got := worker(t, s, "2", "task_list", `{}`); got != want+" medium A" {
			t.Errorf("%s: %s", when, got)
		}
	}
	clock.Pass(24 * time.Hour)
	is("while the process lives", "t1 doing")
	end()
	is("when it is gone, and was not heard of for a day", "t1 todo")
	worker(t, s, "1", "task_set", `{"task":"t1","note":"here"}`) // heard of again, and what it held was given back
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	clock.Pass(29 * time.Second)
	is("after 29 seconds", "t1 doing")
	clock.Pass(time.Second)
	is("after 30 seconds", "t1 todo")
	if err := s.WatchSession(t.Context(), "s1", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	is("when another process watches", "t1 doing")
	if err := s.LeaveSession(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	is("when that lets it go", "t1 doing")
	clock.Pass(30 * time.Second)
	is("30 seconds after", "t1 todo")
	if got := worker(t, s, "2", "task_claim", `{"task":"t1"}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueAfterACleanEndAtOnce: a session that says that it ends holds nothing from
// then on, whoever watches it.
func TestQueueAfterACleanEndAtOnce(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	if err := s.WatchSession(t.Context(), "s1", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	if err := s.ReportSession(t.Context(), tools.Session{Session: "s1", Ended: true}); err != nil {
		t.Fatal(err)
	}
	if got := worker(t, s, "2", "task_claim", `{"next":true}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueNobodyWatchesAOneShotSession: its claim ends by its time, by itself never.
func TestQueueNobodyWatchesAOneShotSession(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	if err := s.ReportSession(t.Context(), tools.Session{Session: "s1", Title: "One shot"}); err != nil {
		t.Fatal(err)
	}
	clock.Pass(1000 * time.Hour)
	if got := worker(t, s, "2", "task_list", `{}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueAnotherMachinesSessionIsUnknown: which processes run there nobody can say
// here, so the claim stands.
func TestQueueAnotherMachinesSessionIsUnknown(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	pid, end := process(t)
	if err := s.WatchSession(t.Context(), "s1", pid); err != nil {
		t.Fatal(err)
	}
	end()
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	files, err := filepath.Glob(filepath.Join(s.Side(), "sessions", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	said, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := strings.Replace(string(said), `"host":"localhost"`, `"host":"elsewhere"`, 1)
	if err := os.WriteFile(files[0], []byte(elsewhere), 0o600); err != nil || elsewhere == string(said) {
		t.Fatal(err, elsewhere)
	}
	clock.Pass(1000 * time.Hour)
	if got := worker(t, s, "2", "task_list", `{}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}
