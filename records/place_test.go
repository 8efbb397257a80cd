package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// put is a patch that moves a task: under another, before or after one; "-" names
// nothing.
func put(id, parent, before, after string) records.SetTask {
	return records.SetTask{Task: id, Fields: places(parent, before, after)}
}

func places(parent, before, after string) (f records.Fields) {
	for _, one := range []struct {
		field **string
		named string
	}{{&f.Parent, parent}, {&f.Before, before}, {&f.After, after}} {
		if one.named != "-" {
			*one.field = &one.named
		}
	}
	return f
}

// grow adds a task at a place.
func grow(title, parent, before, after string) records.AddTask {
	f := places(parent, before, after)
	f.Title = &title
	return records.AddTask{Fields: f}
}

func (d *desk) order(want string) {
	d.t.Helper()
	if got := drawn(d.t, d.book, records.Filter{}); got != want {
		d.t.Errorf("the order is %s, want %s", got, want)
	}
}

func TestQueueOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	for _, title := range []string{"a", "c"} {
		d.do(grow(title, "-", "-", "-"))
	}
	d.do(grow("b", "-", "-", "t1"))
	d.do(grow("a1", "t1", "-", "-"))
	d.do(grow("a0", "t1", "t4", "-"))
	d.order("t1 >t5 >t4 t3 t2") // a >a0 >a1 b c
	if rank := d.task("t3").Rank; rank != "V2" || d.task("t4").Rank != "" {
		t.Errorf("b has the rank %q, a1 %q", rank, d.task("t4").Rank)
	}
	d.do(put("t2", "-", "t1", "-"))
	d.order("t2 t1 >t5 >t4 t3")
	d.do(grow("d", "-", "-", "-"))
	d.do(put("t6", "-", "-", "t2"))
	d.order("t2 t6 t1 >t5 >t4 t3")
}

// newRow is a desk with so many tasks beside each other.
func newRow(t *testing.T, n int) *desk {
	t.Helper()
	d := newDesk(t, tree{})
	for range n {
		d.do(add("x"))
	}
	return d
}

func TestQueueMoveTouchesOneFile(t *testing.T) {
	t.Parallel()
	d := newRow(t, 3)
	if o := d.do(put("t1", "-", "-", "t3")); len(o.Files) != 1 || o.What != "set rank" || d.task("t1").Rank != "V3W" {
		t.Errorf("%d files, %q, rank %q", len(o.Files), o.What, d.task("t1").Rank)
	}
	if o := d.do(add("x")); strings.Contains(string(o.Files[0].Data), "rank") {
		t.Error("a new task got a rank")
	}
	d.order("t2 t3 t1 t4")
	for _, still := range []records.SetTask{put("t1", "-", "-", "t3"), put("t1", "-", "t4", "-"), put("t4", "", "-", "t1"), put("t2", "-", "t3", "-")} {
		if o := d.do(still); len(o.Files) > 0 {
			t.Errorf("%+v wrote %s", still.Fields, o.Files[0].Data)
		}
	}
}

func TestQueueParent(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"plans/p1.md": planFile("p1", "active"), "plans/p2.md": planFile("p2", "active")})
	for range 5 {
		d.do(add("x"))
	}
	const unknown = " must match the id of a known task (see task_list)."
	for _, id := range []string{"t9", " t1 ", "t1.md", "../t1", "T1", "t01", "t1\n", "t99999999999999999999", "p1"} {
		d.refused(put("t2", id, "-", "-"), records.Invalid, "parent"+unknown)
		d.refused(put("t2", "-", id, "-"), records.Invalid, "before"+unknown)
		d.refused(put("t2", "-", "-", id), records.Invalid, "after"+unknown)
		d.refused(grow("x", id, "-", "-"), records.Invalid, "parent"+unknown)
	}
	d.refused(grow("x", "t6", "-", "-"), records.Invalid, "parent"+unknown) // which it would be
	d.refused(put("t2", "t2", "-", "-"), records.Invalid, "parent must not name the task itself.")
	d.do(put("t2", "t1", "-", "-"))
	d.do(put("t3", "t2", "-", "-"))
	d.refused(put("t1", "t3", "-", "-"), records.Invalid, "parent must not make a cycle.")
	d.refused(put("t1", "t2", "-", "-"), records.Invalid, "parent must not make a cycle.")
	d.refused(put("t4", "-", "t1", "t5"), records.Invalid, "after must not be named together with before.")
	d.refused(grow("x", "-", "t1", "t5"), records.Invalid, "after must not be named together with before.")
	d.refused(put("t4", "-", "t4", "-"), records.Invalid, "before must not name the task itself.")
	d.refused(put("t4", "-", "-", "t2"), records.Invalid, "after must be a task with the same plan and parent.")
	d.refused(put("t4", "t1", "-", "t5"), records.Invalid, "after must be a task with the same plan and parent.")
	d.do(put("t4", "t1", "t2", "-"))
	d.order("t1 >t4 >t2 >>t3 t5")
	// To another plan: the task leaves its parent and its rank, its children stay and
	// sort as roots.
	d.do(records.SetTask{Task: "t2", Fields: records.Fields{Plan: ptr("p1")}})
	d.do(records.SetTask{Task: "t4", Fields: records.Fields{Plan: ptr("p1")}})
	d.order("t1 t2 t3 t4 t5")
	if moved, child := d.task("t4"), d.task("t3"); moved.Parent+moved.Rank != "" || child.Parent != "t2" {
		t.Errorf("%+v, %+v", moved, child)
	}
	// Back again, under what is still its child.
	d.refused(records.SetTask{Task: "t2", Fields: records.Fields{Plan: ptr(""), Parent: ptr("t3")}}, records.Invalid, "parent must not make a cycle.")
	d.do(records.SetTask{Task: "t1", Fields: records.Fields{Plan: ptr("p2")}})
	if rank := d.task("t1").Rank; rank != "" {
		t.Errorf("a change of plan alone wrote the rank %q", rank)
	}
	d.do(records.SetTask{Task: "t1", Fields: records.Fields{Plan: ptr("")}})
	d.refused(put("t3", "t4", "-", "-"), records.Invalid, "parent must be a task of the same plan.")
	d.refused(put("t5", "-", "t2", "-"), records.Invalid, "before must be a task with the same plan and parent.")
	both := put("t5", "t2", "-", "-")
	both.Plan = ptr("p1")
	d.do(both)
	d.order("t1 t2 >t5 t3 t4")
	// An orphan works: it is changed and moved as a root, and keeps what it says.
	d.do(records.Remove{IDs: []string{"t1"}})
	d.do(records.Remove{IDs: []string{"t2"}})
	d.do(put("t3", "t2", "-", "-"))
	d.do(set("t5", "doing"))
	d.do(put("t5", "-", "-", "t4"))
	if got := d.task("t5").Parent; got != "t2" {
		t.Errorf("the orphan says %q", got)
	}
	d.order("t3 t4 t5")
}

func TestQueueCorruptLoop(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo", "parent: t2"), "tasks/t2.md": taskFile("t2", "todo", "parent: t1"),
		"tasks/t3.md": taskFile("t3", "todo"), "tasks/t4.md": taskFile("t4", "todo")})
	d.order("t3 t4 t1 >t2")
	d.do(put("t4", "t2", "-", "-")) // under a loop, which it is no part of
	d.order("t3 t1 >t2 >>t4")
	d.do(put("t2", "", "-", "-"))
	d.order("t3 t2 >t1 >t4")
}

// Appended under a new parent: without a rank where the number will do.
func TestQueueAppendsUnderANewParent(t *testing.T) {
	t.Parallel()
	d := newRow(t, 6)
	d.do(put("t3", "t1", "-", "-"))
	d.do(put("t4", "t1", "-", "-"))
	if d.task("t3").Rank+d.task("t4").Rank != "" {
		t.Errorf("%q %q", d.task("t3").Rank, d.task("t4").Rank)
	}
	d.do(put("t2", "t1", "-", "-"))
	d.order("t1 >t3 >t4 >t2 t5 t6")
	if rank := d.task("t2").Rank; rank != "V4W" {
		t.Errorf("%q", rank)
	}
	d.do(put("t4", "", "-", "-"))
	d.order("t1 >t3 >t2 t5 t6 t4")
}

func TestQueueEqualRanks(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t9.md": taskFile("t9", "todo"), "tasks/t8.md": taskFile("t8", "todo", `rank: "B"`)}
	for i := 1; i <= 4; i++ {
		id := fmt.Sprintf("t%d", i)
		files[records.PathOf(id)] = taskFile(id, "todo", `rank: "A"`)
	}
	d := newDesk(t, files)
	d.order("t1 t2 t3 t4 t8 t9")
	o := d.do(put("t9", "-", "-", "t2"))
	d.order("t1 t2 t9 t3 t4 t8")
	if len(o.Files) != 3 || len(o.IDs) != 1 {
		t.Errorf("%d files are written, about %v", len(o.Files), o.IDs)
	}
	o = d.do(put("t8", "-", "-", "t1"))
	d.order("t1 t8 t2 t9 t3 t4")
	if len(o.Files) != 2 {
		t.Errorf("%d files are written", len(o.Files))
	}
	o = d.do(grow("x", "-", "t1", "-"))
	if d.order("t10 t1 t8 t2 t9 t3 t4"); len(o.Files) != 1 {
		t.Errorf("%d files are written", len(o.Files))
	}
}

// What callers move about by hand and by tool stands as in a plain list of lists.
func TestQueueMovesAgainstModel(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(6, 6))
	d := newDesk(t, tree{})
	var ids []string
	rows := map[string][]string{} // by parent
	parent := map[string]string{}
	take := func(id string) {
		row := rows[parent[id]]
		rows[parent[id]] = slices.DeleteFunc(slices.Clone(row), func(is string) bool { return is == id })
	}
	for i := range 300 {
		if i < 20 || rnd.IntN(4) == 0 {
			id := d.do(add("x")).IDs[0]
			ids = append(ids, id)
			rows[""] = append(rows[""], id)
			continue
		}
		id, other := ids[rnd.IntN(len(ids))], ids[rnd.IntN(len(ids))]
		switch rnd.IntN(3) {
		case 0:
			if _, err := d.book.Apply(put(id, other, "-", "-"), d.mark, d.rules); err != nil || parent[id] == other {
				continue // itself, a loop, or there already
			}
			d.do(put(id, other, "-", "-"))
			take(id)
			parent[id], rows[other] = other, append(rows[other], id)
		case 1, 2:
			if _, err := d.book.Apply(put(id, parent[other], other, "-"), d.mark, d.rules); err != nil {
				continue
			}
			behind := rnd.IntN(2)
			d.do([]records.SetTask{put(id, parent[other], other, "-"), put(id, parent[other], "-", other)}[behind])
			take(id)
			parent[id] = parent[other]
			row := rows[parent[id]]
			rows[parent[id]] = slices.Insert(slices.Clone(row), slices.Index(row, other)+behind, id)
		}
	}
	var walk func(id, indent string) []string
	walk = func(id, indent string) (lines []string) {
		for _, child := range rows[id] {
			lines = append(append(lines, indent+child), walk(child, indent+">")...)
		}
		return lines
	}
	d.order(strings.Join(walk("", ""), " "))
}

func TestQueueBlockers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	var many []string
	for range 66 {
		many = append(many, d.do(add("x")).IDs[0])
	}
	change := func(id string, more, less []string) records.SetTask {
		e := records.SetTask{Task: id}
		if more != nil {
			e.AddBlockedBy = &more
		}
		if less != nil {
			e.RemoveBlockedBy = &less
		}
		return e
	}
	wait := func(want ...string) {
		t.Helper()
		if got := d.task("t1").BlockedBy; !slices.Equal(got, want) {
			t.Errorf("t1 waits for %v, want %v", got, want)
		}
	}
	d.do(change("t1", []string{"t2", "t3", "t2"}, nil))
	wait("t2", "t3")
	d.do(change("t1", []string{"t2"}, []string{"t2"})) // in both: present
	wait("t3", "t2")
	d.do(change("t1", nil, []string{"t3", "t9"}))
	wait("t2")
	e := change("t1", []string{"t5"}, []string{"t3"})
	e.BlockedBy = &[]string{"t3", "t4"}
	d.do(e)
	wait("t4", "t5")
	const unknown = " must match the id of a known task (see task_list)."
	for _, id := range []string{"t99", " t1 ", "t1.md", "../t1", "T1", "t01", "t1\n", "t99999999999999999999"} {
		d.refused(change("t1", []string{id}, nil), records.Invalid, "addBlockedBy"+unknown)
		d.refused(change("t1", nil, []string{id}), records.Invalid, "removeBlockedBy"+unknown)
	}
	d.refused(change("t1", []string{"t1"}, nil), records.Invalid, "addBlockedBy must not name the task itself.")
	d.do(change("t4", []string{"t6"}, nil))
	d.refused(change("t6", []string{"t1"}, nil), records.Invalid, "addBlockedBy must not make a cycle.") // of three
	d.refused(change("t1", many[1:], nil), records.Invalid, "addBlockedBy must name at most 64 tasks.")
	d.do(change("t1", many[1:65], nil))
	if o := d.do(change("t1", many[3:9], []string{})); len(o.Files) > 0 {
		t.Error("what is there already was written")
	}
	d.do(records.Remove{IDs: []string{"t2"}})
	d.do(change("t1", nil, many[1:])) // one that is no more may be taken out
	wait()
}

func TestQueueMetadata(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.do(records.AddTask{Fields: records.Fields{Title: ptr("x"), Metadata: &map[string]string{"b": "yes", "a": "1", "none": ""}}})
	patch := func(m map[string]string) records.SetTask {
		return records.SetTask{Task: "t1", Fields: records.Fields{Metadata: &m}}
	}
	if o := d.do(patch(map[string]string{"a": "1", "gone": ""})); len(o.Files) > 0 {
		t.Error("what is there already was written")
	}
	if o := d.do(patch(map[string]string{"b": "", "c": "x: y\n"})); o.What != "set metadata" {
		t.Errorf("it says %q", o.What)
	}
	if got := fmt.Sprint(d.task("t1").Metadata); got != "map[a:1 c:x: y\n]" {
		t.Error(got)
	}
	d.refused(patch(map[string]string{" ": "x"}), records.Invalid, "metadata must have keys of one line each, none blank.")
	d.refused(patch(map[string]string{"a\nb": "x"}), records.Invalid, "metadata must have keys of one line each, none blank.")
	d.refused(patch(map[string]string{"long": strings.Repeat("x", 70_000)}), records.Invalid,
		"metadata must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB.")
	d.do(patch(map[string]string{"a": "", "c": ""}))
	if d.task("t1").Metadata != nil || strings.Contains(d.tree["tasks/t1.md"], "metadata") {
		t.Error("an empty one is left")
	}
}

// Two clones that append never collide, and what both put into one gap stands there by
// id.
func TestQueueClonesMoveApart(t *testing.T) {
	t.Parallel()
	d := newRow(t, 4)
	one, two := newDesk(t, d.tree), newDesk(t, d.tree)
	for _, move := range []records.SetTask{put("t3", "-", "-", "t1"), put("t4", "-", "-", "t1")} {
		clone := map[string]*desk{"t3": one, "t4": two}[move.Task]
		d.tree = d.tree.with(clone.do(move).Files)
	}
	both := newDesk(t, d.tree)
	both.order("t1 t3 t4 t2")
	both.do(put("t2", "-", "-", "t3"))
	both.order("t1 t3 t2 t4")
	if o := both.do(add("x")); strings.Contains(string(o.Files[0].Data), "rank") {
		t.Error("what is appended has a rank")
	}
}
