package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// jumps are the times that a clock shows one after the other: back by an hour,
// ahead by ten years, a leap day, an hour that there is twice and one that there
// is not where clocks change, before and at the end of what git can tell.
func jumps(t *testing.T) []time.Time {
	t.Helper()
	berlin := time.FixedZone("CET", 3600)
	return []time.Time{
		time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC), time.Date(2026, 10, 18, 9, 0, 0, 0, time.UTC),
		time.Date(2036, 10, 18, 9, 0, 0, 0, time.UTC), time.Date(2026, 10, 18, 10, 0, 1, 0, time.UTC),
		time.Date(2028, 2, 29, 23, 59, 59, 999999999, time.UTC), time.Date(2026, 10, 25, 2, 30, 0, 0, berlin),
		time.Date(2026, 3, 29, 2, 30, 0, 0, berlin), time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 10, 18, 11, 0, 0, 0, time.UTC),
	}
}

// TestP20ClockJumps makes, moves, approves and reviews tasks while the clock jumps
// from anywhere to anywhere: every call is answered, no stamp of a record is
// before one that it had, the log and the check agree, and a task is found by its
// own times.
func TestP20ClockJumps(t *testing.T) {
	t.Parallel()
	all := jumps(t)
	for i, first := range all {
		for j, second := range all {
			if i == j || i > 0 && j > 0 && j != (i+1)%len(all) { // from and to the first, and each to its neighbour
				continue
			}
			t.Run(records.FormatTime(first)+" "+records.FormatTime(second), func(t *testing.T) {
				t.Parallel()
				now := first
				s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: func() time.Time { return now }})
				ask := func(tool, input string) {
					t.Helper()
					if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, tool, input); got.Code != "" {
						t.Fatalf("%s %s at %v: %s", tool, input, now, got.Text)
					}
				}
				ask("task_add", `{"title":"A"}`)
				ask("task_set", `{"task":"t1","status":"doing"}`)
				now = second
				ask("task_approve", `{"task":"t1"}`)
				ask("task_set", `{"task":"t1","status":"done"}`)
				now = first
				ask("task_review", `{"task":"t1","verdict":"approved"}`)
				ask("task_add", `{"title":"B"}`)
				holdStamps(t, s)
				if _, err := s.History(""); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// holdStamps looks at the stamps of t1 in the order in which they came, and
// whether a list since each of them has it.
func holdStamps(t *testing.T, s *tools.Store) {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	task, err := book.Task("t1")
	if err != nil {
		t.Fatal(err)
	}
	var last time.Time
	for _, stamp := range []*records.Stamp{task.Created, task.Started, task.Approved, task.Finished, task.Reviewed} {
		at, ok := stamp.Time()
		if !ok {
			t.Fatalf("%s is no time", stamp.At)
		}
		if !last.IsZero() && at.Before(last) {
			t.Errorf("a stamp of %s came after one of %s", stamp.At, records.FormatTime(last))
		}
		last = at
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_list", `{"since":"`+stamp.At+`"}`)
		if !strings.HasPrefix(got.Text, "t1 done") {
			t.Errorf("a list since %s has %q", stamp.At, got.Text)
		}
	}
	later := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_list", `{"since":"`+records.FormatTime(last.Add(time.Millisecond))+`"}`)
	if last.Year() < 9999 && strings.Contains(later.Text, "t1 ") {
		t.Errorf("a list since after the last stamp has %q", later.Text)
	}
}

// TestP20ForeignDates: commits of other programs that are dated 1970 and 2100, and
// what they bring, neither order the list nor date what comes next.
func TestP20ForeignDates(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	now := time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)
	s := toolstest.Open(t, tools.Config{Path: dir, Now: func() time.Time { return now }})
	list := toolstest.List{Store: s}
	toolstest.Direct(t, list, tools.Who{Person: "ana"}, "task_add", `{"title":"A"}`)
	for i, date := range []string{"@0 +0000", "@4102444800 +0000"} {
		work := t.TempDir()
		repotest.Git(t, dir, "clone", "-q", dir, work)
		if err := os.WriteFile(filepath.Join(work, "tasks", fmt.Sprintf("draft-%d.md", i)), fmt.Appendf(nil, "---\ntitle: draft %d\n---\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		repotest.Git(t, work, "add", "-A")
		env := append(repotest.Env(t), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		if out, err := repotest.Run(work, env, "", "git", "commit", "-qm", "by hand"); err != nil {
			t.Fatal(out, err)
		}
		repotest.Git(t, work, "push", "-q", "origin", "HEAD:main")
		if got := toolstest.Direct(t, list, tools.Who{Person: "ana"}, "task_add", `{"title":"next"}`); got.Code != "" {
			t.Fatal(got.Text)
		}
	}
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"t1", "t3", "t5"} {
		task, err := book.Task(id)
		if err != nil || task == nil || task.Created.At != records.FormatTime(now) {
			t.Errorf("%s is %+v, %v; want it made at %v", id, task, err, now)
		}
	}
	events, err := s.History("")
	if err != nil || len(events) < 6 || !strings.HasPrefix(events[0].What, "t5 add") {
		t.Errorf("the log is %+v, %v", events, err)
	}
}

// TestP20FutureIsNamed: a commit that is dated ahead is named by who examines the
// list, whatever came on top of it, and however it came to the branch.
func TestP20FutureIsNamed(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{toMain, toFor} {
		s, p := newLanding(t)
		if ref == toFor {
			call(t, s, "ana", "task_add", `{"title":"beside"}`)
		}
		p.commit("bob", "tasks/t1.md", strings.Replace(repotest.Git(t, p.clone, "show", "HEAD:tasks/t1.md")+"\n", "status: todo", "status: doing", 1))
		repotest.Git(t, p.clone, "commit", "-q", "--amend", "--no-edit", "--date", "2095-01-02T03:04:05Z")
		p.commit("bob", "notes.md", "and more\n")
		if _, err := p.land(s, ref); err != nil {
			t.Fatal(err)
		}
		call(t, s, "ana", "task_add", `{"title":"next"}`)
		found, err := s.Examine()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Topic == "clock" && (f.State != tools.Notable || !strings.Contains(f.Text, " by bob is of 2095-01-02T03:04:05.000Z")) {
				t.Errorf("pushed to %s: %+v", ref, f)
			}
		}
	}
}
