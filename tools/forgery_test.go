package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// forged is a list with a key: t1 todo and not approved, t2 approved by bob, t3
// doing under bob, and a clone of it for eve.
type forged struct {
	*checked
	clone string
}

func (c *forged) git(args ...string) string {
	c.Helper()
	env := append(repotest.Env(c), "GIT_AUTHOR_NAME=eve", "GIT_COMMITTER_NAME=eve")
	out, err := repotest.Run(c.clone, env, "", "git", args...)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

// edit changes a file of the clone and gives its old text.
func (c *forged) edit(path string, change func(string) string) {
	c.Helper()
	file := filepath.Join(c.clone, path)
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		c.Fatal(err)
	}
	text := change(string(data))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.Fatal(err)
	}
	if text == "" {
		err = os.Remove(file)
	} else {
		err = os.WriteFile(file, []byte(text), 0o644)
	}
	if err != nil {
		c.Fatal(err)
	}
	c.git("add", "-A", ".")
}

// commit commits what was edited, as the door names itself where door says so.
func (c *forged) commit(door bool, args ...string) {
	c.Helper()
	env := append(repotest.Env(c), "GIT_AUTHOR_NAME=eve", "GIT_COMMITTER_NAME=eve")
	if door {
		env = append(env, "GIT_AUTHOR_NAME=bob", "GIT_COMMITTER_NAME=git-tasks", "GIT_COMMITTER_EMAIL=git-tasks@localhost",
			"GIT_AUTHOR_DATE=2026-10-18T10:00:00Z", "GIT_COMMITTER_DATE=2026-10-18T10:00:00Z")
	}
	args = append([]string{"commit", "-q", "-m", "t1 approved: a\n\nTool: task_approve"}, args...)
	if _, err := repotest.Run(c.clone, env, "", "git", args...); err != nil {
		c.Fatal(err)
	}
}

// rewrite replaces the clone's commit by another text of it.
func (c *forged) rewrite(change func(string) string) {
	c.Helper()
	raw := change(c.git("cat-file", "commit", "HEAD") + "\n")
	id, err := repotest.TryGit(c, c.clone, raw, "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		c.Fatal(err)
	}
	c.git("reset", "-q", "--hard", id)
}

// borrowSignature gives the commit the signature of the one that the host made last.
func (c *forged) borrowSignature() {
	head, _, _ := strings.Cut(c.git("cat-file", "commit", "origin/main"), "\n\n")
	_, signature, _ := strings.Cut(head, "\ngpgsig ")
	c.rewrite(func(raw string) string {
		head, message, _ := strings.Cut(raw, "\n\n")
		return head + "\ngpgsig " + signature + "\n\n" + message
	})
}

func (c *forged) sign() { c.signWith(eve(c.T)) }

// signWith has git sign the commit with a key.
func (c *forged) signWith(key forger) {
	c.Helper()
	env := append(repotest.Env(c), "GIT_COMMITTER_NAME=git-tasks", "GIT_COMMITTER_EMAIL=git-tasks@localhost")
	if _, err := repotest.Run(c.clone, env, "", "git", "-c", "gpg.format=ssh", "-c",
		"user.signingKey="+filepath.Join(key.repo.Dir(), "git-tasks", "key"), "commit", "-q", "--amend", "--no-edit", "-S"); err != nil {
		c.Fatal(err)
	}
}

// land moves the branch to the clone's, as whoever owns the files can.
func (c *forged) land() {
	c.Helper()
	repotest.Git(c, c.dir, "fetch", "-q", c.clone, "+HEAD:refs/heads/theirs")
	repotest.Git(c, c.dir, "update-ref", mainRef, "refs/heads/theirs")
}

func newForged(t *testing.T) *forged {
	t.Helper()
	c := &forged{newProven(t), t.TempDir()}
	for _, title := range []string{"a", "b", "c"} {
		c.call("ana", "task_add", `{"title":"`+title+`"}`)
	}
	c.call("bob", "task_approve", `{"task":"t2"}`)
	c.call("bob", "task_set", `{"task":"t3","status":"doing"}`)
	repotest.Git(t, c.clone, "clone", "-q", c.dir, ".")
	return c
}

// TestP21Forgeries puts or changes a stamp, an author, an id, a lease, the key or
// .highest in every way that somebody with a clone, or with the files, could think
// of. Whatever gets onto the branch counts for nothing, is named by check, and is
// put back by the next change; the gate refuses what a push can carry.
func TestP21Forgeries(t *testing.T) {
	t.Parallel()
	for _, f := range forgeries {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			c := newForged(t)
			f.do(c)
			c.judge(f.push)
			c.land()
			c.reopen()
			c.withoutEffect("before the next change", strings.HasPrefix(f.name, rewind))
			report, err := c.store.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Problems)+len(report.Notes)+len(report.Proof.Unproven) == 0 {
				t.Error("check names nothing")
			}
			if got := c.refused("eve", "task_set", `{"task":"t1","status":"doing"}`); !strings.Contains(got, "approved") && !strings.Contains(got, "must match") {
				t.Errorf("a move to doing: %s", got)
			}
			c.call("ana", "task_add", `{"title":"next"}`)
			c.reopen()
			c.withoutEffect("after the next change", strings.HasPrefix(f.name, rewind))
		})
	}
}

// judge holds a push to the gate.
func (c *forged) judge(want string) {
	c.Helper()
	if want == "" {
		return
	}
	repotest.Git(c, c.dir, "fetch", "-q", c.clone, "+HEAD:refs/heads/theirs")
	r := repotest.Open(c, c.dir, repo.Options{})
	theirs := repotest.Open(c, c.dir, repo.Options{Branch: "theirs"})
	old, err := r.Tip()
	if err != nil {
		c.Fatal(err)
	}
	next, err := theirs.Tip()
	if err != nil {
		c.Fatal(err)
	}
	paths, err := next.Changed(old.ID())
	if err != nil {
		c.Fatal(err)
	}
	faults, err := records.CheckPush(records.NewBook(old.FS()), records.NewBook(next.FS()), paths,
		records.Push{By: "eve", At: time.Date(2026, 10, 18, 11, 0, 0, 0, time.UTC)})
	if err != nil {
		c.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	if !strings.Contains(strings.Join(got, "\n"), want) {
		c.Errorf("the gate says %q, want %q", got, want)
	}
}

// withoutEffect holds the list to what was true before the forgery: nobody but t2
// is approved, and what bob and ana did stays theirs.
func (c *forged) withoutEffect(when string, rewound bool) {
	c.Helper()
	if got := c.call("ana", "task_list", `{"approved":true}`); !(rewound && got == "No tasks match.") && got != "t2 todo medium b" && !strings.HasPrefix(got, "t2 todo medium b\n") {
		c.Errorf("%s, approved: %q", when, got)
	}
	if got := c.call("ana", "task_list", `{"by":"eve"}`); strings.HasPrefix(got, "t") {
		c.Errorf("%s, by eve: %q", when, got)
	}
	book, _, err := c.store.Book()
	if err != nil {
		c.Fatal(err)
	}
	task, err := book.Task("t3")
	if err != nil {
		c.Fatal(err)
	}
	switch {
	case rewound:
	case task == nil:
		c.Errorf("%s, t3 is gone", when)
	case task.Lease != nil || task.Owner != "" || task.Finished != nil || task.Reviewed != nil || task.Started == nil || !strings.HasPrefix(task.Started.At, "2026"):
		c.Errorf("%s, t3 is %+v", when, task)
	}
	for _, id := range []string{"t1", "t2"} {
		task, err := book.Task(id)
		if err != nil {
			c.Fatal(err)
		}
		if task != nil && (task.Created == nil || task.Created.By != "ana" || task.Created.In != "" || !strings.HasPrefix(task.Created.At, "2026")) {
			c.Errorf("%s, %s was created %+v", when, id, task.Created)
		}
	}
}

// refused makes a call in a list that wants approval first, and gives the refusal.
func (c *forged) refused(by, tool, input string) string {
	c.Helper()
	s, err := tools.Open(tools.Config{Path: c.dir, Now: c.store.Now, Settings: &tools.Settings{Options: tools.Options{RequireApproval: true}}})
	if err != nil {
		c.Fatal(err)
	}
	defer s.Close()
	caller, err := s.Caller(tools.Who{Person: by})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := tools.Call(c.Context(), s, caller, tool, []byte(input))
	if err == nil {
		c.Errorf("%s was answered: %s", tool, answer.Text)
		return ""
	}
	return err.Error()
}

// TestP21ARestoreBringsNoForgery approves a task by hand, takes it out of the list,
// and has it restored.
func TestP21ARestoreBringsNoForgery(t *testing.T) {
	t.Parallel()
	c := newForged(t)
	c.edit("tasks/t1.md", approve)
	c.commit(true)
	c.edit("tasks/t1.md", text(""))
	c.commit(true)
	c.land()
	caller, err := c.store.Caller(tools.Who{Person: "ana"})
	if err == nil {
		_, err = c.store.Restore(t.Context(), caller, "t1", false)
	}
	if err != nil {
		t.Fatal(err)
	}
	if file := c.file("tasks/t1.md"); strings.Contains(file, "approved") || !strings.Contains(file, "by: ana") {
		t.Errorf("t1 came back as\n%s", file)
	}
}
