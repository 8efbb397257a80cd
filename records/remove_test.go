package records_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestA5RemovedIdsNeverComeBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.do(add("x"))
	o := d.do(records.Remove{IDs: []string{"t1"}})
	wantList(t, "files", pathsOf(o.Files), "tasks/.highest", "tasks/t1.md")
	if string(o.Files[0].Data) != "t1\n" || o.Files[1].Data != nil || o.What != "remove" || o.Title != "x" {
		t.Errorf("outcome %+v", o)
	}
	d.do(add("x"))
	d.do(add("y"))
	if o := d.do(records.Remove{IDs: []string{"t2"}}); len(o.Files) != 1 {
		t.Errorf("removing a lower one writes %q", pathsOf(o.Files))
	}
	o = d.do(records.Remove{IDs: []string{"t3"}})
	if string(o.Files[0].Data) != "t3\n" {
		t.Errorf(".highest is %q", o.Files[0].Data)
	}
	fresh := d.tree.book()
	if n, err := fresh.Next(records.TaskKind); err != nil || n != 4 {
		t.Errorf("a fresh Book mints %d, %v", n, err)
	}
}

func TestRemoveTakesRecordsWhereTheyLie(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{
		"tasks/.highest": "t500\n", "tasks/t123.md": taskFile("t123", "done", "plan: p1"), "tasks/t2.md": taskFile("t2", "todo"),
		"tasks/web/t9.md": taskFile("t9", "done"), "plans/p1.md": planFile("p1", "done"), "tasks/t4.md": "broken",
	})
	o := d.do(records.Remove{IDs: []string{"p1", "t123", "t9", "t123"}})
	wantList(t, "files", pathsOf(o.Files), "plans/.highest", "plans/p1.md", "tasks/t123.md", "tasks/web/t9.md")
	wantList(t, "ids", o.IDs, "p1", "t123", "t9")
	wantList(t, "left", taskIDs(t, d.book), "t2")
	d.refused(records.Remove{IDs: []string{"t2", "t9"}}, records.NotFound, "task must match the id of a known task (see task_list).")
	d.refused(records.Remove{IDs: []string{"t4"}}, records.NotFound, "task must match the id of a known task (see task_list).")
	if o, err := d.book.Apply(records.Remove{}, d.mark, d.rules); err != nil || len(o.Files) > 0 {
		t.Errorf("removing nothing: %+v, %v", o, err)
	}
}
