package translate

import (
	"fmt"

	"github.com/git-tasks/git-tasks/records"
)

// The words of a checked list for a status.
const (
	pending    = "pending"
	inProgress = "in_progress"
	completed  = "completed"
)

// Word gives the one of the three words of a checked list that a task's status is
// shown by: what is blocked is still to be done, and what waits for a review is
// not yet completed.
func Word(s records.Status) string {
	switch s {
	case records.Doing, records.Review:
		return inProgress
	case records.Done:
		return completed
	}
	return pending
}

// judge refuses a checked list of which an entry goes back. An entry whose word is
// already that of its step leaves its status alone: somebody who blocked a step, or
// gave it for review, meant more than the list can say.
func (p *planner) judge(list []Entry, m *matching) error {
	for i, t := range m.task {
		if t == nil || p.hasLeft(t) || p.isHeld(t) {
			continue // a step that is listed again begins anew, another's is left to them
		}
		was, is := Word(t.Status), list[i].Status
		switch {
		case was == is:
			list[i].Status = ""
		case was == completed, is == pending:
			return refuse(fmt.Sprintf("todos[%d].status", i), "must not go from "+was+" to "+is+".")
		case is == completed:
			p.made.Finished++
		}
	}
	for _, t := range p.steps {
		if t.Status == records.Done && p.wrote(t) && !m.taken[t] {
			p.made.Left = append(p.made.Left, t.ID)
		}
	}
	return nil
}

// isHeld reports whether another one holds a step, to whom a checked list leaves it.
func (p *planner) isHeld(t *records.Task) bool {
	return t != nil && p.update.Checked && p.memory.Held != nil && p.memory.Held(t) != ""
}

// leave leaves a step to who holds it.
func (p *planner) leave(t *records.Task) { p.made.Held = append(p.made.Held, t) }

// hasLeft reports whether a step is on a checked list no more: it was dropped, or let
// go of once it was done. Where nothing is remembered of that it is on the list.
func (p *planner) hasLeft(t *records.Task) bool {
	return p.update.Checked && (t.Status == records.Dropped || p.left[t.ID])
}

// activeOf gives the active form of an entry of a checked list: what it says, while
// its step is in progress, or what it said before that. What it says of a step that
// is not is kept for then.
func (p *planner) activeOf(e Entry, t *records.Task) string {
	if !p.wrote(t) {
		return e.Active
	}
	status, _ := statusOf(e.Status)
	if !isDoing(status, t) {
		p.keep(t.Source.ID, e.Active)
		return ""
	}
	if e.Active == "" && t.Active == "" {
		return p.kept(t.Source.ID)
	}
	return e.Active
}

// keepOnly keeps the active form of a new entry, and nothing of a step that had its
// id before.
func (p *planner) keepOnly(e Entry) {
	active := e.Active
	if status, _ := statusOf(e.Status); status == records.Doing {
		active = ""
	}
	if p.kept(e.ID) != active {
		p.remember(e.ID, active)
	}
}
