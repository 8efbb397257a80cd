package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

const mainRef = "refs/heads/main"

// checked is a list whose check the test looks at itself.
type checked struct {
	*testing.T
	dir   string
	store *tools.Store
}

func newChecked(t *testing.T) *checked {
	t.Helper()
	dir := repotest.New(t)
	now := time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)
	s, err := tools.Open(tools.Config{Path: dir, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &checked{t, dir, s}
}

func (c *checked) call(by, tool, input string) string {
	c.Helper()
	caller, err := c.store.Caller(tools.Who{Person: by})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := tools.Call(c.Context(), c.store, caller, tool, json.RawMessage(input))
	if err != nil {
		c.Fatal(err)
	}
	return answer.Text
}

// put commits a file as another program does; "" removes it.
func (c *checked) put(by, path, text string) {
	c.Helper()
	var data []byte
	if text != "" {
		data = []byte(text)
	}
	repotest.Foreign(c, c.dir, mainRef, by, "by hand", repo.File{Path: path, Data: data})
}

func (c *checked) file(path string) string {
	c.Helper()
	return repotest.Git(c, c.dir, "show", "main:"+path) + "\n"
}

// found holds the check to exactly these, each a part of its line.
func (c *checked) found(what string, got []string, want ...string) {
	c.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.Contains(got[i], want[i])
	}
	if !ok {
		c.Errorf("%s:\n  %s\nwant:\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (c *checked) check(problems, notes []string) {
	c.Helper()
	report, err := c.store.Check(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	c.found("problems", report.Problems, problems...)
	c.found("notes", report.Notes, notes...)
}

func TestCheckOfAPlainLife(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.check(nil, nil)
	c.call("ana", "plan_create", `{"title":"P","scope":{"kind":"bot","bot":"pilot"}}`)
	c.call("ana", "task_add", `{"title":"a: b","plan":"p1"}`)
	c.call("bob", "task_approve", `{"task":"t1"}`)
	c.call("cid", "task_set", `{"task":"t1","status":"done"}`)
	c.call("ana", "task_review", `{"task":"t1"}`)
	c.check(nil, nil)
}

func TestCheckNamesUnreadableAndMended(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	good := c.file("tasks/t1.md")
	c.put("bob", "tasks/t1.md", strings.Replace(good, "title: a", "title: a: b", 1))
	c.check([]string{"tasks/t1.md:3: "}, nil)
	c.put("bob", "tasks/t1.md", strings.Replace(good, "title: a", `title: "a: b"`, 1))
	c.check(nil, []string{"left tasks/t1.md unreadable; mended by commit "})
}

func TestCheckNamesForgedStamps(t *testing.T) {
	t.Parallel()
	stamp := func(by string) string {
		return fmt.Sprintf("approved:\n  at: 2026-10-18T10:00:00.000Z\n  by: %s\n---\n", by)
	}
	for name, test := range map[string]struct {
		edit            func(string) string
		problems, notes []string
	}{
		"another's approval": {func(s string) string { return strings.TrimSuffix(s, "---\n") + stamp("bob") },
			[]string{"tasks/t1.md: approved says by bob, the commit is by eve"}, nil},
		"one's own approval": {func(s string) string { return strings.TrimSuffix(s, "---\n") + stamp("eve") },
			nil, []string{"tasks/t1.md: approved was written by hand"}},
		"creation moved back": {func(s string) string { return strings.Replace(s, "at: 2026", "at: 2025", 1) },
			[]string{"tasks/t1.md: created says by ana, the commit is by eve"}, nil},
		"creation taken out": {func(s string) string { return s[:strings.Index(s, "created:")] + "---\n" },
			[]string{"tasks/t1.md: created was taken out"}, nil},
		"another line": {func(s string) string { return strings.Replace(s, "title: a", "title: b", 1) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChecked(t)
			c.call("ana", "task_add", `{"title":"a"}`)
			c.put("eve", "tasks/t1.md", test.edit(c.file("tasks/t1.md")))
			c.check(test.problems, test.notes)
		})
	}
}

// TestCheckNamesAStampThatIsOwed borrows the door's name for a move without its
// stamp.
func TestCheckNamesAStampThatIsOwed(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	clone := t.TempDir()
	repotest.Git(t, clone, "clone", "-q", c.dir, ".")
	moved := strings.Replace(c.file("tasks/t1.md"), "status: todo", "status: done", 1)
	if err := os.WriteFile(filepath.Join(clone, "tasks", "t1.md"), []byte(moved), 0o644); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "-c", "committer.name=git-tasks", "commit", "-q", "-am", "t1 done: a\n\nTool: task_set")
	env := append(repotest.Env(t), "GIT_COMMITTER_NAME=git-tasks")
	if _, err := repotest.Run(clone, env, "", "git", "commit", "-q", "--amend", "--no-edit"); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "push", "-q", "origin", "main")
	c.check([]string{"tasks/t1.md: finished is missing"}, nil)
}

func TestCheckNamesAnIDThatIsUsedTwice(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	file := c.file("tasks/t1.md")
	c.put("bob", "tasks/t1.md", "")
	c.put("bob", "tasks/t1.md", file)
	c.check(nil, []string{"t1 was removed", "t1 came back"})
	c.put("bob", "tasks/t1.md", "")
	c.put("bob", "tasks/t1.md", "---\nid: t1\ntitle: another\nstatus: todo\n---\n")
	c.check([]string{"t1 is used a second time"}, []string{"t1 was removed", "t1 came back", "t1 was removed"})
}

func TestCheckNamesWhatWasTakenOut(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.call("ana", "task_add", `{"title":"b"}`)
	repotest.Foreign(t, c.dir, mainRef, "bob", "tidy", repo.File{Path: "tasks/t1.md"},
		repo.File{Path: "archive/t1.md", Data: []byte(c.file("tasks/t1.md"))}, repo.File{Path: "tasks/t2.md"},
		repo.File{Path: "tasks/misplaced/t2.md", Data: []byte(c.file("tasks/t2.md"))})
	c.check(nil, []string{"tasks/misplaced/t2.md", "t1 was removed; it lies at archive/t1.md, where no list looks"})
}

// TestDraftsAreTheirMakers merges a clone: the draft is minted as who made it,
// not as who edited it or merged it.
func TestDraftsAreTheirMakers(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	clone := t.TempDir()
	repotest.Git(t, clone, "clone", "-q", c.dir, ".")
	commit := func(by string, args ...string) {
		repotest.Git(t, clone, append([]string{"-c", "user.name=" + by, "-c", "user.email=" + by + "@example.org"}, args...)...)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(clone, "tasks", "fix.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		repotest.Git(t, clone, "add", ".")
	}
	write("---\ntitle: fix\n---\n")
	commit("cid", "commit", "-q", "-m", "a draft", "--author=cid <cid@example.org>")
	write("---\ntitle: fix it\n---\n")
	commit("dan", "commit", "-q", "-m", "say it better", "--author=dan <dan@example.org>")
	c.put("eve", "notes.md", "beside\n")
	repotest.Git(t, clone, "pull", "-q", "--no-rebase", "--no-edit")
	repotest.Git(t, clone, "push", "-q", "origin", "main")
	c.call("ana", "task_add", `{"title":"next"}`)
	if got := repotest.Git(t, c.dir, "log", "-2", "--format=%an %s", "main"); got != "ana t3 add: next\ncid t2 id: fix it" {
		t.Errorf("log:\n%s", got)
	}
}

func TestCheckFollowsADraftAndAMerge(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	clone := t.TempDir()
	repotest.Git(t, clone, "clone", "-q", c.dir, ".")
	repotest.Git(t, clone, "commit", "-q", "--allow-empty", "-m", "mine")
	c.call("bob", "task_approve", `{"task":"t1"}`)
	repotest.Git(t, clone, "pull", "-q", "--no-rebase", "--no-edit")
	repotest.Git(t, clone, "push", "-q", "origin", "main")
	c.put("eve", "tasks/fix.md", "---\ntitle: fix\n---\n")
	c.check(nil, []string{"tasks/fix.md: a draft that waits for its id"})
	if got := c.call("ana", "task_add", `{"title":"next"}`); got != "t3 todo medium next" {
		t.Errorf("next to the draft: %s", got)
	}
	c.check(nil, nil)
	if got := repotest.Git(t, c.dir, "log", "-2", "--format=%an %s", "main"); got != "ana t3 add: next\neve t2 id: fix" {
		t.Errorf("log:\n%s", got)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.call("bob", "task_add", `{"title":"b"}`)
	c.call("bob", "task_set", `{"task":"t1","status":"doing"}`)
	c.put("eve", "tasks/t1.md", "")
	for id, want := range map[string]string{
		"t1": "eve by hand; bob t1 doing: a task_set; ana t1 add: a task_add", "t9": "",
		"": "eve by hand; bob t1 doing: a task_set; bob t2 add: b task_add; ana t1 add: a task_add",
	} {
		events, err := c.store.History(id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range events {
			got = append(got, strings.TrimSpace(e.By+" "+e.What+" "+e.Tool))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("history of %q: %s", id, strings.Join(got, "; "))
		}
	}
}

// TestP21WhatIsTheHostsIsPutBack moves a task by hand and approves it as well: the
// move is stamped, the approval undone by whoever writes next, who says so.
func TestP21WhatIsTheHostsIsPutBack(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.put("bob", "tasks/t1.md", strings.Replace(c.file("tasks/t1.md"), "status: todo\n", "status: doing\napproved: {at: 2026-10-18, by: cleo}\n", 1))
	c.check([]string{"tasks/t1.md: approved says by cleo"}, nil)
	c.call("ana", "task_add", `{"title":"next"}`)
	if got := strings.TrimSpace(repotest.Git(t, c.dir, "log", "-1", "--format=%an %s%n%b", "main^")); got != "bob t1 doing: a\ntook approved out of t1: no tool wrote it\n\nTool: follow-up" {
		t.Errorf("log:\n%s", got)
	}
	if file := c.file("tasks/t1.md"); strings.Contains(file, "approved") || !strings.Contains(file, "started:\n  at: ") || !strings.Contains(file, "by: bob") {
		t.Errorf("t1 is\n%s", file)
	}
	c.check(nil, []string{"approved says by cleo, the commit is by bob; mended since"})
}

// TestCheckAsksTheGate: what came onto the branch past the gate is named as the gate
// would have said it, where nothing else names it; what a push brings that the gate
// takes is not.
func TestCheckAsksTheGate(t *testing.T) {
	t.Parallel()
	c := newProven(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.call("bob", "task_set", `{"task":"t1","status":"doing"}`)
	c.put("eve", "tasks/t1.md", strings.Replace(c.file("tasks/t1.md"), "created:", "owner: eve\ncreated:", 1)+"\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n")
	c.put("eve", "tasks/50/t5000.md", "---\nid: t5000\ntitle: far\nstatus: todo\n---\n")
	c.put("eve", "tasks/t1.md", strings.Replace(c.file("tasks/t1.md"), "\n<<<<<<< ours", "", 1))
	const came = "came past the gate, which says: "
	c.check(nil, []string{came + "tasks/50/t5000.md: ", came + "tasks/t1.md:8: owner is the host's while the task is doing: task_claim writes it"})
	c.call("ana", "task_add", `{"title":"next"}`)
	p := newPusher(t, c.dir)
	p.commit("zoe", "tasks/fix.md", "---\ntitle: fix\n---\n", "tasks/50/t5000.md", strings.Replace(c.file("tasks/50/t5000.md"), "title: far", "title: near", 1))
	for _, ref := range []string{toMain, toFor} {
		if _, err := p.land(c.store, ref); err != nil {
			t.Fatal(err)
		}
		c.call("ana", "task_add", `{"title":"and next"}`)
		p.commit("zoe", "tasks/mine.md", "---\ntitle: mine\n---\n")
	}
	c.check(nil, []string{came + "tasks/50/t5000.md: ", came + "tasks/t1.md:8: owner"})
}
