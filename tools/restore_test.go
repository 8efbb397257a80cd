package tools_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

func (c *checked) restore(by, id string) error {
	c.Helper()
	caller, err := c.store.Caller(tools.Who{Person: by})
	if err != nil {
		c.Fatal(err)
	}
	_, err = c.store.Restore(c.Context(), caller, id, false)
	return err
}

// TestRestoreAfterAnotherProgramRemovedIt: the stamps come back as they were,
// and a check has nothing against whoever brought them.
func TestRestoreAfterAnotherProgramRemovedIt(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	was := approved(c)
	c.put("bob", "tasks/t1.md", "")
	if err := c.restore("cid", "t1"); err != nil {
		t.Fatal(err)
	}
	if now := c.file("tasks/t1.md"); now != was {
		t.Errorf("t1 came back as\n%s\nand was\n%s", now, was)
	}
	c.check(nil, []string{"t1 was removed", "t1 came back"})
	if got := c.call("ana", "task_add", `{"title":"b"}`); got != "t2 todo medium b" {
		t.Errorf("the next task is %q", got)
	}
}

// TestRestoreTakesWhatCouldBeRead: a text that was broken before it went does
// not come back, nor does one go over a file that is there.
func TestRestoreTakesWhatCouldBeRead(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	was := approved(c)
	c.put("bob", "tasks/t1.md", "broken")
	err := c.restore("cid", "t1")
	if e := tools.AsError(err); e.Code != tools.Conflict || e.Message != "t1 is in the list already, at tasks/t1.md." {
		t.Errorf("over a file that cannot be read: %v", err)
	}
	c.put("bob", "tasks/t1.md", "")
	if err := c.restore("cid", "t1"); err != nil {
		t.Fatal(err)
	}
	if now := c.file("tasks/t1.md"); now != was {
		t.Errorf("t1 came back as\n%s\nand was\n%s", now, was)
	}
	c.put("bob", "tasks/t7.md", "broken")
	c.put("bob", "tasks/t7.md", "")
	if e := tools.AsError(c.restore("cid", "t7")); e.Code != tools.NotFound || !strings.HasPrefix(e.Message, "t7 was in the list, but never ") {
		t.Errorf("what never could be read: %v", e)
	}
}

// TestRestoreFromAnotherFolder: a record that lay where another program put it
// comes back to where its number belongs.
func TestRestoreFromAnotherFolder(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	was := approved(c)
	c.put("bob", "tasks/t1.md", "")
	c.put("bob", "tasks/web/t1.md", was)
	c.put("bob", "tasks/web/t1.md", "")
	if err := c.restore("cid", "t1"); err != nil {
		t.Fatal(err)
	}
	if now := c.file("tasks/t1.md"); now != was {
		t.Errorf("t1 came back as\n%s", now)
	}
	report, err := c.store.Check(t.Context())
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("check: %q, %v", report.Problems, err)
	}
}

// TestRestoreOnce: of those who restore one record at the same time one does it.
func TestRestoreOnce(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	if _, err := c.store.Update(t.Context(), c.store.HostCaller(), "rm", func(*records.Book) ([]tools.Step, error) {
		return []tools.Step{{Edit: records.Remove{IDs: []string{"t1"}}}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = c.restore("ana", "t1") })
	}
	all.Wait()
	done := 0
	for _, err := range errs {
		switch {
		case err == nil:
			done++
		case tools.AsError(err).Code != tools.Conflict:
			t.Error(err)
		}
	}
	if done != 1 {
		t.Errorf("%d restored it: %v", done, errs)
	}
	c.check(nil, []string{"t1 came back"})
}

// TestRestoredWithoutAStamp: a record that somebody made by hand, without a
// created stamp, comes back as it was; the check owes it none.
func TestRestoredWithoutAStamp(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.put("bob", "tasks/t2.md", "---\nid: t2\ntitle: by hand\nstatus: todo\n---\n")
	c.call("ana", "task_set", `{"task":"t1","note":"between"}`)
	c.put("bob", "tasks/t2.md", "")
	caller, err := c.store.Caller(tools.Who{Person: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.store.Restore(t.Context(), caller, "t2", false); err != nil {
		t.Fatal(err)
	}
	c.check(nil, []string{"t2 was removed", "t2 came back"})
}
