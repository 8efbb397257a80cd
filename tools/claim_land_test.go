package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// claimedLanding is a list whose task w1 has claimed for half an hour, and a clone
// that has it so.
func claimedLanding(t *testing.T) (*tools.Store, *pusher, *toolstest.Clock) {
	t.Helper()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	return s, newPusher(t, s.Dir()), clock
}

// rewrite changes the file of t1 in the clone, as eva.
func (p *pusher) rewrite(old, now string) {
	p.t.Helper()
	text := repotest.Git(p.t, p.clone, "show", "HEAD:tasks/t1.md") + "\n"
	next := strings.Replace(text, old, now, 1)
	if next == text {
		p.t.Fatalf("%q is not in\n%s", old, text)
	}
	p.commit("eva", "tasks/t1.md", next)
}

// walked gives the branch itself, oldest first: author, subject, who lost what.
func walked(t *testing.T, s *tools.Store, from string) string {
	t.Helper()
	return repotest.Git(t, s.Dir(), "log", "--first-parent", "--reverse", "--format=%an|%s|%(trailers:key=Tool,key=Reclaimed,separator=;)", from+"..refs/heads/main")
}

// TestQueueAPushTakesBackFirst: who pushes a change of a task whose claim is over, to
// whatever ref and from whatever base, leaves the reclaim ahead of it, in one move.
func TestQueueAPushTakesBackFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ref, meanwhile string
		old, now       string
		status         records.Status
		follows        string // the subject behind the merge, "" for none
	}{
		"straight":       {toMain, "", "title: A", "title: B", records.Todo, ""},
		"for":            {toFor, "", "title: A", "title: B", records.Todo, ""},
		"moved":          {toFor, `{"title":"Other"}`, "title: A", "title: B", records.Todo, ""},
		"done":           {toMain, "", "status: doing", "status: done", records.Done, "eva|t1 done: A|Tool: follow-up"},
		"done and moved": {toFor, `{"title":"Other"}`, "status: doing", "status: done", records.Done, "eva|t1 done: A|Tool: follow-up"},
		"given up":       {toMain, "", "status: doing", "status: todo", records.Todo, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p, clock := claimedLanding(t)
			base := repotest.Git(t, s.Dir(), "rev-parse", "main")
			p.rewrite(c.old, c.now)
			want := ""
			if c.meanwhile != "" {
				worker(t, s, "2", "task_add", c.meanwhile)
				want = "w2|t2 add: Other|Tool: task_add\n"
			}
			clock.Pass(30 * time.Minute)
			l := p.landing(c.ref)
			if err := s.Judge(l); err != nil {
				t.Fatal(err)
			}
			landed, err := s.Land(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			task := "A"
			if strings.HasPrefix(c.now, "title") {
				task = "B"
			}
			want += "eva|t1 reclaim: A|Tool: push;Reclaimed: ahp-session:/s1 lease\neva|t1 merge: " + task + "|Tool: push"
			if c.old == "status: doing" && c.status == records.Todo {
				want = strings.Replace(want, "t1 merge: A", "merge", 1)
			}
			if c.follows != "" {
				want += "\n" + c.follows
			}
			if got := walked(t, s, base); got != want {
				t.Errorf("the branch is\n%s\nwant\n%s", got, want)
			}
			if !strings.Contains(strings.Join(landed.Said, "\n"), "t1 reclaim: A") {
				t.Errorf("the pusher is told %q", landed.Said)
			}
			book, _, err := s.Book()
			if err != nil {
				t.Fatal(err)
			}
			got, _ := book.Task("t1")
			if got.Status != c.status || got.Title != task || got.Lease != nil {
				t.Errorf("the task is %+v", got)
			}
			if report, err := s.Check(t.Context()); err != nil || len(report.Problems) > 0 || strings.Contains(strings.Join(report.Notes, "\n"), "held") {
				t.Errorf("history says %+v, %v", report, err)
			}
		})
	}
}

// TestQueueAPushIsHeldToWhatIsSo: whose a task is says the branch that the push comes
// to, not the one that it was made on.
func TestQueueAPushIsHeldToWhatIsSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(t *testing.T, s *tools.Store)
		lands     bool
	}{
		"released": {func(t *testing.T, s *tools.Store) { worker(t, s, "1", "task_release", `{"task":"t1"}`) }, true},
		"done":     {func(t *testing.T, s *tools.Store) { worker(t, s, "1", "task_set", `{"task":"t1","status":"done"}`) }, true},
		"claimed by another": {func(t *testing.T, s *tools.Store) {
			worker(t, s, "1", "task_release", `{"task":"t1"}`)
			worker(t, s, "2", "task_claim", `{"task":"t1"}`)
		}, false},
		"held": {func(t *testing.T, s *tools.Store) { worker(t, s, "1", "task_add", `{"title":"Other"}`) }, false},
		"its session is gone": {func(t *testing.T, s *tools.Store) {
			worker(t, s, "1", "task_add", `{"title":"Other"}`)
			if err := s.ReportSession(t.Context(), tools.Session{Session: "ahp-session:/s1", Ended: true}); err != nil {
				t.Error(err)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p, _ := claimedLanding(t)
			p.rewrite("title: A", "title: B")
			c.meanwhile(t, s)
			before := repotest.Git(t, s.Dir(), "rev-parse", "main")
			l := p.landing(toFor)
			err := s.Judge(l)
			if err == nil {
				_, err = s.Land(t.Context(), l)
			}
			if c.lands != (err == nil) || err != nil && !strings.Contains(err.Error(), "t1 is held by w") {
				t.Errorf("it gets %v", err)
			}
			if after := repotest.Git(t, s.Dir(), "rev-parse", "main"); (after == before) == c.lands {
				t.Errorf("the branch went from %s to %s", before, after)
			}
			if report, err := s.Check(t.Context()); err != nil || strings.Contains(strings.Join(report.Notes, "\n"), "held") {
				t.Errorf("history says %+v, %v", report, err)
			}
		})
	}
}

// TestQueueAnEditTakesBackFirst: as a push does, and where taking it back is all that
// the person did, that alone is written.
func TestQueueAnEditTakesBackFirst(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"title: B":     "eva|t1 reclaim: A|Tool: edit;Reclaimed: ahp-session:/s1 lease\neva|t1 edit: B|Tool: edit",
		"status: todo": "eva|t1 reclaim: A|Tool: edit;Reclaimed: ahp-session:/s1 lease",
		"status: done": "eva|t1 reclaim: A|Tool: edit;Reclaimed: ahp-session:/s1 lease\neva|t1 done: A|Tool: edit",
	} {
		t.Run(now, func(t *testing.T) {
			t.Parallel()
			s, _, clock := claimedLanding(t)
			file, at, err := s.File("t1")
			if err != nil {
				t.Fatal(err)
			}
			clock.Pass(30 * time.Minute)
			c, err := s.Caller(tools.Who{Person: "eva"})
			if err != nil {
				t.Fatal(err)
			}
			old := "title: A"
			if strings.HasPrefix(now, "status") {
				old = "status: doing"
			}
			text := strings.Replace(string(file.Data), old, now, 1)
			landed, err := s.Revise(t.Context(), c, at, records.File{Path: file.Path, Data: []byte(text)})
			if err != nil || landed.Commit.IsZero() {
				t.Fatalf("%+v, %v", landed, err)
			}
			if got := walked(t, s, at.String()); got != want {
				t.Errorf("the branch is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestQueueHeldIsOneKindAtEveryDoor: whatever road a change of another's task comes by,
// its refusal has one code, and names the tool that says who holds it.
func TestQueueHeldIsOneKindAtEveryDoor(t *testing.T) {
	t.Parallel()
	s, p, _ := claimedLanding(t)
	c, err := s.Caller(tools.Who{Person: "eva", Session: "two"})
	if err != nil {
		t.Fatal(err)
	}
	file, at, err := s.File("t1")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(file.Data), "title: A", "title: B", 1)
	p.rewrite("title: A", "title: B")
	pushed := p.landing(toFor)
	call := func(tool, input string) func() error {
		return func() error { _, err := tools.Call(t.Context(), s, c, tool, []byte(input)); return err }
	}
	for name, change := range map[string]func() error{
		"set":     call("task_set", `{"task":"t1","title":"B"}`),
		"claim":   call("task_claim", `{"task":"t1"}`),
		"release": call("task_release", `{"task":"t1"}`),
		"remove":  call("task_remove", `{"task":"t1"}`),
		"judge":   func() error { return s.Judge(pushed) },
		"land":    func() error { _, err := s.Land(t.Context(), pushed); return err },
		"edit": func() error {
			_, err := s.Revise(t.Context(), c, at, records.File{Path: file.Path, Data: []byte(text)})
			return err
		},
		"several": func() error {
			_, err := s.Update(t.Context(), c, "sweep", func(*records.Book) ([]tools.Step, error) {
				return []tools.Step{{Edit: records.Remove{IDs: []string{"t1"}}}}, nil
			})
			return err
		},
	} {
		err := change()
		e := tools.AsError(err)
		if err == nil || e.Code != tools.Held || e.Next != "task_get" || !strings.Contains(e.Message, "t1 is held by w1 in ahp-session:/s1") {
			t.Errorf("%s gets %+v", name, e)
		}
	}
}
