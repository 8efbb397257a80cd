package records_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// equals is a list of tasks of one rank, those named held by w1, and t9 behind them.
func equals(heldTasks ...string) tree {
	files := tree{"tasks/t9.md": taskFile("t9", "todo")}
	for _, id := range []string{"t1", "t2", "t3", "t4"} {
		files[records.PathOf(id)] = taskFile(id, "todo", `rank: "A"`)
		if slices.Contains(heldTasks, id) {
			files[records.PathOf(id)] = taskFile(id, "doing", `rank: "A"`, "owner: w1", "lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: w1\n  in: ahp-session:/s1")
		}
	}
	return files
}

// TestQueueRoomIsMadeByWhatIsFree: where equal ranks leave no room, tasks that nobody
// else holds make it, those behind where they may, those before where not.
func TestQueueRoomIsMadeByWhatIsFree(t *testing.T) {
	t.Parallel()
	between := func() records.SetTask { return put("t9", "-", "-", "t2") }
	for name, c := range map[string]struct {
		held    []string
		changed string // the files, "" for a refusal
		of      string // whose task is in the way
	}{
		"nobody's":       {nil, "t3 t4 t9", ""},
		"before is held": {[]string{"t1"}, "t3 t4 t9", ""},
		"behind is held": {[]string{"t4"}, "t1 t2 t9", ""},
		"both are":       {[]string{"t1", "t3"}, "", "t3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, equals(c.held...)).as(2)
			if c.changed == "" {
				q.conflict(between(), c.of+" is held by w1 in ahp-session:/s1.")
				q.order("t1 t2 t3 t4 t9")
				if o := q.do(forced(between())); !slices.Equal(o.Forced, []string{"ahp-session:/s1"}) {
					t.Errorf("forced is %q", o.Forced)
				}
			} else {
				o := q.do(between())
				var changed []string
				for _, f := range o.Files {
					changed = append(changed, strings.TrimSuffix(strings.TrimPrefix(f.Path, "tasks/"), ".md"))
				}
				if got := strings.Join(changed, " "); got != c.changed || len(o.Forced) > 0 {
					t.Errorf("it changes %s, forced is %q", got, o.Forced)
				}
			}
			q.order("t1 t2 t9 t3 t4")
		})
	}
	// The holder moves their own, a new task is placed no other way, and a claim that is
	// over holds nothing.
	q := newQueue(t, equals("t1", "t3"))
	q.as(2).conflict(grow("x", "-", "-", "t2"), "t3 is held by w1 in ahp-session:/s1.")
	q.as(1).do(between())
	q.order("t1 t2 t9 t3 t4")
	q = newQueue(t, equals("t1", "t3")).as(2)
	q.rules.Gone = func(string) bool { return true }
	q.do(between())
	q.order("t1 t2 t9 t3 t4")
}
