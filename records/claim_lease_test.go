package records_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// held is a tree with t1 held by w1 in s1 until a time, "" for never.
func held(until string, more ...string) tree {
	lines := append([]string{"owner: w1", "lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: w1\n  in: ahp-session:/s1"}, more...)
	if until != "" {
		lines[1] += "\n  until: 2026-10-18T" + until + ":00.000Z"
	}
	return tree{"tasks/t1.md": taskFile("t1", "doing", lines...)}
}

func leased(when time.Time) records.SetTask {
	return records.SetTask{Task: "t1", Fields: records.Fields{LeasedUntil: &when}}
}

func TestQueueForceTakesOverAndIsTold(t *testing.T) {
	t.Parallel()
	q := newQueue(t, held("12:30"))
	if o := q.as(2).do(forced(q.as(2).claim("t1"))); !slices.Equal(o.Forced, []string{"ahp-session:/s1"}) {
		t.Errorf("forced is %q", o.Forced)
	}
	q.is("t1", "doing w2 by w2 s2")
	for name, c := range map[string]struct {
		tree tree
		edit records.Edit
		want string
	}{
		"the holder's own": {held(""), forced(set("t1", "done")), ""},
		"an assignment":    {tree{"tasks/t1.md": taskFile("t1", "todo", "owner: w2")}, forced(q.as(1).claim("t1")), "w2"},
		"an unowned one":   {openTask(), forced(q.as(1).claim("t1")), ""},
		"a removal":        {held(""), records.RemoveTask{Task: "t1", Force: true}, "ahp-session:/s1"},
		"a release":        {held(""), forced(release("t1")), "ahp-session:/s1"},
		"a claim that ran out": {held("11:00"), forced(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("A")}}),
			""},
	} {
		q := newQueue(t, c.tree).as(1)
		if c.want == "ahp-session:/s1" {
			q = q.as(2)
		}
		if o := q.do(c.edit); strings.Join(o.Forced, ",") != c.want || len(o.Files) == 0 {
			t.Errorf("%s: forced is %q, want %q", name, o.Forced, c.want)
		}
	}
}

func TestQueueForceLiftsTheGuardAlone(t *testing.T) {
	t.Parallel()
	base := held("12:30", "blockedBy:\n  - t2")
	base["tasks/t2.md"] = taskFile("t2", "todo")
	base["tasks/t3.md"] = taskFile("t3", "todo", "parent: t1")
	base["tasks/t4.md"] = taskFile("t4", "todo", "blockedBy:\n  - t2")
	q := newQueue(t, base).as(2)
	q.conflict(forced(q.claim("t4")), "t4 is blocked by t2.")
	q.conflict(records.RemoveTask{Task: "t1", Force: true}, "t1 is the parent of t3.")
	q.refused(forced(leased(noon)), records.Invalid, "leasedUntil must be in the future.")
	q.refused(forced(records.SetTask{Task: "t1", Fields: records.Fields{BlockedBy: &[]string{"t1"}}}), records.Invalid, "blockedBy must not name the task itself.")
	q.refused(forced(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("a\nb")}}), records.Invalid, "title must be one line of at most 256 bytes.")
}

func TestQueueLeasesEndInTheFuture(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask()).as(1)
	for _, when := range []time.Time{noon, noon.Add(-time.Second), noon.Add(999 * time.Microsecond)} {
		q.refused(until(q.claim("t1"), when), records.Invalid, "leasedUntil must be in the future.")
		q.refused(leased(when), records.Invalid, "leasedUntil must be in the future.")
	}
	q.do(until(q.claim("t1"), noon.Add(time.Millisecond)))
	q.do(leased(time.Time{})) // 0 clears it, and the claim stays
	q.is("t1", "doing w1 by w1 s1")
	q.same(leased(time.Time{}))
	q.do(leased(at(10)))
	q.is("t1", "doing w1 by w1 s1 until 12:10")
	q.do(set("t1", "blocked")) // leaving doing drops it
	q.is("t1", "blocked w1")
	q.same(leased(at(10))) // elsewhere it is stored as none
}

func TestQueueALeaseOnTodoIsStoredAsNone(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask()).as(1)
	q.same(leased(at(10)))
	q.refused(leased(noon), records.Invalid, "leasedUntil must be in the future.")
	q.do(set("t1", "doing"))
	q.do(leased(at(10))) // in doing it makes whoever says so the holder
	q.is("t1", "doing  by w1 s1 until 12:10")
}

func TestQueueALeaseCountsUntilItsTime(t *testing.T) {
	t.Parallel()
	q := newQueue(t, held("12:30"))
	q.mark.At = at(30).Add(-time.Millisecond)
	q.as(2).conflict(q.as(2).claim("t1"), "t1 is held by w1 in ahp-session:/s1 until 2026-10-18T12:30:00.000Z.")
	q.mark.At = at(30)
	q.as(2).do(q.as(2).claim("t1"))
	q.is("t1", "doing w2 by w2 s2")
}

// TestP20LeasesGoByTheWallClock: where stamps must be later than the clock, since it
// went back, a lease is judged by the clock all the same.
func TestP20LeasesGoByTheWallClock(t *testing.T) {
	t.Parallel()
	q := newQueue(t, held("12:30"))
	q.mark.At, q.mark.Now = at(60), noon
	q.as(2).conflict(q.as(2).claim("t1"), "t1 is held by w1 in ahp-session:/s1 until 2026-10-18T12:30:00.000Z.")
	q.as(1).do(until(q.as(1).claim("t1"), at(45)))
}

// TestQueueReclaim: what reads sees, what the edit of its own writes, and what stays.
func TestQueueReclaim(t *testing.T) {
	t.Parallel()
	kept := []string{"parent: t9", "rank: \"V\"", "blockedBy:\n  - t2", "active: reading", "note: half way", "metadata:\n  k: v"}
	for name, c := range map[string]struct {
		until, want string
		gone        func(string) bool
	}{
		"its time is up":      {"11:59", "ahp-session:/s1 lease", nil},
		"exactly now":         {"12:00", "ahp-session:/s1 lease", nil},
		"its session is gone": {"12:30", "ahp-session:/s1 session", func(s string) bool { return s == "ahp-session:/s1" }},
		"without an end":      {"", "ahp-session:/s1 session", func(s string) bool { return s == "ahp-session:/s1" }},
		"live, and no one's":  {"", "", nil},
		"live, and in time":   {"12:30", "", func(s string) bool { return s == "ahp-session:/s2" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, held(c.until, kept...)).as(2)
			q.rules.Gone = c.gone
			o := q.do(records.Reclaim{Task: "t1"})
			if o.Reclaimed != c.want || (len(o.Files) > 0) != (c.want != "") {
				t.Fatalf("reclaimed %q in %d files, want %q", o.Reclaimed, len(o.Files), c.want)
			}
			if c.want == "" {
				q.is("t1", "doing w1 by w1 s1"+map[string]string{"12:30": " until 12:30"}[c.until])
				return
			}
			q.is("t1", "todo")
			task := q.task("t1")
			if task.Parent != "t9" || task.Rank != "V" || task.BlockedBy[0] != "t2" || task.Note != "half way" || task.Metadata["k"] != "v" || task.Active != "" {
				t.Errorf("it keeps %+v", task)
			}
		})
	}
}

func TestQueueAbandonedIsAnyonesToRelease(t *testing.T) {
	t.Parallel()
	for _, e := range []records.Edit{release("t1"), set("t1", "done"), records.RemoveTask{Task: "t1"}} {
		newQueue(t, held("11:00")).as(2).do(e)
	}
	// Whoever sets a lease alone, the old holder too, finds it todo.
	q := newQueue(t, held("11:00")).as(1)
	q.do(leased(at(30)))
	q.is("t1", "todo")
	again := newQueue(t, held("11:00")).as(1)
	again.do(until(again.claim("t1"), at(30)))
	again.is("t1", "doing w1 by w1 s1 until 12:30")
}

func TestQueueDoingWithoutALeaseIsNeverAbandoned(t *testing.T) {
	t.Parallel()
	q := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "doing", "owner: w1", "session: ahp-session:/s1")})
	q.rules.Gone = func(string) bool { return true }
	q.same(records.Reclaim{Task: "t1"})
	q.as(2).conflict(q.as(2).claim("t1"), "t1 is assigned to w1.")
}

// TestQueueAListThatIsHandedOverMeetsTheGuard: several edits as one are held to whose
// the tasks are as each alone is, by what counts when they are made.
func TestQueueAListThatIsHandedOverMeetsTheGuard(t *testing.T) {
	t.Parallel()
	q := newQueue(t, held(""))
	handed := records.Translation{set("t1", "done")}
	q.as(2).conflict(handed, "t1 is held by w1 in ahp-session:/s1.")
	q.rules.Gone = func(string) bool { return true }
	q.as(2).do(handed)
	q.is("t1", "done")
}

// TestQueueReadersSeeWhatCounts: by its id, in every list, as a blocker and as what
// is ready, before and after the whole tree was read, and no file differs.
func TestQueueReadersSeeWhatCounts(t *testing.T) {
	t.Parallel()
	files := held("12:00", "plan: p1")
	files["tasks/t2.md"] = taskFile("t2", "doing", "owner: w1", "plan: p1", "lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: w1\n  until: 2026-10-18T12:30:00.000Z")
	files["plans/p1.md"] = planFile("p1", "active")
	for _, read := range []bool{false, true} {
		book := files.book()
		if read {
			taskIDs(t, book)
		}
		for minutes, want := range map[int]string{-1: "doing doing", 0: "todo doing", 29: "todo doing", 30: "todo todo"} {
			seen := book.AsOf(at(minutes), nil)
			one, two := showTask(t, seen, "t1"), showTask(t, seen, "t2")
			if got := string(one.Status) + " " + string(two.Status); got != want {
				t.Errorf("after %d minutes they are %s, want %s", minutes, got, want)
			}
			yes := true
			page, _, err := seen.Select(records.Filter{Ready: &yes, Plan: "p1"}, 0, 0)
			if len(page) != ready(want) || err != nil {
				t.Errorf("after %d minutes %d are ready, %v", minutes, len(page), err)
			}
			if page, _, _ := seen.Select(records.Filter{Owner: "w1"}, 0, 0); len(page) != 2-ready(want) {
				t.Errorf("after %d minutes w1 has %d", minutes, len(page))
			}
		}
		if book.AsOf(at(-1), nil) != book && read {
			t.Error("where nothing is over the Book is another")
		}
		if claims, err := book.Claims(); err != nil || len(claims) != 2 || claims[0].ID != "t1" {
			t.Errorf("claims %v, %v", claims, err)
		}
	}
}

// ready is how many tasks of some states are todo.
func ready(states string) int { return strings.Count(states, "todo") }

func showTask(t *testing.T, b *records.Book, id string) *records.Task {
	t.Helper()
	task, err := b.Task(id)
	if err != nil || task == nil {
		t.Fatalf("%s: %v, %v", id, task, err)
	}
	return task
}

// TestQueueNoLeaseIsMadeForAnother: a lease says who holds a task, so nobody but them
// makes it, whatever a change says of when it ends.
func TestQueueNoLeaseIsMadeForAnother(t *testing.T) {
	t.Parallel()
	given := tree{"tasks/t1.md": taskFile("t1", "doing", "owner: w2")}
	todo := tree{"tasks/t1.md": taskFile("t1", "todo", "owner: w2")}
	half := 30 * time.Minute
	withStatus, withOwner := leased(at(30)), leased(at(30))
	withStatus.Status = ptr("doing")
	withOwner.Status, withOwner.Owner = ptr("doing"), ptr("w2")
	for _, files := range []tree{given, todo} {
		for _, e := range []records.SetTask{withStatus, withOwner, {Task: "t1", Fields: records.Fields{Status: ptr("doing"), LeaseFor: &half}}} {
			q := newQueue(t, files)
			q.as(1).conflict(e, "t1 is assigned to w2.")
			q.as(1).conflict(forced(e), "t1 is assigned to w2.")
			q.as(2).do(e)
			q.is("t1", "doing w2 by w2 s2 until 12:30")
		}
	}
	q := newQueue(t, given)
	q.as(1).conflict(leased(at(30)), "t1 is assigned to w2.")
	q.as(1).same(leased(time.Time{}))
	// Another's claim that is lifted to give the task to a third leaves them to claim it.
	q = newQueue(t, held(""))
	q.as(2).do(forced(records.SetTask{Task: "t1", Fields: records.Fields{Owner: ptr("w3")}}))
	q.is("t1", "doing w3")
	// The holder hands it on with all that they have.
	q = newQueue(t, held("12:30"))
	q.as(1).do(records.SetTask{Task: "t1", Fields: records.Fields{Owner: ptr("w3")}})
	q.is("t1", "doing w3 by w3 until 12:30")
}
