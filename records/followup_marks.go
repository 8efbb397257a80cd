package records

import (
	"maps"
	"slices"
	"time"
)

// account is a record that commits of others touched, and what is known of it.
type account struct {
	id, path string
	draft    *minted // what gives it its id and place, nil for a record
	was      Record  // what the door last had, else as it was added
	author   string  // of the commit that added it
	adder    Mark    // of that commit, without a time where none added it
}

// marked is what one author's follow-up makes of a record, once the host has looked
// at what others made of it: what adding it calls for, what moving it does and
// whatever of the host's was changed, or both.
type marked struct {
	*account
	adds, moves bool
	mover       Mark     // of the commit that moved it
	moved       Status   // what it was moved to, "" for no move
	keys        []string // what was put back
	notes       []string // and in words
}

// findMarks finds the records that commits of others added or moved, or whose keys
// that are the host's they changed, and gives each to the author of the commit that
// did so. Without a Book of our own to compare with nothing is known of either.
func (f *follower) findMarks(before *Book) error {
	if before == nil {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(f.touched)) {
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
		m, err := f.mark(&account{id: formatID(k, l.number), path: path, was: was.record()}, l)
		if err != nil {
			return err
		}
		if m.adds {
			g := f.group(m.author)
			g.marks = append(g.marks, m)
		}
	}
	return nil
}

// mark says what the follow-up of who added a record is to make of it. Where
// somebody else moved it, their group gets a mark of its own.
func (f *follower) mark(a *account, l *leaf) (marked, error) {
	if a.was == nil {
		if err := f.findAdder(a, l); err != nil {
			return marked{}, err
		}
	}
	mover, err := f.moverOf(a.path, statusOf(asMade(l)))
	if err != nil {
		return marked{}, err
	}
	m := marked{account: a, adds: !a.adder.At.IsZero() || a.draft != nil}
	if m.adds && mover.Author == a.author {
		m.moves, m.mover = true, mover.Mark
		return m, nil
	}
	g := f.group(mover.Author)
	g.marks = append(g.marks, marked{account: a, moves: true, mover: mover.Mark})
	return m, nil
}

// findAdder finds who added a record that the door does not know, and how: as the
// commit made it that brought it, but for what nobody but the host can give it.
// Where the trees do not tell it is whoever first touched it, as it is.
func (f *follower) findAdder(a *account, l *leaf) error {
	var adder *Foreign
	for _, i := range f.touched[a.path] {
		c := &f.commits[i]
		if c.Tree == nil {
			if adder == nil {
				adder = c
			}
			break
		}
		then, err := readLeaf(c.Tree, a.path)
		if err != nil {
			return err
		}
		if then == nil {
			adder, a.was = nil, nil
			continue
		}
		if adder == nil {
			adder = c
		}
		if a.was == nil {
			a.was = asMade(then)
		}
	}
	if adder == nil {
		adder = &f.commits[f.touched[a.path][0]]
	}
	if a.was == nil {
		a.was = asMade(l)
	}
	a.author, a.adder = adder.Author, adder.Mark
	return nil
}

// asMade gives a record, or what a draft is to become, without what nobody but the
// host can give it; nil for a file that is neither.
func asMade(l *leaf) Record {
	switch {
	case l == nil:
	case l.task != nil:
		made := *l.task
		made.Approved, made.Lease = nil, nil
		if made.Status == "" {
			made.Status = Todo
		}
		return &made
	case l.plan != nil:
		made := *l.plan
		made.Approved = nil
		if made.Status == "" {
			made.Status = Draft
		}
		return &made
	}
	return nil
}

// moverOf gives the commit that gave a record the status it has: the first behind
// which no commit that touched it has another, as far as their trees are known.
func (f *follower) moverOf(path string, status Status) (*Foreign, error) {
	var mover *Foreign
	for _, i := range slices.Backward(f.touched[path]) {
		c := &f.commits[i]
		if mover == nil {
			mover = c
		}
		if c.Tree == nil {
			break
		}
		l, err := readLeaf(c.Tree, path)
		if err != nil {
			return nil, err
		}
		if made := asMade(l); made == nil || statusOf(made) != status {
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

// settle gives each author's stamps their time: that of the last of what they did,
// since one commit has one time, and a stamp says that of the commit which writes it.
// It is no earlier than a stamp that one of the records has, however far back the
// commits are dated, and no move is stamped ahead of the making of what it moves.
// Marks that change nothing go.
func (f *follower) settle() error {
	for i := range f.groups {
		f.groups[i].at = f.groups[i].time(f.tip)
	}
	for range f.groups { // each may have to wait for another
		for i := range f.groups {
			g := &f.groups[i]
			for m := range g.each() {
				if m.moves && !m.adds && !m.adder.At.IsZero() && m.isMoved(f.tip) {
					g.at = later(g.at, f.group(m.author).at)
				}
			}
		}
	}
	for i := range f.groups {
		for m := range f.groups[i].each() {
			if m.adds && !m.adder.At.IsZero() {
				m.adder.At = f.groups[i].at
			}
			if !m.mover.At.IsZero() {
				m.mover.At = f.groups[i].at
			}
		}
	}
	var failed error
	for i := range f.groups {
		g := &f.groups[i]
		g.marks = slices.DeleteFunc(g.marks, func(m marked) bool {
			l, err := f.tip.at(m.path)
			if err != nil {
				failed = err
				return true
			}
			is := recordOf(l.task, l.plan)
			return same(m.apply(is), is)
		})
	}
	return failed
}

// each yields all that the group makes of records, its drafts among them.
func (g *group) each() func(yield func(*marked) bool) {
	return func(yield func(*marked) bool) {
		for _, d := range g.drafts {
			if !yield(&d.mark) {
				return
			}
		}
		for i := range g.marks {
			if !yield(&g.marks[i]) {
				return
			}
		}
	}
}

// time gives the time of the group's stamps, zero where it has none to write.
func (g *group) time(tip *Book) (at time.Time) {
	for m := range g.each() {
		when := time.Time{}
		if m.adds {
			when = m.adder.At
		}
		if m.moves && m.isMoved(tip) {
			when = later(when, m.mover.At)
		}
		if when.IsZero() {
			continue
		}
		at = later(at, when)
		for _, s := range m.was.Stamps() {
			if stamped, ok := s.Time(); ok {
				at = later(at, stamped)
			}
		}
	}
	return at
}

// isMoved reports whether the record has another status than it had.
func (m *marked) isMoved(tip *Book) bool {
	l, err := tip.at(m.path)
	return err == nil && statusOf(asMade(l)) != statusOf(m.was)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
