package records

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// marked is a record as it is to be once the host has looked at what others made
// of it.
type marked struct {
	id, path string
	was, is  Record   // what the door last had, nil for a new one, and what there is
	mark     Mark     // of the commit that moved it
	next     Record   // nil where it is as it should be
	moved    Status   // what it was moved to, "" for no move
	keys     []string // what was put back
	notes    []string // and in words
}

// findMarks finds the records that commits of others moved, or whose keys that are
// the host's they changed, and gives each to the author of the commit that did
// so. Without a Book of our own to compare with nothing is known of either.
func (f *follower) findMarks(before *Book, commits []Foreign) error {
	if before == nil {
		return nil
	}
	for path := range f.touched {
		l, err := f.tip.at(path)
		if err != nil {
			return err
		}
		if l.record() == nil || !writable(path) {
			continue
		}
		k := kindOfPath(path)
		holder, err := f.tip.holder(k, l.number, false)
		if err != nil {
			return err
		}
		if holder.path != path {
			continue
		}
		was, err := before.holder(k, l.number, false)
		if err != nil {
			return err
		}
		if was != nil && was.record() == nil {
			continue // it was broken when we last wrote: what it said then is history's
		}
		by, err := moverOf(path, l.record(), commits)
		if err != nil {
			return err
		}
		known := was.record()
		if known == nil {
			if known, err = madeAs(path, commits); err != nil {
				return err
			}
		}
		g := f.group(by.Author)
		g.marks = append(g.marks, marked{id: formatID(k, l.number), path: path, was: known, is: l.record(), mark: by.Mark})
	}
	for i := range f.groups {
		f.groups[i].settle()
	}
	return nil
}

// settle works out what an author's records are to be. All of the moves are stamped
// with the time of the last: one commit has one time, and a stamp says that of the
// commit which writes it. It is no earlier than a stamp that one of the records has,
// however far back the commits are dated.
func (g *group) settle() {
	slices.SortFunc(g.marks, func(a, b marked) int { return strings.Compare(a.path, b.path) })
	for _, m := range g.marks {
		if m.was == nil || m.mark.At.IsZero() || statusOf(m.was) == statusOf(m.is) {
			continue
		}
		g.at = later(g.at, m.mark.At)
		for _, s := range m.was.Stamps() {
			if at, ok := s.Time(); ok {
				g.at = later(g.at, at)
			}
		}
	}
	for i := range g.marks {
		if m := &g.marks[i]; !m.mark.At.IsZero() {
			m.mark.At = g.at
		}
		g.marks[i].settle()
	}
	g.marks = slices.DeleteFunc(g.marks, func(m marked) bool { return m.next == nil })
}

// madeAs gives a record as the commit made it that brought it, but for what nobody
// but the host can give it; nil where that commit's tree is not known, or has no
// such record.
func madeAs(path string, commits []Foreign) (Record, error) {
	for _, c := range commits {
		if !slices.ContainsFunc(c.Paths, func(p string) bool { return reach(p) == path }) {
			continue
		}
		if c.Tree == nil {
			return nil, nil
		}
		l, err := readLeaf(c.Tree, path)
		if err != nil {
			return nil, err
		}
		switch r := l.record().(type) {
		case *Task:
			made := *r
			made.Approved, made.Lease = nil, nil
			return &made, nil
		case *Plan:
			made := *r
			made.Approved = nil
			return &made, nil
		}
		return nil, nil
	}
	return nil, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// moverOf gives the commit that gave a record the status it has: the first behind
// which no commit that touched it has another, as far as their trees are known.
func moverOf(path string, is Record, commits []Foreign) (Foreign, error) {
	var mover Foreign
	for _, c := range slices.Backward(commits) {
		if !slices.ContainsFunc(c.Paths, func(p string) bool { return reach(p) == path }) {
			continue
		}
		if mover.Paths == nil {
			mover = c
		}
		if c.Tree == nil {
			break
		}
		l, err := readLeaf(c.Tree, path)
		if err != nil {
			return Foreign{}, err
		}
		if l.record() == nil || statusOf(l.record()) != statusOf(is) {
			break
		}
		mover = c
	}
	return mover, nil
}

func statusOf(r Record) Status {
	switch r := r.(type) {
	case *Task:
		return r.Status
	case *Plan:
		return r.Status
	}
	return ""
}

// settle works out what the record is to be.
func (m *marked) settle() {
	was, mark := m.was, m.mark
	switch is := m.is.(type) {
	case *Task:
		t, before := *is, &Task{}
		if b, ok := was.(*Task); ok && b != nil {
			before = b
		}
		m.putBack(was != nil, before.appendStamps(nil), t.appendStamps(nil))
		if !same(&Task{Lease: before.Lease}, &Task{Lease: t.Lease}) {
			m.note("lease", before.Lease == nil)
			t.Lease = before.Lease
		}
		if before.Status == Doing && t.Status == Doing && t.Owner != before.Owner {
			m.note("owner", before.Owner == "")
			t.Owner = before.Owner
		}
		if was != nil && !mark.At.IsZero() && before.Status != t.Status {
			m.moved = t.Status
			t.moveByHand(before, mark)
		}
		if !same(&t, is) {
			m.next = &t
		}
	case *Plan:
		p, before := *is, &Plan{}
		if b, ok := was.(*Plan); ok && b != nil {
			before = b
		}
		m.putBack(was != nil, before.appendStamps(nil), p.appendStamps(nil))
		if was != nil && !mark.At.IsZero() && before.Status != p.Status {
			m.moved = p.Status
			p.Status = before.Status
			p.move(m.moved, mark)
		}
		if !same(&p, is) {
			m.next = &p
		}
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
	if to == Todo && t.Lease != nil && t.Owner == before.Owner {
		t.Owner = ""
	}
	t.Lease = nil
}

// putBack makes the stamps what they were. Those of a new record stand, but that
// nobody has approved it.
func (m *marked) putBack(known bool, was, is []key) {
	for i, k := range is {
		had, has := *was[i].field.(**Stamp), *k.field.(**Stamp)
		if !known && k.name != "approved" || sameValue(stampValue(had), stampValue(has)) {
			continue
		}
		*k.field.(**Stamp) = had
		m.note(k.name, had == nil)
	}
}

func (m *marked) note(key string, gone bool) {
	m.keys, m.notes = append(m.keys, key), append(m.notes, putBackNote(key, m.id, gone))
}

func putBackNote(key, id string, gone bool) string {
	if gone {
		return fmt.Sprintf("took %s out of %s: no tool wrote it", key, id)
	}
	return fmt.Sprintf("put %s of %s back as it was: no tool changed it", key, id)
}

// write gives the record's file, nil where it cannot be written: it is left as it
// is then, and named by whoever looks at the history.
func (m *marked) write(fsys fs.FS) ([]byte, error) {
	source, err := fs.ReadFile(fsys, m.path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", m.path, err)
	}
	data, err := Splice(source, m.next)
	if err != nil {
		return nil, nil
	}
	return data, nil
}
