package records

import (
	"reflect"
	"slices"
)

// segment is the lines of one key of a file, and the comments and blank lines
// above it.
type segment struct {
	above, own []string
	value      value
}

// thread is the frontmatter of one version: its keys in order with their lines,
// and what stands below the last.
type thread struct {
	keys  []string
	of    map[string]segment
	below []string
}

// thread takes frontmatter apart; false where keys do not have lines of their
// own.
func (r *reader) thread() (thread, bool) {
	regions, err := r.regions(r.root, 0, len(r.lines))
	if err != nil {
		return thread{}, false
	}
	t := thread{of: map[string]segment{}}
	at := 0
	for _, g := range regions {
		t.keys = append(t.keys, g.key.Value)
		t.of[g.key.Value] = segment{r.lines[at:g.start], r.lines[g.start:g.tail], nodeValue(g.value)}
		at = g.tail
	}
	t.below = r.lines[at:]
	return t, true
}

// finely weaves the lines of a key that both sides changed, coarsely takes those
// of the push.
func (w *weave) finely() (string, bool)   { return w.front(true) }
func (w *weave) coarsely() (string, bool) { return w.front(false) }

// front gives the frontmatter of three versions in one. The values of our own
// keys are not settled here: Splice does that, on the lines that are chosen.
func (w *weave) front(fine bool) (string, bool) {
	was, ok := w.was.thread()
	ours, ok2 := w.ours.thread()
	theirs, ok3 := w.theirs.thread()
	if !ok || !ok2 || !ok3 {
		return "", false
	}
	var lines []string
	for _, key := range keyOrder(was.keys, ours.keys, theirs.keys) {
		a, b, c := was.of[key], ours.of[key], theirs.of[key]
		own := w.ownLines(key, a, b, c, fine)
		if own == nil {
			continue
		}
		above, _ := mergeLines(a.above, b.above, c.above)
		lines = append(append(lines, above...), own...)
	}
	below, _ := mergeLines(was.below, ours.below, theirs.below)
	return joinLines(append(lines, below...), w.theirs.sheet.eol()), true
}

// ownLines gives the lines of a key, nil for one that goes.
func (w *weave) ownLines(key string, was, ours, theirs segment, fine bool) []string {
	e, isUnknown := w.unknown[key]
	wanted, isOurs := find(w.page.entries, key)
	switch {
	case !isOurs && !isUnknown, isOurs && wanted.form == absent && ours.own == nil && theirs.own == nil:
		return nil
	case isUnknown && theirs.own != nil && reflect.DeepEqual(theirs.value, e.value) && !sameLines(theirs.own, was.own):
		return theirs.own
	case isUnknown && ours.own != nil && reflect.DeepEqual(ours.value, e.value):
		return ours.own
	case isUnknown:
		return theirs.own
	case ours.own == nil:
		return theirs.own
	case theirs.own == nil || sameLines(theirs.own, was.own) || w.branchSays(key, wanted):
		return ours.own
	case fine && !sameLines(ours.own, was.own):
		if woven, clashes := mergeLines(was.own, ours.own, theirs.own); len(clashes) == 0 {
			return woven
		}
	}
	return theirs.own
}

// branchSays reports whether both sides changed a key of ours and what is wanted
// is the branch's.
func (w *weave) branchSays(key string, wanted value) bool {
	of := func(r *reader) value {
		v, _ := find(recordOf(r.task, r.plan).page().entries, key)
		return v
	}
	return reflect.DeepEqual(of(w.ours), wanted) && !reflect.DeepEqual(of(w.theirs), wanted) &&
		!reflect.DeepEqual(of(w.theirs), of(w.was))
}

// keyOrder gives the keys of all sides in the order of the side that changed it,
// of the push where both did. A key that the other side alone has goes behind
// the one it follows there.
func keyOrder(was, ours, theirs []string) []string {
	order, more := theirs, ours
	if slices.Equal(within(theirs, was), within(was, theirs)) {
		order, more = ours, theirs
	}
	order = slices.Clone(order)
	for i, key := range more {
		if slices.Contains(order, key) {
			continue
		}
		at := 0
		if i > 0 {
			at = slices.Index(order, more[i-1]) + 1
		}
		order = slices.Insert(order, at, key)
	}
	return order
}

// within gives the keys of a list that another one has too.
func within(keys, others []string) []string {
	var both []string
	for _, key := range keys {
		if slices.Contains(others, key) {
			both = append(both, key)
		}
	}
	return both
}
