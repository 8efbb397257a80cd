package tools_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// harness is a session whose harness keeps a list.
type harness struct {
	t      *testing.T
	store  *tools.Store
	caller tools.Caller
}

func newHarness(t *testing.T, settings *tools.Settings) *harness {
	t.Helper()
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Host: "desk", Settings: settings, Now: toolstest.NewClock().Now})
	c, err := s.Caller(tools.Who{Person: "ana", Session: "one"})
	if err != nil {
		t.Fatal(err)
	}
	return &harness{t, s, c}
}

func (h *harness) update(updates ...translate.Update) tools.Planned {
	h.t.Helper()
	p, err := h.store.PlanUpdate(h.t.Context(), h.caller, updates...)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func todo(entries ...string) translate.Update {
	u := translate.Update{Session: "one", Tool: "TodoWrite", List: []translate.Entry{}}
	for _, e := range entries {
		status, text, _ := strings.Cut(e, " ")
		u.List = append(u.List, translate.Entry{Text: text, Status: status})
	}
	return u
}

func changed(c translate.Change) translate.Update {
	return translate.Update{Session: "one", Tool: "TaskUpdate", Change: &c}
}

// lines gives every record's line.
func (h *harness) lines() string {
	h.t.Helper()
	var lines []string
	for _, tool := range []string{"plan_list", "task_list"} {
		a, err := tools.Call(h.t.Context(), h.store, h.caller, tool, nil)
		if err != nil {
			h.t.Fatal(err)
		}
		lines = append(lines, a.Text)
	}
	return strings.Join(lines, "\n")
}

func (h *harness) git(args ...string) string {
	h.t.Helper()
	return strings.TrimSpace(repotest.Git(h.t, h.store.Dir(), args...))
}

func TestPlanUpdateIsOneCommit(t *testing.T) {
	h := newHarness(t, &tools.Settings{Options: tools.Options{RequireApproval: true}})
	p := h.update(todo("in_progress a", "completed b", "pending c"))
	if p.Plan != "p1" || !slices.Equal(p.Tasks, []string{"t1", "t2", "t3"}) {
		t.Errorf("it came to %+v", p)
	}
	if got, want := h.lines(), "p1 draft Session one\nt1 doing medium a\nt2 done medium b\nt3 todo medium c"; got != want {
		t.Errorf("the list is\n%s", got)
	}
	const want = "ana <ana@desk> p1 translate TodoWrite | Tool: plan_update|Session: ahp-session:/one|"
	if got := h.git("log", "--format=%an <%ae> %s | %(trailers:separator=|)|", "main"); got != want || p.Commit != h.git("rev-parse", "main") {
		t.Errorf("history is\n%s", got)
	}
	if again := h.update(todo("in_progress a", "completed b", "pending c")); again.Commit != "" || again.Plan != "p1" {
		t.Errorf("the same again is %+v", again)
	}
}

// TestPlanUpdateTakesALongList mints more ids in one commit than one made by hand
// may be ahead.
func TestPlanUpdateTakesALongList(t *testing.T) {
	h := newHarness(t, nil)
	u := todo()
	for n := range 1100 {
		u.List = append(u.List, translate.Entry{Text: fmt.Sprint("step ", n)})
	}
	if p := h.update(u); p.Commit == "" || len(p.Tasks) != len(u.List) || p.Tasks[len(u.List)-1] != "t1100" {
		t.Errorf("it came to %d tasks in commit %q", len(p.Tasks), p.Commit)
	}
}

func TestPlanUpdateRefused(t *testing.T) {
	h := newHarness(t, nil)
	const want = "Invalid plan_update input: text must be a non-empty string."
	bad := changed(translate.Change{ID: "8", Status: "completed"})
	p, err := h.store.PlanUpdate(t.Context(), h.caller, bad)
	if e := tools.AsError(err); err == nil || e.Message != want || e.Code != tools.Invalid || p.Commit != "" {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = h.store.PlanUpdate(t.Context(), h.caller, changed(translate.Change{ID: "1", Text: "a"}), bad,
		changed(translate.Change{ID: "1", Status: "in_progress"}))
	if err == nil || err.Error() != want || p.Commit == "" {
		t.Errorf("%+v, %v", p, err)
	}
	if got, want := h.lines(), "p1 draft Session one\nt1 doing medium a"; got != want {
		t.Errorf("the list is\n%s", got)
	}
	if got := h.git("rev-list", "--count", "main"); got != "1" {
		t.Errorf("a batch is %s commits", got)
	}
}

func TestPlanUpdateRemembers(t *testing.T) {
	h := newHarness(t, nil)
	h.update(changed(translate.Change{ID: "1", Text: "Read", Active: "Reading"}))
	if err := h.store.ReportSession(t.Context(), tools.Session{Session: "ahp-session:/one", Title: "Parser", Owner: "bob"}); err != nil {
		t.Fatal(err)
	}
	h.update(changed(translate.Change{ID: "1", Status: "in_progress"}))
	h.update(todo("pending b"))
	if got := h.lines(); !strings.Contains(got, "p1 draft Parser") {
		t.Errorf("the list is\n%s", got)
	}
	book, _, err := h.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	if task, err := book.Task("t1"); err != nil || task.Active != "Reading" {
		t.Errorf("active is %q, %v", task.Active, err)
	}
	if s, err := h.store.Session("one"); err != nil || s.Owner != "bob" || s.Title != "Parser" {
		t.Errorf("the session is %+v, %v", s, err)
	}
}

func TestPlanUpdateKnowsACallAgain(t *testing.T) {
	h := newHarness(t, nil)
	first, second := todo("in_progress a"), todo("completed a")
	first.Call, second.Call = "toolu_1", "toolu_2"
	h.update(first)
	h.update(second, second)
	if p := h.update(first); p.Commit != "" {
		t.Error("a call was taken twice")
	}
	for i := range 200 {
		next := todo("completed a")
		next.Call = fmt.Sprint("toolu_", 3+i)
		h.update(next)
	}
	if got := h.git("rev-list", "--count", "main"); got != "2" {
		t.Errorf("history has %s commits", got)
	}
	if got := h.lines(); !strings.Contains(got, "t1 done medium a") {
		t.Errorf("the list is\n%s", got)
	}
}

// TestPlanUpdateOnAMovedTip has harnesses and callers in two processes write at
// once: each list is whole, and each update one commit.
func TestPlanUpdateOnAMovedTip(t *testing.T) {
	h := newHarness(t, nil)
	const sessions, turns = 4, 5
	var all sync.WaitGroup
	for i := range sessions {
		store := toolstest.Again(t, tools.Config{Path: h.store.Dir(), Host: "desk"})
		all.Go(func() {
			for turn := range turns {
				u := todo(fmt.Sprint("in_progress step ", turn), "pending last")
				u.Session = fmt.Sprint("s", i)
				if _, err := store.PlanUpdate(context.Background(), h.caller, u); err != nil {
					t.Error(err)
				}
				if _, err := tools.Call(context.Background(), store, h.caller, "task_add", []byte(`{"title":"beside"}`)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := h.git("rev-list", "--count", "main"); got != fmt.Sprint(2*sessions*turns) {
		t.Errorf("history has %s commits", got)
	}
	book, _, err := h.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	for i := range sessions {
		plan, err := book.PlanOfSession(fmt.Sprint("s", i))
		if err != nil || plan == nil {
			t.Fatalf("s%d has no plan: %v", i, err)
		}
		tasks, err := book.TasksOf(plan.ID)
		if err != nil {
			t.Fatal(err)
		}
		count := map[records.Status]int{}
		for task := range tasks {
			count[task.Status]++
		}
		if want := map[records.Status]int{records.Doing: 1, records.Todo: 1, records.Dropped: turns - 1}; !maps.Equal(count, want) {
			t.Errorf("the tasks of s%d are %v, not %v", i, count, want)
		}
	}
}
