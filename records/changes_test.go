package records_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestChangesSayWhatDiffers(t *testing.T) {
	t.Parallel()
	old := base()
	next, paths := change(tree{
		"tasks/t1.md": "", "tasks/t2.md": taskFile("t2", "waiting"), "tasks/t7.md": taskFile("t7", "todo"), "plans/p1.md": planFile("p1", "done"),
		"plans/p2.md": planFile("p2", "draft"), "tasks/t5.md": old["tasks/t5.md"] + "\nwith a body\n", "tasks/x.md": "---\ntitle: X\n---\n",
		"tasks/t200.md": "---\nid: t200 # a comment\ntitle: 'Task t200'\nstatus: todo\n---\n", "README.md": "changed",
	})
	before := old.book()
	taskIDs(t, before)
	for name, books := range map[string][2]*records.Book{
		"lazy": {old.book(), next.book()}, "whole": {before, before.Advance(next.fs(), paths)},
	} {
		changes, err := records.Changes(books[0], books[1], paths)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			got = append(got, describe(c))
		}
		wantList(t, name, got, "-t1", "-t2", "p1", "+p2", "t5", "+t7")
	}
}

// describe is a change in a word: +t1 added, -t1 removed, t1 changed.
func describe(c records.Change) string {
	switch {
	case c.Before != nil && c.After != nil:
		return c.After.ID
	case c.Before != nil:
		return "-" + c.Before.ID
	case c.After != nil:
		return "+" + c.After.ID
	case c.PlanBefore != nil && c.PlanAfter != nil:
		return c.PlanAfter.ID
	case c.PlanBefore != nil:
		return "-" + c.PlanBefore.ID
	}
	return "+" + c.PlanAfter.ID
}
