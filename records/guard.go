package records

import (
	"reflect"
	"slices"
)

// The rules of a change of one task look at its state in one order, and the first
// that refuses speaks: whose the task is (guard), for a removal the tasks below it,
// the fields, whether a new owner is known, the moves of status (checkMove), the
// lease, the tasks that it waits for, its place in the tree and among its siblings.
// What was refused for the form of the input never got here, and what changes
// nothing is found last.

// conflict refuses what the state of a task does not allow.
func conflict(id, text string) *Refusal {
	return &Refusal{Kind: Conflict, Of: id, Text: "conflict: " + text + "."}
}

// isHeld refuses what only the holder of a task may do.
func (t *Task) isHeld() *Refusal {
	r := conflict(t.ID, t.heldBy())
	r.Kind, r.See = Held, "task_get"
	return r
}

// assigned refuses to take a task from its owner.
func assigned(id, owner string) *Refusal {
	return conflict(id, id+" is assigned to "+Visible(owner))
}

// guard keeps a task in doing under a live lease for its holder, and one with an
// owner from being taken by another. named is what the change names, nil for a
// removal; a note is open to all. With force it lets pass what it would refuse, and
// gives whose task that was: "" where nothing stood in the way.
func (t *Task) guard(named *Fields, m Mark, r Rules, force bool) (lifted string, err error) {
	held := t.held(m.now(), r.Gone)
	switch {
	case named != nil && named.onlyNote():
		return "", nil
	case held && !t.Lease.isOf(m, r):
		lifted, err = t.Lease.holder(), t.isHeld()
	case held, named == nil || named.Owner == nil || *named.Owner == "", t.Owner == "" || t.Owner == *named.Owner, t.Owner == m.who():
		return "", nil // the holder may hand it on, an owner give it away
	default:
		lifted, err = t.Owner, assigned(t.ID, t.Owner)
	}
	if force {
		return lifted, nil
	}
	return "", err
}

// onlyNote reports whether a patch names a note and nothing else.
func (f *Fields) onlyNote() bool {
	return f.Note != nil && reflect.DeepEqual(*f, Fields{Note: f.Note})
}

// takeOwner takes whose the task is, which a move back to todo clears.
func (t *Task) takeOwner(old *Task, f *Fields, m Mark, r Rules) error {
	if f.Owner == nil {
		if old.Status != Todo && t.Status == Todo {
			t.Owner = ""
		}
		return nil
	}
	is := *f.Owner
	if is != "" && is != old.Owner && r.KnownUser != nil && !r.KnownUser(is) {
		return invalid("owner", mustBeUser)
	}
	t.Owner = is
	return nil
}

// checkMove refuses moves of status. A claim begins what waits to be done, once
// nothing that it waits for is open; other moves to doing, and to done, are asked
// that only where the settings say so.
func (b *Book) checkMove(t, old *Task, f *Fields, m Mark, r Rules) error {
	claims := f.claims(m)
	switch old.Status {
	case Review, Done, Dropped:
		if claims || f.releases() {
			return conflict(old.ID, old.ID+" is "+string(old.Status)+"; set it to todo first")
		}
	}
	begins := t.Status == Doing && old.Status != Doing
	if !begins || !claims && !r.GateOnBlockers {
		if !r.CloseGate || t.Status != Done || old.Status == Done {
			return nil
		}
	}
	waits := *old
	if f.BlockedBy != nil {
		waits.BlockedBy = slices.DeleteFunc(slices.Clone(*f.BlockedBy), func(id string) bool {
			known, err := b.Task(id)
			return id == old.ID || err != nil || known == nil && !slices.Contains(old.BlockedBy, id)
		})
	}
	open, err := b.OpenBlockers(&waits)
	if err != nil || len(open) == 0 {
		return err
	}
	return blockedBy(old.ID, open)
}

// lift notes whose claims or assignments gave way to force, "" for none.
func (o *Outcome) lift(holders ...string) {
	for _, holder := range holders {
		if holder != "" && !slices.Contains(o.Forced, holder) {
			o.Forced = append(o.Forced, holder)
		}
	}
}
