package records_test

import (
	"testing"
)

func TestDepth(t *testing.T) {
	t.Parallel()
	files := tree{
		"plans/p1.md": planFile("p1", "active"), "tasks/t1.md": taskFile("t1", "done"),
		"tasks/t2.md": taskFile("t2", "todo", "parent: t1"), "tasks/t3.md": taskFile("t3", "todo", "parent: t2"),
		"tasks/t4.md": taskFile("t4", "todo", "parent: t3", "plan: p1"), "tasks/t5.md": taskFile("t5", "todo", "parent: t99"),
		"tasks/t6.md": taskFile("t6", "todo", "parent: t6"), "tasks/t7.md": taskFile("t7", "todo", "parent: fix-login"),
		// t8 waits under t11, t11 under t10, t10 under t9, t9 under t11
		"tasks/t8.md": taskFile("t8", "todo", "parent: t11"), "tasks/t9.md": taskFile("t9", "todo", "parent: t11"),
		"tasks/t10.md": taskFile("t10", "todo", "parent: t9"), "tasks/t11.md": taskFile("t11", "todo", "parent: t10"),
	}
	for how, walked := range map[string]bool{"lazy": false, "whole": true} {
		b := files.book()
		if walked {
			taskIDs(t, b)
		}
		for id, want := range map[string]int{"t1": 0, "t2": 1, "t3": 2, "t4": 0, "t5": 0, "t6": 0, "t7": 0, "t8": 3, "t9": 0, "t10": 1, "t11": 2} {
			task, err := b.Task(id)
			if err != nil || task == nil {
				t.Fatal(id, err)
			}
			if depth, err := b.Depth(task); err != nil || depth != want {
				t.Errorf("%s: %s is %d deep, %v, want %d", how, id, depth, err, want)
			}
		}
		if b.Loaded() != walked {
			t.Errorf("%s: the depth read the whole list", how)
		}
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	files := tree{
		"tasks/t1.md": taskFile("t1", "done"), "tasks/t2.md": taskFile("t2", "done", "blockedBy: [t1, t3]"),
		"tasks/3/t300.md": taskFile("t300", "todo", "blockedBy: [t3, t1]"), "tasks/t4.md": taskFile("t4", "waiting", "blockedBy: [t1]"),
		"tasks/t5.md": taskFile("t5", "todo", "blockedBy: [x, t01]"),
	}
	for id, want := range map[string][]string{"t1": {"t2", "t300"}, "t3": {"t2", "t300"}, "t2": nil, "p1": nil, "x": nil} {
		if got, err := files.book().Waiting(id); err != nil {
			t.Error(err)
		} else {
			wantList(t, "waiting for "+id, got, want...)
		}
	}
}
