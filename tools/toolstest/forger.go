package toolstest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// Forger is eve with a clone of a list that has a key: t1 todo and not approved, t2
// approved by bob, t3 doing under bob.
type Forger struct {
	testing.TB
	Dir   string // the list
	Clone string
	// Land brings what the clone has to the list, where a forgery takes several
	// steps: past every check, or by a push, which may be refused.
	Land func() (landed bool)
}

// NewForger makes the list, in a repository that there is, and the clone.
func NewForger(t testing.TB, dir string) *Forger {
	t.Helper()
	c := &Forger{TB: t, Dir: dir, Clone: t.TempDir()}
	if _, err := c.Open(nil).Enroll(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"a", "b", "c"} {
		c.Call("ana", "task_add", `{"title":"`+title+`"}`)
	}
	c.Call("bob", "task_approve", `{"task":"t2"}`)
	c.Call("bob", "task_set", `{"task":"t3","status":"doing"}`)
	repotest.Git(t, c.Clone, "clone", "-q", dir, ".")
	return c
}

// Open opens the list as a process that starts now does, at the time at which every
// [Clock] begins.
func (c *Forger) Open(settings *tools.Settings) *tools.Store {
	c.Helper()
	return Again(c, tools.Config{Path: c.Dir, Settings: settings, Now: NewClock().Now})
}

// Call makes a call that is answered, and gives the answer.
func (c *Forger) Call(by, tool, input string) string {
	c.Helper()
	s := c.Open(nil)
	caller, err := s.Caller(tools.Who{Person: by})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := tools.Call(context.Background(), s, caller, tool, json.RawMessage(input))
	if err != nil {
		c.Fatal(err)
	}
	return answer.Text
}

// file gives a file of the list.
func (c *Forger) file(path string) string {
	c.Helper()
	return repotest.Git(c, c.Dir, "show", "main:"+path) + "\n"
}

func (c *Forger) git(args ...string) string {
	c.Helper()
	env := append(repotest.Env(c), "GIT_AUTHOR_NAME=eve", "GIT_COMMITTER_NAME=eve")
	out, err := repotest.Run(c.Clone, env, "", "git", args...)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

// edit changes a file of the clone and gives its old text.
func (c *Forger) edit(path string, change func(string) string) {
	c.Helper()
	file := filepath.Join(c.Clone, path)
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
func (c *Forger) commit(door bool, args ...string) {
	c.Helper()
	env := append(repotest.Env(c), "GIT_AUTHOR_NAME=eve", "GIT_COMMITTER_NAME=eve")
	if door {
		env = append(env, "GIT_AUTHOR_NAME=bob", "GIT_COMMITTER_NAME=git-tasks", "GIT_COMMITTER_EMAIL=git-tasks@localhost",
			"GIT_AUTHOR_DATE=2026-10-18T10:00:00Z", "GIT_COMMITTER_DATE=2026-10-18T10:00:00Z")
	}
	args = append([]string{"commit", "-q", "-m", "t1 approved: a\n\nTool: task_approve"}, args...)
	if _, err := repotest.Run(c.Clone, env, "", "git", args...); err != nil {
		c.Fatal(err)
	}
}

// rewrite replaces the clone's commit by another text of it.
func (c *Forger) rewrite(change func(string) string) {
	c.Helper()
	raw := change(c.git("cat-file", "commit", "HEAD") + "\n")
	id, err := repotest.TryGit(c, c.Clone, raw, "hash-object", "-t", "commit", "-w", "--stdin")
	if err != nil {
		c.Fatal(err)
	}
	c.git("reset", "-q", "--hard", id)
}

// borrowSignature gives the commit the signature of the one that the host made last.
func (c *Forger) borrowSignature() {
	head, _, _ := strings.Cut(c.git("cat-file", "commit", "origin/main"), "\n\n")
	_, signature, _ := strings.Cut(head, "\ngpgsig ")
	c.rewrite(func(raw string) string {
		head, message, _ := strings.Cut(raw, "\n\n")
		return head + "\ngpgsig " + signature + "\n\n" + message
	})
}

func (c *Forger) sign() { c.signWith(NewKey(c)) }

// signWith has git sign the commit with a key.
func (c *Forger) signWith(key Key) {
	c.Helper()
	env := append(repotest.Env(c), "GIT_COMMITTER_NAME=git-tasks", "GIT_COMMITTER_EMAIL=git-tasks@localhost")
	if _, err := repotest.Run(c.Clone, env, "", "git", "-c", "gpg.format=ssh", "-c",
		"user.signingKey="+key.file, "commit", "-q", "--amend", "--no-edit", "-S"); err != nil {
		c.Fatal(err)
	}
}

// Key is a key of eve's own, which no host believes.
type Key struct {
	file   string // that git signs with
	Public string // as a list of keys has it behind a name
}

// NewKey makes a key.
func NewKey(t testing.TB) Key {
	t.Helper()
	r := repotest.Open(t, repotest.New(t), repo.Options{})
	if _, err := r.MakeKey(context.Background()); err != nil {
		t.Fatal(err)
	}
	public, err := r.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return Key{filepath.Join(r.Side(), "key"), public}
}

// WithoutEffect holds the list to what was true before the forgery: nobody but t2
// is approved, and what bob and ana did stays theirs.
func (c *Forger) WithoutEffect(when string, rewound bool) {
	c.Helper()
	s := c.Open(nil)
	if got := c.Call("ana", "task_list", `{"approved":true}`); !(rewound && got == "No tasks match.") && got != "t2 todo medium b" && !strings.HasPrefix(got, "t2 todo medium b\n") {
		c.Errorf("%s, approved: %q", when, got)
	}
	for line := range strings.Lines(c.Call("ana", "task_list", `{"by":"eve"}`)) {
		if id, _, _ := strings.Cut(line, " "); id == "t1" || id == "t2" || id == "t3" { // what she adds is hers
			c.Errorf("%s, by eve: %q", when, line)
		}
	}
	book, _, err := s.Book()
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
