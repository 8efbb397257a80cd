package inbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// A host that ends at any step leaves what the next one makes exactly one task of,
// and the same text that comes once more is one more task.
func TestAKilledHostMakesNoTaskTwice(t *testing.T) {
	t.Parallel()
	for step := 1; ; step++ {
		b := newBox(t, tools.Config{})
		b.put("a.md", "one\n")
		b.put("b.md", "---\n")
		n := 0
		b.step = func(string) error {
			if n++; n >= step {
				return errKilled
			}
			return nil
		}
		b.pass(t.Context())
		b.reopen(b.store, b.dir)
		b.passes(0)
		b.tasks("t1 todo medium one")
		b.has()
		b.refused("b.md", "b.md.txt")
		b.put("a.md", "one\n")
		b.passes(0)
		b.tasks("t1 todo medium one", "t2 todo medium one")
		b.has()
		if n < step {
			if step != 5 {
				t.Errorf("%d steps, want 4", step-1)
			}
			return
		}
	}
}

// Whatever fails on the way to disk, the file is one task in the end: also where the
// failure leaves it open whether the commit is on the branch.
func TestAFailingDiskMakesNoTaskTwice(t *testing.T) {
	t.Parallel()
	each := int64(3)
	if os.Getenv("GIT_TASKS_TEST_FULL") == "1" {
		each = 1
	}
	for n := int64(1); ; n += each {
		var disk faults
		b := newBox(t, tools.Config{Fault: disk.fail})
		b.put("fix.md", "Fix\n")
		disk.left.Store(n)
		b.pass(t.Context())
		ended := disk.left.Load() > 0
		disk.left.Store(0)
		b.passes(0)
		b.tasks("t1 todo medium Fix")
		b.has()
		b.refused()
		if ended {
			if n < 10 {
				t.Errorf("only %d calls were failed", n-1)
			}
			return
		}
	}
}

// What comes between the commit and the removal is neither lost nor taken for what
// was read.
func TestAFileThatChangesWhileItIsTaken(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	at := filepath.Join(b.dir, "a.md")
	during := func(do func() error) {
		b.step = func(step string) error {
			if step != "remove a.md" {
				return nil
			}
			b.step = func(string) error { return nil }
			return do()
		}
		b.put("a.md", "one\n")
	}
	during(func() error { b.put("new", "two\n"); return os.Rename(filepath.Join(b.dir, "new"), at) })
	b.passes(0)
	b.has("a.md")
	b.passes(0)
	b.tasks("t1 todo medium one", "t2 todo medium two")

	during(func() error {
		f, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteString("more\n")
		return err
	})
	b.passes(0)
	b.tasks("t1 todo medium one", "t2 todo medium two", "t3 todo medium one")
	b.refused("a.md", "a.md.txt")
	if got := b.reason("a.md"); got != "a.md was written to after it became t3: what it said before is there" {
		t.Errorf("the reason is %q", got)
	}

	during(func() error { return os.Remove(at) })
	b.passes(0)
	b.has()
	if len(b.taken) > 0 {
		t.Errorf("still has %v", b.taken)
	}
}

// A commit of somebody else that has the trailer of a file does not stand for its
// task.
func TestAMarkOfSomebodyElseCountsForNothing(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	b.put("first.md", "first\n")
	b.passes(0)
	b.put("a.md", "one\n")
	b.step = func(string) error { return errKilled }
	b.pass(t.Context())
	repotest.Foreign(t, b.store.Dir(), b.store.Ref(), "mia", "mine\n\nTool: inbox\nInbox: "+b.taken[0].note().Value,
		repo.File{Path: "README.md", Data: []byte("mine\n")})
	b.reopen(b.store, b.dir)
	b.passes(0)
	b.has()
	if log := repotest.Git(t, b.store.Dir(), "log", "--format=%s", "main"); !strings.Contains(log, "t2 add: one") {
		t.Errorf("the history is\n%s", log)
	}
}

// TestTheNextHostKnowsNoFileThatIsDone: a file that comes once the host was started anew
// is another, also where it has the name and the inode of the last one that was taken.
func TestTheNextHostKnowsNoFileThatIsDone(t *testing.T) {
	t.Parallel()
	b := newBox(t, tools.Config{})
	b.put("a.md", "A\n")
	b.passes(0)
	b.reopen(b.store, b.dir)
	if len(b.taken) > 0 {
		t.Errorf("the next host knows %+v", b.taken)
	}
	b.put("a.md", "B\n")
	b.passes(0)
	b.tasks("t1 todo medium A", "t2 todo medium B")
	b.refused()
}
