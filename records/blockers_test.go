package records_test

import (
	"slices"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestA17WhatKeepsATaskFromBeingReady(t *testing.T) {
	t.Parallel()
	files := tree{
		"tasks/.highest": "t50\n", "tasks/t1.md": taskFile("t1", "done"), "tasks/t2.md": taskFile("t2", "review"),
		"tasks/t3.md": taskFile("t3", "dropped"), "tasks/t4.md": taskFile("t4", "waiting"),
		"tasks/web/t40.md": taskFile("t40", "todo"), "plans/p1.md": planFile("p1", "done"),
	}
	for name, c := range map[string]struct {
		task  records.Task
		ready bool
	}{
		"nothing in the way":        {records.Task{Status: records.Todo}, true},
		"not todo":                  {records.Task{Status: records.Blocked}, false},
		"blocker done":              {records.Task{Status: records.Todo, BlockedBy: []string{"t1"}}, true},
		"72 blocker in review":      {records.Task{Status: records.Todo, BlockedBy: []string{"t1", "t2"}}, false},
		"73 blocker dropped":        {records.Task{Status: records.Todo, BlockedBy: []string{"t3"}}, false},
		"blocker unreadable":        {records.Task{Status: records.Todo, BlockedBy: []string{"t4"}}, false},
		"blocker in a wrong folder": {records.Task{Status: records.Todo, BlockedBy: []string{"t40"}}, false},
		"blocker removed":           {records.Task{Status: records.Todo, BlockedBy: []string{"t9", "t50"}}, true},
		"blocker above the highest": {records.Task{Status: records.Todo, BlockedBy: []string{"t51"}}, false},
		"blocker is no task":        {records.Task{Status: records.Todo, BlockedBy: []string{"p1"}}, false},
		"blocker is a draft's name": {records.Task{Status: records.Todo, BlockedBy: []string{"fix-login"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lazy, whole := files.book(), files.book()
			taskIDs(t, whole)
			for how, b := range map[string]*records.Book{"lazy": lazy, "whole": whole} {
				if ready, err := b.Ready(&c.task, false); err != nil || ready != c.ready {
					t.Errorf("%s: ready %v, %v", how, ready, err)
				}
			}
		})
	}
}

func TestCases74And75ReadyAndApproval(t *testing.T) {
	t.Parallel()
	b := tree{}.book()
	task := records.Task{Status: records.Todo}
	if ready, _ := b.Ready(&task, true); ready {
		t.Error("ready without approval")
	}
	task.Approved = &records.Stamp{At: "2026-10-18", By: "ana"}
	if ready, _ := b.Ready(&task, true); !ready {
		t.Error("approved and not ready")
	}
}

func TestCase81ListsGoByNumber(t *testing.T) {
	t.Parallel()
	files := tree{}
	for _, id := range []string{"t2", "t10", "t1", "t100", "t99", "t1000", "t257"} {
		files[records.PathOf(id)] = taskFile(id, "todo")
	}
	wantList(t, "tasks", taskIDs(t, files.book()), "t1", "t2", "t10", "t99", "t100", "t257", "t1000")
}

func TestGatesLookAtMovesAlone(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t1.md": taskFile("t1", "dropped"), "tasks/t2.md": taskFile("t2", "todo", "blockedBy: [t1, t9]"),
		"tasks/t3.md": taskFile("t3", "doing", "blockedBy: [t1]"), "tasks/t4.md": taskFile("t4", "done", "blockedBy: [t1]")}
	for name, c := range map[string]struct {
		rules         records.Rules
		doing, closed bool // refused
	}{
		"none":           {records.Rules{}, false, false},
		"gateOnBlockers": {records.Rules{GateOnBlockers: true}, true, false},
		"closeGate":      {records.Rules{CloseGate: true}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, files)
			d.rules = c.rules
			for status, refused := range map[string]bool{"doing": c.doing, "done": c.closed, "review": false, "dropped": false} {
				if refused {
					d.refused(set("t2", status), records.Conflict, "conflict: t2 is blocked by t1, t9.")
				} else if _, err := d.book.Apply(set("t2", status), d.mark, d.rules); err != nil {
					t.Errorf("%s: %v", status, err)
				}
			}
			d.do(records.SetTask{Task: "t3", Fields: records.Fields{Status: ptr("doing"), Note: ptr("goes on")}})
			d.do(records.SetTask{Task: "t4", Fields: records.Fields{Status: ptr("done"), Note: ptr("stays")}})
			d.do(records.SetTask{Task: "t2", Fields: records.Fields{Status: ptr("done"), BlockedBy: &[]string{}}})
		})
	}
}

// TestQueueTheFieldThatIsWrongIsNamed: of what a task waits for, a refusal names the
// field that said it, and what stood there before keeps nobody from a change.
func TestQueueTheFieldThatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t1.md": taskFile("t1", "todo", "blockedBy:\n  - t1\n  - t2\n  - t3"), "tasks/t2.md": taskFile("t2", "todo", "blockedBy:\n  - t1"),
		"tasks/t3.md": taskFile("t3", "todo"), "tasks/t4.md": taskFile("t4", "todo", "blockedBy:\n  - t1")}
	by := func(blockedBy, add, remove []string) records.SetTask {
		e := records.SetTask{Task: "t1"}
		for field, ids := range map[**[]string][]string{&e.BlockedBy: blockedBy, &e.AddBlockedBy: add, &e.RemoveBlockedBy: remove} {
			if ids != nil {
				*field = &ids
			}
		}
		return e
	}
	ids := func(ids ...string) []string { return ids }
	for _, c := range []struct {
		edit  records.SetTask
		words string
	}{
		{by(ids("t3"), ids("t99"), nil), "addBlockedBy must match the id of a known task (see task_list)."},
		{by(ids("t99"), ids("t3"), nil), "blockedBy must match the id of a known task (see task_list)."},
		{by(ids("t3"), ids("t1"), nil), "addBlockedBy must not name the task itself."},
		{by(ids("t3", "t1"), ids("t2"), nil), "blockedBy must not name the task itself."},
		{by(ids("t3"), ids("t4"), nil), "addBlockedBy must not make a cycle."},
		{by(ids("t3", "t4"), ids(), nil), "blockedBy must not make a cycle."},
		{by(nil, ids("t4"), ids("t3")), "addBlockedBy must not make a cycle."},
		{by(nil, nil, ids("t99")), "removeBlockedBy must match the id of a known task (see task_list)."},
	} {
		newQueue(t, files).refused(c.edit, records.Invalid, c.words)
	}
	q := newQueue(t, files)
	q.do(by(nil, nil, ids("t3"))) // a loop that was made by hand is not made by this
	if got := q.task("t1").BlockedBy; !slices.Equal(got, ids("t1", "t2")) {
		t.Errorf("it waits for %q", got)
	}
	q.do(by(nil, ids("t3"), ids("t1")))
	if got := q.task("t1").BlockedBy; !slices.Equal(got, ids("t2", "t3")) {
		t.Errorf("it waits for %q", got)
	}
}
