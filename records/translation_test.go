package records_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

func text(s string) *string { return &s }

func TestTranslation(t *testing.T) {
	t.Parallel()
	b := records.NewBook(fstest.MapFS{})
	mark := records.Mark{By: "ana", At: time.Unix(0, 0)}
	rules := records.Rules{RequireApproval: true}
	made := records.Translation{
		records.AddPlan{Title: "P", Scope: records.Scope{Kind: records.SessionScope, Session: "ahp-session:/one"}},
		records.AddTask{Fields: records.Fields{Title: text("a"), Plan: text("p1")}, Source: &records.Source{Tool: "TodoWrite"}},
		records.SetTask{Task: "t1", Fields: records.Fields{Status: text("doing")}},
		records.SetTask{Task: "t1", Fields: records.Fields{Status: text("doing")}},
	}
	o, err := b.Apply(made, mark, rules)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range o.Files {
		paths = append(paths, f.Path)
	}
	if got := strings.Join(append(o.IDs, paths...), " "); got != "p1 t1 plans/p1.md tasks/t1.md" || o.What != "translate" {
		t.Errorf("%s of %s", o.What, got)
	}
	task, err := o.Book.Task("t1")
	if err != nil || task.Status != records.Doing || *task.Source != (records.Source{Tool: "TodoWrite"}) {
		t.Errorf("t1 is %+v, %v", task, err)
	}
	plan, err := o.Book.PlanOfSession("one")
	if err != nil || plan == nil || plan.ID != "p1" {
		t.Errorf("the plan of the session is %+v, %v", plan, err)
	}
	again, err := o.Book.Apply(made[3:], mark, rules)
	if err != nil || again.Book != o.Book || len(again.Files) > 0 || again.What != "" {
		t.Errorf("the same again is %+v, %v", again, err)
	}
	var refused *records.Refusal
	if _, err := o.Book.Apply(append(made, records.SetTask{Task: "t9"}), mark, rules); !errors.As(err, &refused) {
		t.Errorf("an edit of nothing: %v", err)
	}
}

func TestPlanOfSession(t *testing.T) {
	t.Parallel()
	plan := func(id, session string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\nid: " + id + "\nscope:\n  kind: session\n  session: " + session + "\ntitle: P\nstatus: draft\n---\n")}
	}
	b := records.NewBook(fstest.MapFS{"plans/p2.md": plan("p2", "one"), "plans/p3.md": plan("p3", `"ahp-session:/one"`),
		"plans/p4.md": plan("p4", "one/two")})
	for session, want := range map[string]string{"one": "p2", "ahp-session:/one": "p2", "one/two": "p4", "three": "", "": ""} {
		p, err := b.PlanOfSession(session)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if p != nil {
			got = p.ID
		}
		if got != want {
			t.Errorf("the plan of %q is %q, not %q", session, got, want)
		}
	}
}

func TestACutTitleFits(t *testing.T) {
	t.Parallel()
	b := records.NewBook(fstest.MapFS{})
	for title, fits := range map[string]bool{
		strings.Repeat("x", 256) + records.Cut: true,
		strings.Repeat("x", 257):               false,
		strings.Repeat("x", 257) + records.Cut: false,
	} {
		if _, err := b.Apply(records.AddTask{Fields: records.Fields{Title: &title}}, records.Mark{}, records.Rules{}); (err == nil) != fits {
			t.Errorf("a title of %d bytes: %v", len(title), err)
		}
	}
}
