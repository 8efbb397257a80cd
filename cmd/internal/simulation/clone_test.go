package simulation_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// clone is a person's clone of a list: they edit its files, commit, and push
// with git alone. A push to the branch that is rejected since the list has moved
// on is rebased, and where that meets a conflict they take what the list says and
// say their own again; one to refs/for/main is merged by the list.
type clone struct {
	by, dir string
	env     []string
	edits   []handEdit // committed here and not yet pushed
	landed  []handEdit // those that the last push brought
	refused string     // why the gate took none of them
	count   int
}

// handEdit is one commit of a clone: a line of a task's file, or a draft.
type handEdit struct {
	subject string
	task    int    // 0 for a draft
	key     string // of the line
	value   string
	path    string
}

func newClone(t *testing.T, list, by string) *clone {
	t.Helper()
	c := &clone{by: by, dir: filepath.Join(t.TempDir(), by), env: append(repotest.Env(t),
		"GIT_AUTHOR_NAME="+by, "GIT_AUTHOR_EMAIL="+by+"@example.org", "GIT_EDITOR=true")}
	if _, err := repotest.Run(filepath.Dir(list), c.env, "", "git", "clone", "-q", list, c.dir); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *clone) git(args ...string) error {
	_, err := repotest.Run(c.dir, c.env, "", "git", args...)
	return err
}

// edit commits a change of one line of a task.
func (c *clone) edit(task int, key, value string) (handEdit, error) {
	c.count++
	e := handEdit{subject: fmt.Sprintf("%s %d", c.by, c.count), task: task, key: key, value: value,
		path: records.PathOf(fmt.Sprintf("t%d", task))}
	if _, err := os.Stat(filepath.Join(c.dir, e.path)); errors.Is(err, fs.ErrNotExist) {
		if err := c.pull(); err != nil {
			return e, err
		}
	}
	_, err := c.commit(e)
	return e, err
}

// draft commits a new file without an id.
func (c *clone) draft() (handEdit, error) {
	c.count++
	e := handEdit{subject: fmt.Sprintf("%s %d", c.by, c.count), value: fmt.Sprintf("%s wants %d", c.by, c.count),
		path: fmt.Sprintf("tasks/%s-%d.md", c.by, c.count)}
	_, err := c.commit(e)
	return e, err
}

// commit makes an edit in the files as they are, and says whether there was
// anything to change: the task may be gone, unreadable, or say the same.
func (c *clone) commit(e handEdit) (bool, error) {
	path := filepath.Join(c.dir, filepath.FromSlash(e.path))
	text := "---\ntitle: " + e.value + "\n---\n"
	if e.task > 0 {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		line := regexp.MustCompile(`(?m)^` + e.key + `: .*$`)
		text = line.ReplaceAllString(string(data), e.key+": "+e.value)
		if text == string(data) || string(data) == fmt.Sprintf(brokenFile, e.task) {
			return false, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return false, err
	}
	if err := c.git("add", "-A"); err != nil {
		return false, err
	}
	c.edits = append(c.edits, e)
	return true, c.git("commit", "-q", "-m", e.subject)
}

// pull puts what is not yet pushed on top of what the list has now. No file is
// taken for another one that is like it: git would take a task that was removed
// and one that was added for the same, and move the person's edit to the other. Nor
// is an edit left out since somebody made the same before: the list may say something
// else again.
func (c *clone) pull() error {
	if err := c.git("fetch", "-q"); err != nil {
		return err
	}
	err := c.git("rebase", "-q", "--reapply-cherry-picks", "-X", "find-renames=100%", "origin/main")
	if err == nil {
		return c.settle()
	}
	if !strings.Contains(err.Error(), "could not apply") {
		return err
	}
	for _, args := range [][]string{{"rebase", "--abort"}, {"reset", "-q", "--hard", "origin/main"}} {
		if err := c.git(args...); err != nil {
			return err
		}
	}
	again := c.edits
	c.edits = nil
	for _, e := range again {
		if _, err := c.commit(e); err != nil {
			return err
		}
	}
	return nil
}

// settle gives up the edits that git dropped from a rebase: somebody else has made
// the same, and the file says it. One that is dropped and not said is kept, and
// missed once the rest has landed.
func (c *clone) settle() error {
	left, err := repotest.Run(c.dir, c.env, "", "git", "log", "--format=%s", "origin/main..HEAD")
	if err != nil {
		return err
	}
	subjects := strings.Split(left, "\n")
	c.edits = slices.DeleteFunc(c.edits, func(e handEdit) bool {
		if e.task == 0 || slices.Contains(subjects, e.subject) {
			return false
		}
		data, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(e.path)))
		return err == nil && strings.Contains(string(data), "\n"+e.key+": "+e.value+"\n")
	})
	return nil
}

// push pushes to a ref until the list has taken it, or refuses it for what it says;
// then the person gives their commits up.
func (c *clone) push(ref string, now time.Time) error {
	c.landed, c.refused = nil, ""
	clock := append(c.env[:len(c.env):len(c.env)], clockVariable+"="+now.Format(time.RFC3339Nano))
	for range 1000 {
		if len(c.edits) == 0 {
			return nil
		}
		_, err := repotest.Run(c.dir, clock, "", "git", "push", "-q", "origin", "HEAD:"+ref)
		switch {
		case err == nil:
			c.landed, c.edits = c.edits, nil
			return nil
		case strings.Contains(err.Error(), "fetch first") || repotest.Transient(err):
			if err := c.pull(); err != nil {
				return err
			}
		case !strings.Contains(err.Error(), "[remote rejected]"):
			return err
		default:
			c.refused = err.Error()
			if err := c.git("fetch", "-q"); err != nil {
				return err
			}
			return c.git("reset", "-q", "--hard", "origin/main")
		}
	}
	return errors.New("the list never held still for a push")
}

// moves reports whether an edit that is not yet pushed moves the status of a task.
func (c *clone) moves(task int) bool {
	return slices.ContainsFunc(c.edits, func(e handEdit) bool { return e.task == task && e.key == "status" })
}
