package records_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// at gives a time that many minutes after noon.
func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// queue is a desk at which several callers work, each by name and session.
type queue struct{ *desk }

func newQueue(t *testing.T, files tree) queue {
	t.Helper()
	return queue{newDesk(t, files)}
}

// as makes the next calls those of w<n> in its session; of 0 those of ana in none.
func (q queue) as(n int) queue {
	q.mark.By, q.mark.In = "ana", ""
	if n > 0 {
		q.mark.By, q.mark.In = fmt.Sprintf("w%d", n), fmt.Sprintf("ahp-session:/s%d", n)
	}
	return q
}

// claim is what task_claim sends for whoever calls.
func (q queue) claim(id string) records.SetTask {
	return records.SetTask{Task: id, Fields: records.Fields{Owner: &q.mark.By, Status: ptr("doing")}}
}

func release(id string) records.SetTask {
	return records.SetTask{Task: id, Fields: records.Fields{Owner: ptr(""), Status: ptr("todo"), LeasedUntil: &time.Time{}}}
}

func until(e records.SetTask, when time.Time) records.SetTask {
	e.LeasedUntil = &when
	return e
}

func forced(e records.SetTask) records.SetTask {
	e.Force = true
	return e
}

// conflict makes an edit that must be refused in these words and leave nothing.
func (q queue) conflict(e records.Edit, text string) {
	q.t.Helper()
	o, err := q.book.Apply(e, q.mark, q.rules)
	var r *records.Refusal
	kind := records.Conflict
	if strings.Contains(text, " is held by ") {
		kind = records.Held
	}
	if !errors.As(err, &r) || r.Kind != kind || r.Text != "conflict: "+text || len(o.Files) > 0 {
		q.t.Errorf("%+v: %v, %v, want a conflict: %s", e, o.IDs, err, text)
	}
}

// same makes an edit that must be taken and change nothing.
func (q queue) same(e records.Edit) {
	q.t.Helper()
	if o := q.do(e); len(o.Files) > 0 || o.What != "" || len(o.Forced) > 0 {
		q.t.Errorf("%+v changed something: %s %s", e, o.What, o.Forced)
	}
}

// is compares a task's status, owner and lease, as the file has them.
func (q queue) is(id, want string) {
	q.t.Helper()
	task := q.task(id)
	got := string(task.Status) + " " + task.Owner
	if l := task.Lease; l != nil {
		got += strings.TrimRight(" by "+l.By+" "+strings.TrimPrefix(l.In, "ahp-session:/"), " ")
		if l.Until != "" {
			got += " until " + l.Until[11:16]
		}
	}
	if got = strings.TrimSpace(got); got != want {
		q.t.Errorf("%s is %q, want %q", id, got, want)
	}
}

func openTask() tree { return tree{"tasks/t1.md": taskFile("t1", "todo")} }

func TestQueueClaimUnownedIsDoing(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	if o := q.as(1).do(q.as(1).claim("t1")); o.What != "claim" {
		t.Errorf("the edit is a %q", o.What)
	}
	q.is("t1", "doing w1 by w1 s1")
	if task := q.task("t1"); task.Started == nil || task.Lease.At != task.Started.At {
		t.Errorf("started %v, held since %v", task.Started, task.Lease)
	}
}

func TestQueueTheLoserIsToldTheWinner(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(until(q.as(1).claim("t1"), at(30)))
	q.as(2).conflict(q.as(2).claim("t1"), "t1 is held by w1 in ahp-session:/s1 until 2026-10-18T12:30:00.000Z.")
	q.as(1).same(q.as(1).claim("t1"))
}

func TestQueueThePersonHoldsWhereThereIsNoSession(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(0).do(q.as(0).claim("t1"))
	q.is("t1", "doing ana by ana")
	q.as(1).conflict(q.as(1).claim("t1"), "t1 is held by ana.")
	// A session of the same person takes the claim with it, and no second one does.
	hers := q.as(1)
	hers.mark.By = "ana"
	hers.do(hers.claim("t1"))
	q.is("t1", "doing ana by ana s1")
	other := q.as(2)
	other.mark.By = "ana"
	other.conflict(other.claim("t1"), "t1 is held by ana in ahp-session:/s1.")
}

func TestQueueAClaimedTaskIsItsHoldersAlone(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(q.as(1).claim("t1"))
	rename := records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Other")}}
	move := records.SetTask{Task: "t1", Fields: records.Fields{Plan: ptr("")}}
	for _, e := range []records.Edit{rename, set("t1", "done"), move, set("t1", "doing"), release("t1"), records.RemoveTask{Task: "t1"}} {
		q.as(2).conflict(e, "t1 is held by w1 in ahp-session:/s1.")
	}
	for _, e := range []records.Edit{
		records.SetTask{Task: "t1", Fields: records.Fields{Note: ptr("Seen")}}, // a note is open to all
		records.ReviewTask{Task: "t1"}, records.Approve{ID: "t1"},
	} {
		q.as(2).do(e)
	}
	q.as(1).do(rename)
	q.as(1).do(move)
	q.as(1).do(set("t1", "done"))
	q.is("t1", "done w1") // who did it stays
}

func TestQueueItsHolderRemovesIt(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(q.as(1).claim("t1"))
	q.as(1).do(records.RemoveTask{Task: "t1"})
	if got := taskIDs(t, q.book); len(got) > 0 {
		t.Errorf("still there: %s", got)
	}
}

func TestQueuePendingAndDoneAreAnyones(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"todo", "blocked", "review", "done", "dropped"} {
		q := newQueue(t, tree{"tasks/t1.md": taskFile("t1", status, "owner: w2")})
		q.as(1).do(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Other")}})
		q.as(1).do(records.RemoveTask{Task: "t1"})
	}
}

func TestQueueAnOwnerOnTodoIsAnAssignment(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	assign := func(name string) records.SetTask {
		return records.SetTask{Task: "t1", Fields: records.Fields{Owner: &name}}
	}
	if o := q.as(1).do(assign("w2")); o.What != "set owner" {
		t.Errorf("the edit is a %q", o.What)
	}
	q.is("t1", "todo w2")
	q.as(1).conflict(q.as(1).claim("t1"), "t1 is assigned to w2.")
	q.as(1).conflict(assign("w3"), "t1 is assigned to w2.")
	q.as(1).do(assign("")) // it is anyone's to clear
	q.as(1).do(q.as(1).claim("t1"))
	q.is("t1", "doing w1 by w1 s1")

	given := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "todo", "owner: w2")})
	given.as(2).do(given.as(2).claim("t1"))
	given.is("t1", "doing w2 by w2 s2")
}

func TestQueueRelease(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(until(q.as(1).claim("t1"), at(5)))
	q.as(1).do(records.SetTask{Task: "t1", Fields: records.Fields{Active: ptr("reading")}})
	if o := q.as(1).do(release("t1")); o.What != "release" || q.task("t1").Active != "" {
		t.Errorf("the edit is a %q and leaves %+v", o.What, q.task("t1"))
	}
	q.is("t1", "todo")
	q.as(2).same(release("t1"))

	assigned := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "todo", "owner: w2")})
	assigned.as(1).do(release("t1"))
	assigned.is("t1", "todo")
	waiting := newQueue(t, tree{"tasks/t1.md": taskFile("t1", "blocked", "owner: w2")})
	waiting.as(1).do(release("t1"))
	waiting.is("t1", "todo")
	for _, status := range []string{"review", "done", "dropped"} {
		q := newQueue(t, tree{"tasks/t1.md": taskFile("t1", status, "owner: w1")})
		q.as(1).conflict(release("t1"), "t1 is "+status+"; set it to todo first.")
		q.as(1).conflict(q.as(1).claim("t1"), "t1 is "+status+"; set it to todo first.")
		q.as(1).do(set("t1", "todo")) // taking it up again makes it nobody's
		q.is("t1", "todo")
	}
}

func TestQueueHandOnKeepsDoingAndLease(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(until(q.as(1).claim("t1"), at(30)))
	q.as(1).do(records.SetTask{Task: "t1", Fields: records.Fields{Owner: ptr("w2")}})
	q.is("t1", "doing w2 by w2 until 12:30")
	q.as(1).conflict(set("t1", "done"), "t1 is held by w2 until 2026-10-18T12:30:00.000Z.")
	q.as(2).do(q.as(2).claim("t1")) // and takes it into its session
	q.is("t1", "doing w2 by w2 s2 until 12:30")
	q.as(2).do(set("t1", "done"))
}

func TestQueueClaimedAgain(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(until(q.as(1).claim("t1"), at(30)))
	q.as(1).same(q.as(1).claim("t1"))
	q.as(1).do(until(q.as(1).claim("t1"), at(45)))
	q.is("t1", "doing w1 by w1 s1 until 12:45")
}

// TestQueueClaimIsAPatch: who sends the patch of a claim piece by piece gets what
// task_claim gets, and what names no owner writes none.
func TestQueueClaimIsAPatch(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(set("t1", "doing"))
	q.is("t1", "doing")
	q.as(2).do(set("t1", "done"))
	q.is("t1", "done")
	q.as(2).do(set("t1", "todo"))
	patch := records.SetTask{Task: "t1", Fields: records.Fields{Status: ptr("doing"), Owner: ptr("w1"), LeaseFor: ptr(30 * time.Minute)}}
	q.as(1).do(patch)
	q.is("t1", "doing w1 by w1 s1 until 12:30")
	patch.Owner = ptr("w2")
	q.as(2).conflict(patch, "t1 is held by w1 in ahp-session:/s1 until 2026-10-18T12:30:00.000Z.")
}

// TestQueueNobodyClaimsForAnother: who is given a task in doing has it, and holds it
// once they claim it.
func TestQueueNobodyClaimsForAnother(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(1).do(records.SetTask{Task: "t1", Fields: records.Fields{Status: ptr("doing"), Owner: ptr("w2")}})
	q.is("t1", "doing w2")
	q.as(1).conflict(q.as(1).claim("t1"), "t1 is assigned to w2.")
	q.as(2).do(q.as(2).claim("t1"))
	q.is("t1", "doing w2 by w2 s2")
}

func TestQueueOwnersAreOneLineAndKnown(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	owner := func(name string) records.SetTask {
		return records.SetTask{Task: "t1", Fields: records.Fields{Owner: &name}}
	}
	q.refused(owner("a\nb"), records.Invalid, "owner must be one line.")
	q.do(owner("anybody"))
	q.do(owner(""))
	q.rules.KnownUser = func(name string) bool { return name == "w2" }
	q.refused(owner("stranger"), records.Invalid, "owner must match the id of a known user.")
	q.do(owner("w2"))
	q.refused(records.AddTask{Fields: records.Fields{Title: ptr("A"), Owner: ptr("stranger")}}, records.Invalid, "owner must match the id of a known user.")
	q.do(records.AddTask{Fields: records.Fields{Title: ptr("A"), Owner: ptr("w2")}})
	q.is("t2", "todo w2")
}

// TestQueueTheCallerIsAKnownUserAsWell: who claims is held to the user directory as
// whoever is named.
func TestQueueTheCallerIsAKnownUserAsWell(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.rules.KnownUser = func(name string) bool { return name == "w2" }
	q.as(1).refused(q.as(1).claim("t1"), records.Invalid, "owner must match the id of a known user.")
	q.as(2).do(q.as(2).claim("t1"))
	q.is("t1", "doing w2 by w2 s2")
}

// TestQueueASessionProvesNobody: whoever names a user's session holds nothing of
// theirs; what somebody who is no user claimed is whoever's that names the session.
func TestQueueASessionProvesNobody(t *testing.T) {
	t.Parallel()
	q := newQueue(t, openTask())
	q.as(3).do(q.as(3).claim("t1"))
	q.rules.KnownUser = func(name string) bool { return name == "w1" || name == "w2" }
	q.mark.By = "w2"
	q.do(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("B")}})
	q.is("t1", "doing w3 by w3 s3")
	q.do(release("t1"))
	q.as(1).do(q.as(1).claim("t1"))
	for _, other := range []string{"w2", "", "claude"} {
		q.as(1).mark.By = other
		q.conflict(records.SetTask{Task: "t1", Fields: records.Fields{Status: ptr("done")}}, "t1 is held by w1 in ahp-session:/s1.")
		q.conflict(release("t1"), "t1 is held by w1 in ahp-session:/s1.")
	}
	q.as(1).do(release("t1"))
}
