package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// clone is a person who pushes: new tasks as drafts, and notes on those that have
// got their ids.
type clone struct {
	s      *soaked
	name   string
	dir    string
	steps  int
	notes  map[string]string // the last that was pushed, by id
	pushed []string          // commits
}

func (c *clone) live() {
	c.dir = filepath.Join(c.s.t.TempDir(), c.name)
	if _, err := c.s.b.run(c.s.t.Context(), "git", "clone", "-q", "-c", "user.name="+c.name, "-c", "user.email="+c.name+"@localhost", c.s.dir, c.dir); err != nil {
		c.s.t.Error(err)
		return
	}
	for step := 0; c.s.more(step, c.steps); step++ {
		if err := c.step(step); err != nil {
			c.s.t.Errorf("%s, step %d: %v", c.name, step, err)
			return
		}
	}
}

func (c *clone) git(args ...string) (string, error) {
	who := []string{"env", "GIT_AUTHOR_NAME=" + c.name, "GIT_COMMITTER_NAME=" + c.name, "git", "-C", c.dir}
	return c.s.b.run(c.s.t.Context(), append(who, args...)...)
}

// step pulls, makes a draft, writes a note on a task of its own, and pushes.
func (c *clone) step(n int) error {
	if _, err := c.git("pull", "-q", "--rebase"); err != nil && n > 0 { // at first there may be nothing
		return err
	}
	draft := filepath.Join(c.dir, "tasks", fmt.Sprintf("%s-%d.md", c.name, n))
	if err := os.MkdirAll(filepath.Dir(draft), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(draft, fmt.Appendf(nil, "---\ntitle: Draft %d of %s\n---\n", n, c.name), 0o644); err != nil {
		return err
	}
	id, note, err := c.note(n)
	if err != nil {
		return err
	}
	if _, err := c.git("add", "-A"); err != nil {
		return err
	}
	if _, err := c.git("commit", "-qm", "by hand"); err != nil {
		return err
	}
	if err := c.push(); err != nil {
		return err
	}
	commit, err := c.git("rev-parse", "HEAD")
	c.pushed = append(c.pushed, commit)
	if id != "" {
		c.notes[id] = note
	}
	return err
}

// note writes a note on the newest of its tasks that has an id.
func (c *clone) note(n int) (id, note string, err error) {
	out, err := c.git("log", "--format=", "--name-only", "--author=^"+c.name+" ", "--", "tasks")
	if err != nil {
		return "", "", err
	}
	for path := range strings.SplitSeq(out, "\n") {
		id = strings.TrimSuffix(filepath.Base(path), ".md")
		if _, _, ok := records.ParseID(id); !ok {
			continue
		}
		file := filepath.Join(c.dir, filepath.FromSlash(path))
		old, err := os.ReadFile(file)
		if err != nil {
			return "", "", err
		}
		t := *records.Parse(path, old).Task
		t.Note = fmt.Sprintf("hand %d", n)
		data, err := records.Splice(old, &t)
		if err != nil {
			return "", "", err
		}
		return id, t.Note, os.WriteFile(file, data, 0o644)
	}
	return "", "", nil
}

// push pushes, on top of what came meanwhile. After some tries everybody else is
// made to wait: as long as others never rest, a push never finds the branch as
// it saw it.
func (c *clone) push() (err error) {
	for try := range 5 {
		if try == 3 {
			c.s.calls.Lock()
			defer c.s.calls.Unlock()
		}
		if err = c.pushOnce(try < 3); err == nil {
			return nil
		}
		if _, err := c.git("pull", "-q", "--rebase", "origin", "main"); err != nil {
			return err
		}
	}
	return err
}

// pushOnce pushes beside the others, or while they wait.
func (c *clone) pushOnce(beside bool) error {
	if beside {
		c.s.calls.RLock()
		defer c.s.calls.RUnlock()
	}
	_, err := c.git("push", "-q", "origin", "HEAD:main")
	return err
}

// checkNotes: every note that was pushed is there, and every draft has become one
// task.
func (c *clone) checkNotes(book *records.Book) {
	tasks, err := book.Tasks()
	if err != nil {
		c.s.t.Error(err)
		return
	}
	mine := 0
	for task := range tasks {
		if strings.HasSuffix(task.Title, " of "+c.name) {
			mine++
		}
	}
	if mine != len(c.pushed) {
		c.s.t.Errorf("%s pushed %d drafts; %d tasks came of them", c.name, len(c.pushed), mine)
	}
	for id, want := range c.notes {
		if task, err := book.Task(id); err != nil || task == nil || task.Note != want {
			c.s.t.Errorf("%s of %s is %+v, %v; want the note %q", id, c.name, task, err, want)
		}
	}
}
