package tools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
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
		if err := s.ReportSession(t.Context(), report); err != nil {
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
		if err := s.ReportSession(t.Context(), tools.Session{Session: blank, Owner: "x"}); err == nil {
			t.Errorf("a report about %q was taken", blank)
		}
	}
	for _, hostile := range []string{"../../../etc/passwd", "a/b\x00c", "é\n"} {
		if err := s.ReportSession(t.Context(), tools.Session{Session: hostile, Owner: "eve"}); err != nil {
			t.Errorf("%q: %v", hostile, err)
		}
		if c, err := s.Caller(tools.Who{Session: hostile}); c.By() != "eve" || err != nil {
			t.Errorf("%q is owned by %q, %v", hostile, c.By(), err)
		}
	}
}

// TestBrokenSessions: what is left of a session's file after a power cut stops
// no call, and the next report mends it; reports at the same time all stand.
func TestBrokenSessions(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	var reports sync.WaitGroup
	for _, report := range []tools.Session{{Session: "one", Owner: "user:bob"}, {Session: "one", Title: "Work"}} {
		reports.Go(func() {
			if err := s.ReportSession(t.Context(), report); err != nil {
				t.Error(err)
			}
		})
	}
	reports.Wait()
	if got, err := s.Session("one"); got != (tools.Session{Session: "one", Owner: "user:bob", Title: "Work"}) || err != nil {
		t.Errorf("two reports at once left %+v, %v", got, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "git-tasks", "sessions", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of one session: %q, %v", files, err)
	}
	for _, left := range []string{"", "\x00\x00\x00", "{\"owner\":"} {
		if err := os.WriteFile(files[0], []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Caller(tools.Who{Session: "one"}); c.By() != "host" || err != nil {
			t.Errorf("with %q left, the call is by %q, %v", left, c.By(), err)
		}
		if err := s.ReportSession(t.Context(), tools.Session{Session: "one", Owner: "cid"}); err != nil {
			t.Error(err)
		}
		if c, err := s.Caller(tools.Who{Session: "one"}); c.By() != "cid" || err != nil {
			t.Errorf("after the next report the call is by %q, %v", c.By(), err)
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
		if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_list", `{"by":`+quoted(caller.By())+`}`); got.Code != "" || got.Text == "No tasks match." {
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
