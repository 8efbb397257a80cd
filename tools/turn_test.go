package tools_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

func TestReportTurn(t *testing.T) {
	h := newHarness(t, nil)
	report := func(session, folder, turn string) {
		t.Helper()
		if err := h.store.ReportTurn(t.Context(), session, folder, turn); err != nil {
			t.Fatal(err)
		}
	}
	last := func(folder, want string) {
		t.Helper()
		if got, err := h.store.LastSession(folder); err != nil || got != want {
			t.Errorf("the last session in %q is %q, %v, not %q", folder, got, err, want)
		}
	}
	session := func(want tools.Session) {
		t.Helper()
		if got, err := h.store.Session(want.Session); err != nil || got != want {
			t.Errorf("the session is %+v, %v, not %+v", got, err, want)
		}
	}
	last("/w", "")
	report("ahp-session:/one", "/w", "t1")
	last("/w", "one")
	session(tools.Session{Session: "ahp-session:/one", Folder: "/w", Turn: "t1"})
	report("two", "/w", "t2")
	report("ahp-session:/one", "", "")
	last("/w", "two")
	session(tools.Session{Session: "ahp-session:/one", Folder: "/w"})
	if err := h.store.ReportSession(t.Context(), tools.Session{Session: "two", Title: "T", Ended: true}); err != nil {
		t.Fatal(err)
	}
	session(tools.Session{Session: "two", Folder: "/w", Turn: "t2", Title: "T", Ended: true})
	report("two", "/w", "t3")
	session(tools.Session{Session: "two", Folder: "/w", Turn: "t3", Title: "T"})
	if err := h.store.ReportTurn(t.Context(), "", "/w", "t"); err == nil {
		t.Error("a turn of no session is taken")
	}
}
