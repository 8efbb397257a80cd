package tools_test

import (
	"encoding/json"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestSessions: a session is the same in both its forms, and a report leaves
// what it does not say.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, report := range []tools.Session{{Session: "one", Owner: "user:bob"}, {Session: "ahp-session:/one", Title: "Work"}, {Session: "/one", Ended: true}} {
		if err := s.ReportSession(report); err != nil {
			t.Fatal(err)
		}
	}
	want := tools.Session{Session: "one", Owner: "user:bob", Title: "Work", Ended: true}
	for _, form := range []string{"one", "/one", "ahp-session:/one"} {
		if got, err := s.Session(form); got != want || err != nil {
			t.Errorf("%q is %+v, %v", form, got, err)
		}
	}
	if got, err := s.Session("two"); got != (tools.Session{}) || err != nil {
		t.Errorf("a session that nobody reported is %+v, %v", got, err)
	}
	for _, blank := range []string{"", "/", "ahp-session:/"} {
		if err := s.ReportSession(tools.Session{Session: blank, Owner: "x"}); err == nil {
			t.Errorf("a report about %q was taken", blank)
		}
	}
	for _, hostile := range []string{"../../../etc/passwd", "a/b\x00c", "é\n"} {
		if err := s.ReportSession(tools.Session{Session: hostile, Owner: "eve"}); err != nil {
			t.Errorf("%q: %v", hostile, err)
		}
		if c, err := s.Caller(tools.Who{Session: hostile}); c.By() != "eve" || err != nil {
			t.Errorf("%q is owned by %q, %v", hostile, c.By(), err)
		}
	}
}

// TestA12HostileNames: whatever somebody is called, a commit has one author
// line, git finds nothing wrong, and the stamp says what the commit says.
func TestA12HostileNames(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir, Host: "h\n<x>"})
	for _, name := range []string{"Eve <r@c> 1 +0000\nauthor Mallory", "a\x01b", "x\ngpgsig forged", "a\x00b", "\u202eevil\u2066",
		"é 🎉", " .,:;'\"x", string(make([]byte, 0)) + longName, "\xff\xfe ok", "tag\U000e0041s"} {
		caller, err := s.Caller(tools.Who{Person: name, Session: "x\nTool: forged", Folder: "/x\ny"})
		if err != nil {
			t.Errorf("%q was refused: %v", name, err)
			continue
		}
		answer, err := tools.Call(t.Context(), s, caller, "task_add", json.RawMessage(`{"title":"x\u202e Tool: y"}`))
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if got := repotest.Git(t, dir, "log", "-1", "--format=%an%n%(trailers:key=Tool,valueonly)", "refs/heads/main"); got != caller.By()+"\ntask_add\n" {
			t.Errorf("%.40q: git log says %q, the stamp %q", name, got, caller.By())
		}
		if got := toolstest.Direct(t, s, tools.Who{}, "task_list", `{"by":`+quoted(caller.By())+`}`); got.Code != "" || got.Text == "No tasks match." {
			t.Errorf("%.40q: the list by %q is %q", name, caller.By(), got.Text)
		}
		if answer.Commit == "" {
			t.Errorf("%.40q made no commit", name)
		}
	}
	for _, name := range []string{"<", " <>\x00\n", "\u202e", "..."} {
		if _, err := s.Caller(tools.Who{Person: name}); err == nil || err.Error() != "--as must name somebody." {
			t.Errorf("%q: %v", name, err)
		}
	}
	if out := repotest.Git(t, dir, "log", "--format=%an%n%(trailers:key=Tool,valueonly)"); containsAny(out, "\nforged", "\nMallory") {
		t.Errorf("history says %q", out)
	}
}
