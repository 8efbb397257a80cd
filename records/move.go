package records

import (
	"fmt"
	"slices"
)

// maxAhead is how far above the highest number a file may be named by hand, unless
// it follows on another: a number far above would leave few for everyone else, and
// one move may mint more than that.
const maxAhead = 1000

// CheckMove is the gate: it gives what is wrong with moving the branch from old
// to next, where the named files differ. Files outside tasks/ and plans/ are of
// no concern to it. What was wrong in a file that did not change is not held
// against a move, nor is a warning that stood before. The faults are sorted by
// path and line; none means that the move may be made. The error says that a
// tree could not be read.
func CheckMove(old, next *Book, paths []string) ([]Fault, error) {
	return CheckRestore(old, next, paths, nil)
}

// CheckRestore is CheckMove for the write door's own move that brings records
// back: the ids of restored may be taken again, each by the file in the folder of
// its number, and what YAML drops of those files was dropped before. In a push an
// id that was used once stays used, since nothing says whose the text is.
func CheckRestore(old, next *Book, paths, restored []string) ([]Fault, error) {
	m := &move{old: old, next: next, restored: map[string]bool{}}
	for _, id := range restored {
		m.restored[PathOf(id)] = true
	}
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
	paths     []string        // sorted, those of the collections alone
	restored  map[string]bool // paths of the records that come back
	faults    []Fault

	looked bool           // whether what follows was found yet
	gone   []*leaf        // records of old whose number has no file in next
	stood  map[Fault]bool // warnings of files that the move takes away, wherever they stood
	full   bool           // whether one of those files warns of more than is named
}

// change is one changed file: what it was and what it is, either may be nil.
type change struct {
	path    string
	was, is *leaf
}

func (m *move) add(f Fault) { m.faults = append(m.faults, f) }

// at gives the change of a path.
func (m *move) at(path string) (change, error) {
	was, err := m.old.at(path)
	if err != nil {
		return change{}, err
	}
	is, err := m.next.at(path)
	return change{path, was, is}, err
}

// findGone notes what the move takes away, once.
func (m *move) findGone() error {
	if m.looked {
		return nil
	}
	m.looked, m.stood = true, map[Fault]bool{}
	for _, path := range m.paths {
		c, err := m.at(path)
		if err != nil {
			return err
		}
		if c.was == nil || c.is != nil {
			continue
		}
		for _, w := range c.was.warnings {
			m.stood[anywhere(w)] = true
		}
		m.full = m.full || c.was.full()
		if c.was.record() == nil {
			continue
		}
		holder, err := m.next.holder(kindOfPath(path), c.was.number, true)
		if err != nil {
			return err
		}
		if holder == nil {
			m.gone = append(m.gone, c.was)
		}
	}
	return nil
}

func (m *move) check(path string) error {
	c, err := m.at(path)
	if err != nil {
		return err
	}
	k := kindOfPath(path)
	switch {
	case path == highestPath(k):
		m.checkHighest(k, c)
		return nil
	case c.is == nil:
		return nil
	case len(c.is.faults) > 0:
		m.faults = append(m.faults, c.is.faults...)
		return nil
	}
	// Each rule judges one side of a readable file: its text, its name, its number.
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
		mend = formatID(k, said)
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
// there before, or in a file that this move takes away: it may be the same file
// under another name. Conflict markers in a body drop nothing.
func (m *move) checkText(c change) error {
	if m.restored[c.path] {
		return nil
	}
	for _, w := range c.is.warnings {
		if w.Reason == conflictReason || c.was.warns(w) {
			continue
		}
		if err := m.findGone(); err != nil {
			return err
		}
		if !m.full && !m.stood[anywhere(w)] {
			m.add(w)
		}
	}
	return nil
}

// warns reports whether the file, which may be none, warns of the same on
// whatever line, or of so much that the same may go unnamed.
func (l *leaf) warns(w Fault) bool {
	return l != nil && (l.full() ||
		slices.ContainsFunc(l.warnings, func(o Fault) bool { return anywhere(o) == anywhere(w) }))
}

func (l *leaf) full() bool { return len(l.warnings) >= namedFaults }

// anywhere gives a fault without the place it stands at.
func anywhere(f Fault) Fault {
	f.Path, f.Line = "", 0
	return f
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
			id := formatID(kindOfPath(g.path), g.number)
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
	if c.is.record() == nil {
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
	id := formatID(k, n)
	switch {
	case m.restored[path]:
	case n <= top:
		m.add(Fault{Path: path, Field: "id", Reason: id + " was used once; leave the id out",
			Mend: mendID})
	case n > max(top, said)+maxAhead:
		before, err := m.next.holder(k, n-1, false)
		if err != nil || before != nil {
			return err
		}
		m.add(Fault{Path: path, Field: "id", Reason: fmt.Sprintf(
			"%s is more than %d above the highest id, %s; leave the id out and it is minted",
			id, maxAhead, formatID(k, max(top, said))),
			Mend: mendID})
	}
	return nil
}
