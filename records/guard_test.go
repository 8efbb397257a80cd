package records_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestQueueClaimsWaitForBlockers(t *testing.T) {
	t.Parallel()
	waiting := func(blocker string) tree {
		files := tree{"tasks/t1.md": taskFile("t1", "todo", "blockedBy:\n  - t2\n  - t3"), "tasks/t2.md": taskFile("t2", "done"), "tasks/.highest": "t3\n"}
		if blocker != "" {
			files["tasks/t3.md"] = taskFile("t3", blocker)
		}
		return files
	}
	for _, status := range []string{"todo", "doing", "review", "dropped"} {
		q := newQueue(t, waiting(status)).as(1)
		q.conflict(q.claim("t1"), "t1 is blocked by t3.")
		q.do(set("t1", "doing")) // is not a claim
	}
	for _, status := range []string{"done", ""} { // done, or removed
		q := newQueue(t, waiting(status)).as(1)
		q.do(q.claim("t1"))
		q.is("t1", "doing w1 by w1 s1")
	}
	// A blocker that is taken up again disturbs nobody who has begun.
	q := newQueue(t, waiting("done")).as(1)
	q.do(q.claim("t1"))
	q.do(set("t3", "todo"))
	q.same(q.claim("t1"))
	q.do(set("t1", "done"))
}

func TestQueueSettingsCanGateEveryMove(t *testing.T) {
	t.Parallel()
	q := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "todo", "blockedBy:\n  - t2"), "tasks/t2.md": taskFile("t2", "todo")})
	q.rules.GateOnBlockers = true
	q.conflict(set("t1", "doing"), "t1 is blocked by t2.")
	q.do(set("t1", "review"))
	q.rules.GateOnBlockers, q.rules.CloseGate = false, true
	q.conflict(set("t1", "done"), "t1 is blocked by t2.")
	q.do(set("t1", "doing"))
	q.do(set("t1", "dropped"))
	q.do(records.SetTask{Task: "t1", Fields: records.Fields{Status: ptr("done"), BlockedBy: &[]string{}}})
}

func TestQueueBlockersAreKnownAndFew(t *testing.T) {
	t.Parallel()
	files := tree{}
	var many []string
	for n := 1; n <= 66; n++ {
		id := formatted(n)
		files[records.PathOf(id)] = taskFile(id, "todo")
		many = append(many, id)
	}
	q := newQueue(t, files).as(1)
	blocked := func(id string, by ...string) records.SetTask {
		return records.SetTask{Task: id, Fields: records.Fields{BlockedBy: &by}}
	}
	q.do(blocked("t1", "t2"))
	q.do(blocked("t2", "t3"))
	q.refused(blocked("t3", "t1"), records.Invalid, "blockedBy must not make a cycle.")
	q.refused(blocked("t1", "t1"), records.Invalid, "blockedBy must not name the task itself.")
	q.refused(blocked("t1", "t99"), records.Invalid, "blockedBy must match the id of a known task (see task_list).")
	q.refused(blocked("t1", many[1:]...), records.Invalid, "blockedBy must name at most 64 tasks.")
	q.do(blocked("t66", append(many[:64:64], "t1", "t2")...)) // repeats do not count
}

func formatted(n int) string {
	return "t" + strings.TrimLeft(string([]byte{byte('0' + n/10), byte('0' + n%10)}), "0")
}

func TestQueueParentsStayWhileTheyHaveChildren(t *testing.T) {
	t.Parallel()
	q := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t4.md": taskFile("t4", "done", "parent: t1"), "tasks/t5.md": taskFile("t5", "todo", "parent: t1")}).as(1)
	q.conflict(records.RemoveTask{Task: "t1"}, "t1 is the parent of t4, t5.")
	q.conflict(records.RemoveTask{Task: "t1", Force: true}, "t1 is the parent of t4, t5.")
	q.do(records.RemoveTask{Task: "t4"})
	q.do(records.RemoveTask{Task: "t5"})
	q.do(records.RemoveTask{Task: "t1"})
	q.refused(records.RemoveTask{Task: "t1"}, records.NotFound, "task must match the id of a known task (see task_list).")
	newQueue(t, tree{"tasks/t1.md": taskFile("t1", "todo", "parent: t1")}).do(records.RemoveTask{Task: "t1"})
}

// fault is something that is wrong with a change of t1: what the tree has, what the
// change says, and the words that it is refused in.
type fault struct {
	name  string
	files func(tree)
	edit  func(*records.SetTask)
	words string
}

// faults stand in the order in which they are looked for.
var faults = []fault{
	{"assigned", func(f tree) { f.add("t1", "owner: w2") }, func(e *records.SetTask) {
		if e.Owner == nil {
			e.Owner = ptr("w1")
		}
	}, "conflict: t1 is assigned to w2."},
	{"title", nil, func(e *records.SetTask) { e.Title = ptr("a\nb") }, "title must be one line of at most 256 bytes."},
	{"note", nil, func(e *records.SetTask) { e.Note = ptr("a\nb") }, "note must be one line."},
	{"user", nil, func(e *records.SetTask) { e.Owner = ptr("stranger") }, "owner must match the id of a known user."},
	{"blocked", func(f tree) { f.add("t1", "blockedBy:\n  - t2") }, func(e *records.SetTask) {
		e.Status = ptr("doing")
		if e.Owner == nil {
			e.Owner = ptr("w1")
		}
	}, "conflict: t1 is blocked by t2."},
	{"lease", nil, func(e *records.SetTask) { e.LeasedUntil = ptr(at(-1)) }, "leasedUntil must be in the future."},
	{"blockers", nil, func(e *records.SetTask) { e.BlockedBy = &[]string{"t2", "t1"} }, "blockedBy must not name the task itself."},
	{"parent", nil, func(e *records.SetTask) { e.Parent = ptr("t1") }, "parent must not name the task itself."},
	{"place", func(f tree) { f["tasks/t3.md"] = taskFile("t3", "todo", "parent: t2") }, func(e *records.SetTask) { e.Before = ptr("t3") },
		"before must be a task with the same plan and parent."},
}

// add puts lines into the frontmatter of a task.
func (t tree) add(id string, lines ...string) {
	path := records.PathOf(id)
	t[path] = strings.TrimSuffix(t[path], "---\n") + strings.Join(lines, "\n") + "\n---\n"
}

// TestQueueTheFirstFaultSpeaks: of any two things that are wrong, the one that is
// looked for first is what is said, and alone each of them is.
func TestQueueTheFirstFaultSpeaks(t *testing.T) {
	t.Parallel()
	for i, first := range faults {
		for _, second := range faults[i:] {
			files := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo")}
			edit := records.SetTask{Task: "t1"}
			pair := []fault{second, first}
			if first.name == second.name {
				pair = pair[:1]
			}
			for _, f := range pair {
				if f.files != nil {
					f.files(files)
				}
				f.edit(&edit)
			}
			rules := records.Rules{KnownUser: func(name string) bool { return name != "stranger" }}
			_, err := files.book().Apply(edit, records.Mark{By: "w1", In: "ahp-session:/s1", At: noon}, rules)
			var r *records.Refusal
			if !errors.As(err, &r) || r.Text != first.words {
				t.Errorf("%s and %s: %v, want %s", first.name, second.name, err, first.words)
			}
		}
	}
}

// TestQueueAHeldTaskSpeaksBeforeAllElse: also where it is removed, and where nothing
// would change.
func TestQueueAHeldTaskSpeaksBeforeAllElse(t *testing.T) {
	t.Parallel()
	q := newQueue(t, held(""))
	q.tree["tasks/t2.md"] = taskFile("t2", "todo")
	q.tree["tasks/t3.md"] = taskFile("t3", "todo", "parent: t1")
	q.book = q.tree.book()
	q.rules.KnownUser = func(string) bool { return false }
	two := q.as(2)
	for _, f := range faults {
		edit := records.SetTask{Task: "t1", Fields: records.Fields{Topic: ptr("x")}} // a note alone is open to all
		f.edit(&edit)
		two.conflict(edit, "t1 is held by w1 in ahp-session:/s1.")
	}
	two.conflict(records.RemoveTask{Task: "t1"}, "t1 is held by w1 in ahp-session:/s1.")
	two.conflict(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Task t1")}}, "t1 is held by w1 in ahp-session:/s1.")
	two.conflict(records.SetTask{Task: "t1"}, "t1 is held by w1 in ahp-session:/s1.")
}
