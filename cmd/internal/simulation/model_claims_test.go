package simulation_test

import (
	"cmp"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// isOver reports whether a claim has run out.
func (t modelTask) isOver(now time.Time) bool {
	until, timed := records.ParseTime(t.until)
	return t.status == "doing" && timed && !now.Before(until)
}

// asOf is the task as it counts: todo and nobody's once its claim is over.
func (t modelTask) asOf(now time.Time) modelTask {
	if t.isOver(now) {
		t.status, t.active, t.owner, t.heldBy, t.until = "todo", "", "", "", ""
	}
	return t
}

// opens reports whether somebody may change the task at all: what another holds is
// open to a note alone, and what is another's is not to be taken.
func (t modelTask) opens(by string, named map[string]string) bool {
	_, notes := named["note"]
	owner := named["owner"]
	switch {
	case notes && len(named) == 1:
		return true
	case t.heldBy != "":
		return t.heldBy == by
	}
	return owner == "" || t.owner == "" || t.owner == owner || t.owner == by
}

// hold takes whose the task is and who holds it, once its status is what it will be. It
// is false where a task that is over is claimed, or given back.
func (t *modelTask) hold(old modelTask, by string, named map[string]string, now time.Time) (may bool) {
	owner, owned := named["owner"]
	status := named["status"]
	_, unleased := named["leasedUntil"]
	claims, releases := owned && owner == by && status == "doing", owned && owner == "" && status == "todo" && unleased
	switch old.status {
	case "review", "done", "dropped":
		if claims || releases {
			return false
		}
	}
	switch {
	case owned:
		t.owner = owner
	case old.status != "todo" && t.status == "todo":
		t.owner = ""
	}
	switch {
	case t.status != "doing", owned && owner == "":
		t.heldBy, t.until = "", ""
	case !owned, old.heldBy == owner && old.heldBy == by, old.heldBy == owner && !claims: // as it was
	case old.heldBy == by: // handed on
		t.heldBy = owner
	case old.heldBy != "" || claims: // taken, or taken over
		t.heldBy, t.until = owner, ""
	}
	if span, err := time.ParseDuration(named["leaseFor"]); err == nil && t.status == "doing" {
		t.heldBy = cmp.Or(t.heldBy, t.owner, by)
		t.until = records.FormatTime(now.Add(span))
	}
	return true
}

// reclaim is what a commit of that name does.
func (m *model) reclaim(n int) string {
	t := m.tasks[n]
	if !t.isOver(m.now()) {
		return "its claim is not over"
	}
	m.mint()
	m.tasks[n] = t.asOf(m.now())
	return ""
}

// holds reports whether somebody holds a task of a plan.
func (m *model) holds(plan string) bool {
	for _, t := range m.tasks {
		if t.plan == plan && t.asOf(m.now()).heldBy != "" {
			return true
		}
	}
	return false
}
