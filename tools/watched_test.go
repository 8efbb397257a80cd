package tools_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
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

// watchedClaim is a list whose t1 is held by session s1, which a process watches until
// end ends it.
func watchedClaim(t *testing.T) (s *tools.Store, clock *toolstest.Clock, end func()) {
	t.Helper()
	clock = toolstest.NewClock()
	s = toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	pid, end := process(t)
	if err := s.WatchSession(t.Context(), "s1", pid); err != nil {
		t.Fatal(err)
	}
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	return s, clock, end
}

// othersSee holds what somebody else is told of t1.
func othersSee(t *testing.T, s *tools.Store, when, status string) {
	t.Helper()
	if got := worker(t, s, "2", "task_list", `{}`); got != "t1 "+status+" medium A" {
		t.Errorf("%s: %s", when, got)
	}
}

// TestQueueASessionEndsWithItsProcess: once whoever watched it is gone, and nothing
// was heard of it for 30 seconds, what it held is anyone's.
func TestQueueASessionEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	s, clock, end := watchedClaim(t)
	clock.Pass(24 * time.Hour)
	othersSee(t, s, "while the process lives", "doing")
	end()
	othersSee(t, s, "when it is gone, and was not heard of for a day", "todo")
	worker(t, s, "1", "task_set", `{"task":"t1","note":"here"}`) // heard of again, and what it held was given back
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	clock.Pass(29 * time.Second)
	othersSee(t, s, "after 29 seconds", "doing")
	clock.Pass(time.Second)
	othersSee(t, s, "after 30 seconds", "todo")
	if err := s.WatchSession(t.Context(), "s1", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	othersSee(t, s, "when another process watches", "doing")
	if err := s.LeaveSession(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	othersSee(t, s, "when that lets it go", "doing")
	clock.Pass(30 * time.Second)
	othersSee(t, s, "30 seconds after", "todo")
	if got := worker(t, s, "2", "task_claim", `{"task":"t1"}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueWhatItStartedComesAndGoes: of several processes in a session the one that
// watches it first goes on to, whatever another, which it may have started, does.
func TestQueueWhatItStartedComesAndGoes(t *testing.T) {
	t.Parallel()
	s, clock, end := watchedClaim(t)
	if err := errors.Join(s.WatchSession(t.Context(), "s1", os.Getpid()), s.LeaveSession(t.Context(), "s1")); err != nil {
		t.Fatal(err)
	}
	clock.Pass(time.Hour)
	othersSee(t, s, "while the first lives", "doing")
	end()
	othersSee(t, s, "when it is gone", "todo")
}

// TestQueueACallIsHeardOf: a process that starts anew has its 30 seconds from the last
// call of its session, not from its own start.
func TestQueueACallIsHeardOf(t *testing.T) {
	t.Parallel()
	s, clock, end := watchedClaim(t)
	clock.Pass(time.Hour)
	worker(t, s, "1", "task_set", `{"task":"t1","note":"here"}`)
	end()
	clock.Pass(29 * time.Second)
	othersSee(t, s, "29 seconds after its call", "doing")
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
	s, clock, end := watchedClaim(t)
	end()
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
	othersSee(t, s, "after a thousand hours", "doing")
}

// TestQueueAPlanCountsAsTheListDoes: a process that has read nothing yet, and is asked
// for a plan alone, tells of a claim that is over what the whole list tells.
func TestQueueAPlanCountsAsTheListDoes(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	cfg := tools.Config{Path: repotest.New(t), Now: clock.Now}
	s := toolstest.Open(t, cfg)
	worker(t, s, "1", "plan_create", `{"title":"P"}`)
	worker(t, s, "1", "task_add", `{"title":"A","plan":"p1"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"1m"}`)
	clock.Pass(time.Minute)
	for tool, input := range map[string]string{"task_list": `{"plan":"p1"}`, "plan_show": `{"plan":"p1"}`, "task_graph": `{"plan":"p1"}`} {
		if got := worker(t, toolstest.Again(t, cfg), "2", tool, input); strings.Contains(strings.ToLower(got), "doing") {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got := worker(t, toolstest.Again(t, cfg), "2", "task_claim", `{"next":true,"plan":"p1"}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueReclaimPassesByWhatCannotBeRead: of a task that cannot be read a second
// file may hold a claim.
func TestQueueReclaimPassesByWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Again(t, tools.Config{Path: dir})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"1h"}`)
	text := repotest.Git(t, dir, "show", "main:tasks/t1.md") + "\n"
	repotest.Foreign(t, dir, "refs/heads/main", "eve", "copy",
		repo.File{Path: "tasks/t1.md", Data: []byte("---\n[\n")}, repo.File{Path: "tasks/old/t1.md", Data: []byte(text)})
	if _, err := s.Reclaim(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestQueueAHandMoveToTodoIsNobodys: a person who moves a task back to todo in its file
// gives it up for whoever had it, as task_set does.
func TestQueueAHandMoveToTodoIsNobodys(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1"}`)
	worker(t, s, "1", "task_set", `{"task":"t1","status":"blocked"}`)
	text := repotest.Git(t, dir, "show", "main:tasks/t1.md") + "\n"
	repotest.Foreign(t, dir, "refs/heads/main", "ana", "again",
		repo.File{Path: "tasks/t1.md", Data: []byte(strings.Replace(text, "status: blocked", "status: todo", 1))})
	if got := worker(t, s, "2", "task_claim", `{"next":true}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueAClaimOfASessionThatEndedCounts: a session that acts lives, whatever was
// said of it before; an end that is reported while a call is on its way stands.
func TestQueueAClaimOfASessionThatEndedCounts(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	end := func() {
		t.Helper()
		if err := s.ReportSession(t.Context(), tools.Session{Session: "s1", Ended: true}); err != nil {
			t.Fatal(err)
		}
	}
	for _, passes := range []time.Duration{0, time.Minute, -time.Hour} { // an hour back: somebody set the clock
		end()
		clock.Pass(passes)
		worker(t, s, "1", "task_claim", `{"task":"t1"}`)
		othersSee(t, s, "claimed behind the end", "doing")
		end()
		othersSee(t, s, "after another end", "todo")
		worker(t, s, "1", "task_list", `{}`)
		othersSee(t, s, "after a look", "todo")
	}
	if err := s.DescribeSession(t.Context(), tools.Session{Session: "s1", Title: "Late"}); err != nil {
		t.Fatal(err)
	}
	if err := s.ReportTurn(t.Context(), "s1", "", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PlanUpdate(t.Context(), tools.Caller{}, translate.Update{Session: "s1", Tool: "TodoWrite", List: []translate.Entry{}}); err != nil {
		t.Fatal(err)
	}
	othersSee(t, s, "after hooks that came late", "todo")
}

// TestQueueAnEndDuringACallStands: what a session that goes away had asked for before
// does not keep it.
func TestQueueAnEndDuringACallStands(t *testing.T) {
	t.Parallel()
	clock, cfg := toolstest.NewClock(), tools.Config{Path: repotest.New(t)}
	cfg.Now = clock.Now
	other := toolstest.Open(t, cfg)
	worker(t, other, "1", "task_add", `{"title":"A"}`)
	looks := 0
	cfg.Now = func() time.Time {
		if looks++; looks == 2 { // the first is the call's beginning
			clock.Pass(time.Second)
			if err := other.ReportSession(t.Context(), tools.Session{Session: "s1", Ended: true}); err != nil {
				t.Error(err)
			}
			clock.Pass(time.Second)
		}
		return clock.Now()
	}
	worker(t, toolstest.Again(t, cfg), "1", "task_claim", `{"task":"t1"}`)
	othersSee(t, other, "claimed while the end came", "todo")
}

// TestQueueTheYoungerWatcherIsKnown: a session lives as long as any process that
// watches it, whichever came first.
func TestQueueTheYoungerWatcherIsKnown(t *testing.T) {
	t.Parallel()
	s, clock, end := watchedClaim(t)
	younger, endYounger := process(t)
	if err := s.WatchSession(t.Context(), "s1", younger); err != nil {
		t.Fatal(err)
	}
	clock.Pass(time.Hour)
	end()
	othersSee(t, s, "when the older is gone", "doing")
	if err := s.WatchSession(t.Context(), "s1", os.Getpid()); err != nil {
		t.Fatal(err)
	}
	endYounger()
	clock.Pass(time.Hour)
	othersSee(t, s, "when the second is gone too", "doing")
	if err := s.LeaveSession(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	clock.Pass(30 * time.Second)
	othersSee(t, s, "when the last has let it go", "todo")
}

// TestSessionsOfWhichThereIsSomethingToSay: a front that lists sessions is told of one
// once more is known of it than that a process watches it, and of its end.
func TestSessionsOfWhichThereIsSomethingToSay(t *testing.T) {
	t.Parallel()
	s, clock, end := watchedClaim(t)
	told := func(want ...tools.Session) {
		t.Helper()
		got, err := s.Sessions()
		for i := range got {
			got[i].Reported = time.Time{}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("told of %+v, %v", got, err)
		}
	}
	told()
	for _, said := range []tools.Session{{Title: "One"}, {Bot: "pilot"}} {
		said.Session = "s1"
		if err := s.DescribeSession(t.Context(), said); err != nil {
			t.Fatal(err)
		}
	}
	told(tools.Session{Session: "s1", Title: "One", Bot: "pilot"})
	end()
	clock.Pass(30 * time.Second)
	told(tools.Session{Session: "s1", Title: "One", Bot: "pilot", Ended: true})
}
