package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// road is a list whose steps others take, and a session whose harness keeps it.
type road struct {
	*harness
	clock *toolstest.Clock
}

// newRoad makes the list, of the steps a, b and c.
func newRoad(t *testing.T) *road {
	t.Helper()
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	c, err := s.Caller(tools.Who{Person: "ana", Session: "one"})
	if err != nil {
		t.Fatal(err)
	}
	r := &road{&harness{t, s, c}, clock}
	r.update(todo("pending a", "pending b", "pending c"))
	return r
}

// wrote compares the last commits: author, subject, and who lost what.
func (r *road) wrote(want ...string) {
	r.t.Helper()
	got := history(r.t, r.store.Dir(), string(rune('0'+len(want))))
	if got != strings.Join(want, "\n") {
		r.t.Errorf("history\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	toolstest.Check(r.t, r.store)
}

// TestQueueAHarnessTellsWhomItOverrules: a harness tells what has happened, so its list
// is taken whoever holds a step, and the commit says whose claims gave way.
func TestQueueAHarnessTellsWhomItOverrules(t *testing.T) {
	r := newRoad(t)
	worker(t, r.store, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	worker(t, r.store, "2", "task_claim", `{"task":"t2","leaseFor":"30m"}`)
	worker(t, r.store, "2", "task_claim", `{"task":"t3","leaseFor":"30m"}`)
	r.update(todo("completed a", "completed b"))
	r.wrote("ana|p1 translate TodoWrite|Forced: ahp-session:/s1;Forced: ahp-session:/s2")
	if got := r.lines(); got != "p1 draft Session one\nt1 done medium a\nt2 done medium b\nt3 dropped medium c" {
		t.Errorf("the list is\n%s", got)
	}
	worker(t, r.store, "1", "task_add", `{"title":"d","plan":"p1"}`)
	worker(t, r.store, "1", "task_claim", `{"task":"t4"}`)
	r.update(todo("completed a", "completed b", "pending d"), todo("completed a", "completed b", "in_progress d"))
	r.wrote("ana|p1 translate TodoWrite|Forced: ahp-session:/s1")
}

// TestQueueAHarnessReclaimsFirst: a list that moves steps whose claims are over leaves
// a commit for each of those, and then its own, in one move of the branch.
func TestQueueAHarnessReclaimsFirst(t *testing.T) {
	r := newRoad(t)
	worker(t, r.store, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	worker(t, r.store, "2", "task_claim", `{"task":"t2","leaseFor":"30m"}`)
	worker(t, r.store, "3", "task_claim", `{"task":"t3","leaseFor":"1h"}`)
	r.clock.Pass(30 * time.Minute)
	r.update(todo("in_progress a", "pending b", "completed c"))
	r.wrote("w3|t3 claim: c|", "ana|t1 reclaim: a|Reclaimed: ahp-session:/s1 lease", "ana|p1 translate TodoWrite|Forced: ahp-session:/s3")
	if got := r.lines(); got != "p1 draft Session one\nt1 doing medium a\nt2 todo medium b\nt3 done medium c" {
		t.Errorf("the list is\n%s", got)
	}
	r.update(translate.Update{Session: "one", Tool: "TodoWrite", List: []translate.Entry{}})
	r.wrote("ana|t2 reclaim: b|Reclaimed: ahp-session:/s2 lease", "ana|p1 translate TodoWrite|")
}

// TestQueueTodoWriteSeesWhatCounts: a step whose claim is over is pending, whatever the
// file still says, and a list that says so changes nothing.
func TestQueueTodoWriteSeesWhatCounts(t *testing.T) {
	for _, cold := range []bool{false, true} {
		t.Run(map[bool]string{false: "read", true: "cold"}[cold], func(t *testing.T) {
			r := newRoad(t)
			s := r.store
			write := func(steps ...string) {
				t.Helper()
				if cold {
					s = toolstest.Again(t, tools.Config{Path: r.store.Dir(), Now: r.clock.Now})
				}
				if _, err := writeTodos(t, s, steps...); err != nil {
					t.Error(err)
				}
			}
			write("1 in_progress a", "2 in_progress b", "3 pending c")
			worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
			worker(t, s, "2", "task_claim", `{"task":"t2","leaseFor":"30m"}`)
			if a, err := writeTodos(t, s, "1 completed a", "2 in_progress b", "3 pending c"); err != nil || a.Commit != "" ||
				!strings.Contains(a.Text, "\n[~] a\n[~] b\n[ ] c\nt1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:30:00.000Z: left to them as it is.\n") {
				t.Errorf("a step that another holds: %q, %v", a.Text, err)
			}
			r.clock.Pass(30 * time.Minute)
			write("1 pending a", "2 pending b", "3 pending c")
			r.wrote("w2|t2 claim: b|")
			write("1 in_progress a", "2 in_progress b", "3 in_progress c")
			r.wrote("ana|t1 reclaim: a|Reclaimed: ahp-session:/s1 lease", "ana|t2 reclaim: b|Reclaimed: ahp-session:/s2 lease",
				"ana|p1 translate todo_write|")
			if got := r.lines(); !strings.HasSuffix(got, "t1 doing medium a\nt2 doing medium b\nt3 doing medium c") {
				t.Errorf("the list is\n%s", got)
			}
		})
	}
}
