package records

import (
	"fmt"
	"io/fs"
	"slices"
)

// apply gives the record as the follow-up is to leave it. It is worked out on what
// there is when it is written: one that comes before may have given the record its
// id, turned names into ids, or stamped it for somebody else.
func (m *marked) apply(r Record) Record {
	m.moved, m.keys, m.notes = "", nil, nil
	switch is := r.(type) {
	case *Task:
		t, was := *is, *m.was.(*Task)
		if t.Status == "" {
			t.Status = Todo
		}
		m.stamp(was.appendStamps(nil), t.appendStamps(nil), was.Status, func() { m.settleTask(&was, &t) })
		return &t
	case *Plan:
		p, was := *is, *m.was.(*Plan)
		if p.Status == "" {
			p.Status = Draft
		}
		m.stamp(was.appendStamps(nil), p.appendStamps(nil), was.Status, func() {
			m.putBack(was.appendStamps(nil), p.appendStamps(nil))
			if m.moves && !m.mover.At.IsZero() && was.Status != p.Status {
				m.moved = p.Status
				p.Status = was.Status
				p.move(m.moved, m.mover)
			}
		})
		return &p
	}
	return r
}

// stamp gives a new record the stamps that a tool would have given it, as of whoever
// added it, and has the rest done around them: what somebody else did with the record
// is judged with them in place, whichever of the two follow-ups is written first, and
// leaves them to the other.
func (m *marked) stamp(was, is []key, made Status, rest func()) {
	stamp := m.adder.stamp()
	var owed []int
	var had []*Stamp
	for i, k := range was {
		if m.adder.At.IsZero() || !calledFor(k.name, made) || *k.field.(**Stamp) != nil {
			continue
		}
		field := is[i].field.(**Stamp)
		owed, had = append(owed, i), append(had, *field)
		if m.adds && *field != nil && !sameStamp(*field, stamp) {
			m.note(k.name, false)
		}
		*k.field.(**Stamp), *field = stamp, stamp
	}
	rest()
	if m.adds && m.moved == "" && slices.ContainsFunc(owed, func(i int) bool { return was[i].name != "created" }) {
		m.moved = made
	}
	if m.adds {
		return
	}
	for n, i := range owed {
		if !sameStamp(had[n], stamp) {
			*is[i].field.(**Stamp) = nil
		}
	}
}

// calledFor reports whether a record that is made with a status has a stamp.
func calledFor(key string, made Status) bool {
	switch key {
	case "created":
		return true
	case "started":
		return made == Doing
	case "finished":
		return made == Review || made == Done || made == Dropped
	}
	return false
}

// settleTask puts back what is the host's, and makes the move.
func (m *marked) settleTask(was, t *Task) {
	m.putBack(was.appendStamps(nil), t.appendStamps(nil))
	if !same(&Task{Lease: was.Lease}, &Task{Lease: t.Lease}) {
		m.note("lease", was.Lease == nil)
		t.Lease = was.Lease
	}
	if was.Status == Doing && t.Status == Doing && t.Owner != was.Owner {
		m.note("owner", was.Owner == "")
		t.Owner = was.Owner
	}
	if m.moves && !m.mover.At.IsZero() && was.Status != t.Status {
		m.moved = t.Status
		t.moveByHand(was, m.mover)
	}
}

// moveByHand makes the move that a person made in the file, with what goes with
// it: stamps are written, and what only a task in doing has goes.
func (t *Task) moveByHand(before *Task, mark Mark) {
	to := t.Status
	t.Status = before.Status
	t.move(to, mark)
	if to == Doing {
		return
	}
	if before.Status == Doing {
		t.Active = ""
	}
	if to == Todo && t.Owner == before.Owner {
		t.Owner = ""
	}
	t.Lease = nil
}

// putBack makes the stamps what they were. Where somebody else moved the record it
// is theirs to do, but for an approval: nothing is made with one.
func (m *marked) putBack(was, is []key) {
	for i, k := range is {
		had, has := *was[i].field.(**Stamp), *k.field.(**Stamp)
		if !m.moves && k.name != "approved" || sameValue(stampValue(had), stampValue(has)) {
			continue
		}
		*k.field.(**Stamp) = had
		m.note(k.name, had == nil)
	}
}

func (m *marked) note(key string, gone bool) {
	text := fmt.Sprintf("put %s of %s back as it was: no tool changed it", key, m.id)
	if gone {
		text = fmt.Sprintf("took %s out of %s: no tool wrote it", key, m.id)
	}
	m.keys, m.notes = append(m.keys, key), append(m.notes, text)
}

// write gives the record's file, nil where nothing is to be done, or where it cannot
// be written: it is left as it is then, and named by whoever looks at the history.
func (m *marked) write(b *Book) ([]byte, error) {
	source, is, err := b.text(m.path)
	if err != nil || is == nil {
		return nil, err
	}
	next := m.apply(is)
	if same(next, is) {
		return nil, nil
	}
	data, err := Splice(source, next)
	if err != nil {
		return nil, nil
	}
	return data, nil
}

// text gives a file and what it says, nil where it is neither record nor draft.
func (b *Book) text(path string) ([]byte, Record, error) {
	l, err := b.at(path)
	if err != nil || l == nil {
		return nil, nil, err
	}
	source, err := fs.ReadFile(b.fsys, path)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", path, err)
	}
	return source, recordOf(l.task, l.plan), nil
}
