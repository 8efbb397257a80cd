package records

import (
	"fmt"
	"slices"
)

// maxAhead is how far above the highest number a file may be named by hand. A
// number far above would leave few for everyone else.
const maxAhead = 1000

// CheckMove is the gate: what is wrong with moving the branch from old to next,
// where the named files differ. Files outside tasks/ and plans/ are of no
// concern to it, and what was wrong before and did not change is not held
// against a move. The faults are sorted by path and line; none means that the
// move may be made. The error says that a tree could not be read.
func CheckMove(old, next *Book, paths []string) ([]Fault, error) {
	m := &move{old: old, next: next}
	for _, path := range paths {
		if ours(path) {
			m.paths = append(m.paths, reach(path))
		}
	}
	slices.Sort(m.paths)
	m.paths = slices.Compact(m.paths)
	for _, path := range m.paths {
		if err := m.check(path); err != nil {
			return nil, err
		}
	}
	sortFaults(m.faults)
	return m.faults, nil
}

// move is one move being judged.
type move struct {
	old, next *Book
	paths     []string // sorted, those of the collections alone
	gone      []*leaf  // records of old whose number has no file in next
	looked    bool     // whether gone was found yet
	faults    []Fault
}

// change is one changed file: what it was and what it is, either may be nil.
type change struct {
	path    string
	was, is *leaf
}

func (m *move) add(f Fault) { m.faults = append(m.faults, f) }

// findGone notes the records that the move takes away, once.
func (m *move) findGone() error {
	if m.looked {
		return nil
	}
	m.looked = true
	for _, path := range m.paths {
		was, err := m.old.at(path)
		if err != nil {
			return err
		}
		if was == nil || !was.record() {
			continue
		}
		is, err := m.next.at(path)
		if err != nil {
			return err
		}
		if is != nil {
			continue
		}
		holder, err := m.next.holder(kindOfPath(path), was.number, true)
		if err != nil {
			return err
		}
		if holder == nil {
			m.gone = append(m.gone, was)
		}
	}
	return nil
}

func (m *move) check(path string) error {
	was, err := m.old.at(path)
	if err != nil {
		return err
	}
	is, err := m.next.at(path)
	if err != nil {
		return err
	}
	c := change{path: path, was: was, is: is}
	k := kindOfPath(path)
	switch {
	case path == HighestPath(k):
		m.checkHighest(k, c)
		return nil
	case is == nil:
		return nil
	case len(is.faults) > 0:
		m.faults = append(m.faults, is.faults...)
		return nil
	}
	// The rules that judge who may change what of a record belong in this
	// list, each a method of its own.
	for _, rule := range []func(change) error{m.checkText, m.checkName, m.checkNumber} {
		if err := rule(c); err != nil {
			return err
		}
	}
	return nil
}

// checkHighest keeps .highest from forgetting an id.
func (m *move) checkHighest(k Kind, c change) {
	said := 0
	if c.was != nil {
		said = c.was.said
	}
	mend := ""
	if said > 0 {
		mend = FormatID(k, said)
	}
	switch {
	case c.is == nil && said > 0:
		m.add(Fault{Path: c.path, Reason: "must not be removed: it keeps ids from being used twice", Mend: mend})
	case c.is == nil:
	case len(c.is.faults) > 0:
		m.faults = append(m.faults, c.is.faults...)
	case c.is.said < said:
		m.add(Fault{Path: c.path, Line: 1, Reason: "must not be lowered from " + mend +
			": it keeps ids from being used twice", Mend: mend})
	}
}

// checkText refuses text that YAML would drop without a word, unless it stood
// there before, or in a file that this move takes to another path.
func (m *move) checkText(c change) error {
	for _, w := range c.is.warnings {
		stood := c.was.warns(w)
		for _, path := range m.paths {
			if stood || c.was != nil {
				break
			}
			was, err := m.old.at(path)
			if err != nil {
				return err
			}
			is, err := m.next.at(path)
			if err != nil {
				return err
			}
			stood = is == nil && was.warns(w)
		}
		if !stood {
			m.add(w)
		}
	}
	return nil
}

// warns reports whether the file, which may be none, warns of the same on
// whatever line.
func (l *leaf) warns(w Fault) bool {
	return l != nil && slices.ContainsFunc(l.warnings, func(o Fault) bool {
		return o.Field == w.Field && o.Reason == w.Reason && o.Mend == w.Mend
	})
}

// checkName refuses a record that went on under another name: its id is what
// everything else knows it by.
func (m *move) checkName(c change) error {
	if c.was != nil {
		return nil
	}
	if err := m.findGone(); err != nil {
		return err
	}
	for _, g := range m.gone {
		if g.sameAs(c.is) {
			id := FormatID(kindOfPath(g.path), g.number)
			m.add(Fault{Path: c.path, Reason: "is " + id + " under another name; a record keeps its id",
				Mend: "name it " + PathOf(id) + " again"})
			return nil
		}
	}
	return nil
}

// sameAs reports whether two files are the same record but for the id.
func (l *leaf) sameAs(o *leaf) bool {
	switch {
	case l.task != nil && o.task != nil:
		return l.task.Title == o.task.Title && l.task.Body == o.task.Body &&
			sameStamp(l.task.Created, o.task.Created)
	case l.plan != nil && o.plan != nil:
		return l.plan.Title == o.plan.Title && l.plan.Goal == o.plan.Goal &&
			sameStamp(l.plan.Created, o.plan.Created)
	}
	return false
}

func sameStamp(a, b *Stamp) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// checkNumber keeps an id with the file that had it first, a record in the
// folder of its number, and a new id among the numbers that were never used. A
// record that lay elsewhere before may be changed where it lies.
func (m *move) checkNumber(c change) error {
	if !c.is.record() {
		return nil
	}
	k, n := kindOfPath(c.path), c.is.number
	holder, err := m.next.holder(k, n, false)
	if err != nil {
		return err
	}
	if holder != nil && holder.path != c.path {
		m.add(twin(c.is, holder))
		return nil
	}
	if c.was != nil {
		return nil
	}
	if c.is.misplaced() {
		m.add(wrongFolder(c.is))
	}
	first, err := m.old.holder(k, n, false)
	if err != nil {
		return err
	}
	if first == nil {
		return m.checkNew(k, n, c.path)
	}
	still, err := m.next.at(first.path)
	if still != nil {
		m.add(twin(c.is, still))
	}
	return err
}

func (m *move) checkNew(k Kind, n int, path string) error {
	top, err := m.old.highest(k)
	if err != nil {
		return err
	}
	said, err := m.next.said(k)
	if err != nil {
		return err
	}
	id := FormatID(k, n)
	switch {
	case n <= top:
		m.add(Fault{Path: path, Field: "id", Reason: id + " was used once; leave the id out",
			Mend: "take the id line out and give the file a name that is no id: it gets a new one"})
	case n > max(top, said)+maxAhead:
		m.add(Fault{Path: path, Field: "id", Reason: fmt.Sprintf(
			"%s is more than %d above the highest id, %s; leave the id out and it is minted",
			id, maxAhead, FormatID(k, max(top, said))),
			Mend: "take the id line out and give the file a name that is no id: it gets a new one"})
	}
	return nil
}
