package translate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// session is a list that a harness keeps, and what came of it.
type session struct {
	t      *testing.T
	book   *records.Book
	memory translate.Memory
	now    time.Time
}

func newSession(t *testing.T) *session {
	t.Helper()
	t.Parallel()
	return &session{t: t, book: emptyBook(), now: start}
}

var start = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func emptyBook() *records.Book { return records.NewBook(fstest.MapFS{}) }

// say takes an update, and gives how many edits it was.
func (s *session) say(u translate.Update) int {
	s.t.Helper()
	n, err := s.try(u)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *session) try(u translate.Update) (int, error) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	if u.Session == "" {
		u.Session = "one"
	}
	if u.Tool == "" {
		u.Tool = "TodoWrite"
	}
	p, err := translate.Of(s.book, u, s.memory)
	if err != nil {
		return 0, err
	}
	o, err := s.book.Apply(p.Edits, records.Mark{By: "ana", At: s.now}, records.Rules{RequireApproval: true})
	if err != nil {
		s.t.Fatalf("the edits of %+v cannot be made: %v", u, err)
	}
	s.book = o.Book
	if p.Active != nil {
		s.memory.Active = p.Active
	}
	return len(p.Edits), nil
}

// list takes a whole list, each entry "status text", and gives how many edits it
// was.
func (s *session) list(entries ...string) int {
	s.t.Helper()
	return s.say(translate.Update{List: list(entries...)})
}

func list(entries ...string) []translate.Entry {
	l := []translate.Entry{}
	for _, e := range entries {
		status, text, _ := strings.Cut(e, " ")
		l = append(l, translate.Entry{Text: text, Status: status})
	}
	return l
}

func (s *session) change(c translate.Change) int {
	s.t.Helper()
	return s.say(translate.Update{Tool: "TaskUpdate", Change: &c})
}

// want compares the tasks, each "id status title".
func (s *session) want(tasks ...string) {
	s.t.Helper()
	all, err := s.book.Tasks()
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for t := range all {
		got = append(got, fmt.Sprint(t.ID, " ", t.Status, " ", t.Title))
	}
	if strings.Join(got, "\n") != strings.Join(tasks, "\n") {
		s.t.Fatalf("the tasks are\n%s\nand should be\n%s", strings.Join(got, "\n"), strings.Join(tasks, "\n"))
	}
}

func (s *session) task(id string) *records.Task {
	s.t.Helper()
	t, err := s.book.Task(id)
	if err != nil || t == nil {
		s.t.Fatalf("there is no %s: %v", id, err)
	}
	return t
}

func (s *session) plan(id string) *records.Plan {
	s.t.Helper()
	p, err := s.book.Plan(id)
	if err != nil || p == nil {
		s.t.Fatalf("there is no %s: %v", id, err)
	}
	return p
}

func TestCase82AListBecomesAPlan(t *testing.T) {
	s := newSession(t)
	s.list("pending a", "pending b")
	s.want("t1 todo a", "t2 todo b")
	p := s.plan("p1")
	if p.Title != "Session one" || p.Scope != (records.Scope{Kind: "session", Session: "one"}) || p.Goal != "" || p.Status != records.Draft {
		t.Errorf("the plan is %+v", p)
	}
	for _, id := range []string{"t1", "t2"} {
		if task := s.task(id); *task.Source != (records.Source{Tool: "TodoWrite"}) || task.Priority != "" || task.Plan != "p1" {
			t.Errorf("%s is %+v of %+v", id, task, task.Source)
		}
	}
}

func TestCase83ATitleArrives(t *testing.T) {
	s := newSession(t)
	s.list("pending a")
	s.memory.Title = "Ship the parser"
	s.say(translate.Update{Tool: "TaskUpdate", Change: &translate.Change{ID: "7", Text: "c"}})
	if p := s.plan("p1"); p.Title != "Session one" {
		t.Errorf("a change renamed the plan: %s", p.Title)
	}
	s.list("pending a")
	if p := s.plan("p1"); p.Title != "Ship the parser" {
		t.Errorf("the plan is called %s", p.Title)
	}
	if n := s.list("pending a"); n != 0 {
		t.Errorf("the same again is %d edits", n)
	}
}

func TestCase84StatusesMove(t *testing.T) {
	s := newSession(t)
	s.list("pending a", "pending b")
	s.list("completed a", "in_progress b")
	s.want("t1 done a", "t2 doing b")
	a, b := s.task("t1"), s.task("t2")
	if a.Finished == nil || a.Started != nil || b.Started == nil || b.Finished != nil {
		t.Errorf("stamps: a %v %v, b %v %v", a.Started, a.Finished, b.Started, b.Finished)
	}
}

func TestCase85AStepGoneIsDropped(t *testing.T) {
	s := newSession(t)
	s.list("pending a", "pending b")
	s.list("pending b")
	s.want("t1 dropped a", "t2 todo b")
}

func TestCase86And87EqualTexts(t *testing.T) {
	s := newSession(t)
	s.list("pending x", "pending x")
	s.list("completed x", "pending x")
	s.want("t1 done x", "t2 todo x")
	s.list("completed x")
	s.want("t1 done x", "t2 dropped x")
}

func TestCase88And89AnEmptyList(t *testing.T) {
	s := newSession(t)
	s.list("completed a")
	if n := s.list(); n != 0 {
		t.Errorf("clearing a finished list is %d edits", n)
	}
	s.list("completed a", "in_progress b")
	s.list()
	s.want("t1 done a", "t2 dropped b")
	if n := s.list(); n != 0 {
		t.Errorf("clearing it again is %d edits", n)
	}
}

func TestCase90ADroppedStepIsRevived(t *testing.T) {
	s := newSession(t)
	s.list("pending a", "pending b")
	s.list("pending b")
	s.list("pending a", "pending b")
	s.want("t1 todo a", "t2 todo b")
}

func TestCase91Priorities(t *testing.T) {
	s := newSession(t)
	s.say(translate.Update{List: []translate.Entry{{Text: "a", Priority: "high"}, {Text: "b", Priority: "low"},
		{Text: "c", Priority: "medium"}, {Text: "d"}, {Text: "e", Priority: "urgent"}}})
	s.say(translate.Update{List: []translate.Entry{{Text: "a", Priority: "_soon"}, {Text: "b"},
		{Text: "c", Priority: "high"}, {Text: "d"}, {Text: "e"}}})
	for id, want := range map[string]records.Priority{"t1": "high", "t2": "low", "t3": "high", "t4": "", "t5": ""} {
		if got := s.task(id).Priority; got != want {
			t.Errorf("%s has priority %q, not %q", id, got, want)
		}
	}
}

func TestCase92To96OneChange(t *testing.T) {
	s := newSession(t)
	s.change(translate.Change{ID: "7", Text: "c"})
	s.want("t1 todo c")
	if got := *s.task("t1").Source; got != (records.Source{Tool: "TaskUpdate", ID: "7"}) {
		t.Errorf("source is %+v", got)
	}
	s.change(translate.Change{ID: "7", Status: "in_progress"})
	s.want("t1 doing c")
	s.change(translate.Change{ID: "7", Text: "c2"})
	s.want("t1 doing c2")
	_, err := s.try(translate.Update{Tool: "TaskUpdate", Change: &translate.Change{ID: "8", Status: "completed"}})
	var refused *records.Refusal
	if !errors.As(err, &refused) || refused.Text != "text must be a non-empty string." {
		t.Errorf("95: %v", err)
	}
	s.want("t1 doing c2")
	s.change(translate.Change{ID: "7", Status: "deleted"})
	s.want("t1 dropped c2")
}

func TestCase97TheNextTurnWritesTheSamePlan(t *testing.T) {
	s := newSession(t)
	s.list("pending a")
	s.say(translate.Update{Session: "ahp-session:/one", List: list("completed a", "pending b")})
	s.want("t1 done a", "t2 todo b")
	if p := s.task("t2").Plan; p != "p1" {
		t.Errorf("t2 is of %s", p)
	}
}
