package records

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// chunkSize is how many numbers one chunk holds. A commit that changes one
// record copies one chunk and the list of chunks, nothing else.
const chunkSize = 256

// index is every file of one tree. It never changes: a revision makes the next
// one, sharing all chunks that hold no changed file.
type index struct {
	tables [2]table         // by Kind, from TaskKind
	odd    map[string]*leaf // by path: what has no number, drafts above all
	claims map[string]bool  // the paths of tasks in doing under a lease

	once   sync.Once
	report report

	ordering sync.Once
	order    *order
}

// table is the files of one collection whose names spell an id.
type table struct {
	chunks []*chunk // by base, those without a file left out
}

// chunk is the files of chunkSize numbers in a row.
type chunk struct {
	base  int              // a multiple of chunkSize
	slots [chunkSize]*leaf // the file that holds each number, readable or not; nil for none
	twins map[int][]*leaf  // by place: the other files of a number, hardly ever any

	once sync.Once
	made summary

	naming sync.Once
	named  *names

	placing sync.Once
	placed  *places

	look textLook
}

func (x *index) table(k Kind) *table { return &x.tables[k-TaskKind] }

// at gives the leaf of one path, nil when there is none.
func (x *index) at(path string) *leaf {
	n := numberOf(path)
	if n == 0 {
		return x.odd[path]
	}
	for _, l := range x.table(kindOfPath(path)).slot(n) {
		if l.path == path {
			return l
		}
	}
	return nil
}

func (t *table) find(n int) (int, bool) {
	return slices.BinarySearchFunc(t.chunks, n-n%chunkSize, func(c *chunk, base int) int {
		return cmp.Compare(c.base, base)
	})
}

func (t *table) slot(n int) []*leaf {
	i, ok := t.find(n)
	if !ok {
		return nil
	}
	return t.chunks[i].files(n % chunkSize)
}

// files gives all files of the number at a place, the one that holds it first. They
// are not to be changed.
func (c *chunk) files(at int) []*leaf {
	switch twins := c.twins[at]; {
	case c.slots[at] == nil:
		return nil
	case len(twins) > 0:
		return append([]*leaf{c.slots[at]}, twins...)
	}
	return c.slots[at : at+1 : at+1]
}

// highest gives the highest number that has a file, 0 for none.
func (t *table) highest() int {
	if len(t.chunks) == 0 {
		return 0
	}
	last := t.chunks[len(t.chunks)-1]
	for i := chunkSize - 1; i >= 0; i-- {
		if last.slots[i] != nil {
			return last.base + i
		}
	}
	return 0
}

// ownHighest gives the highest number whose file lies in its own folder.
func (t *table) ownHighest() int {
	for _, c := range slices.Backward(t.chunks) {
		for _, l := range slices.Backward(c.slots[:]) {
			if l != nil && !l.misplaced() {
				return l.number
			}
		}
	}
	return 0
}

// holders yields the file that holds each number, readable or not, by number.
func (t *table) holders(yield func(*leaf) bool) {
	for _, c := range t.chunks {
		for _, l := range c.slots {
			if l != nil && !yield(l) {
				return
			}
		}
	}
}

func (c *chunk) empty() bool {
	return !slices.ContainsFunc(c.slots[:], func(l *leaf) bool { return l != nil })
}

// revision is an index in the making.
type revision struct {
	next   *index
	fresh  map[*chunk]bool // chunks that this revision made and may change
	moved  [2]bool         // tables whose list of chunks is this revision's own
	odd    bool            // whether the map of odd files is
	claims bool            // whether that of claims is
}

// revise starts from x, nil for an empty tree.
func revise(x *index) *revision {
	r := &revision{next: &index{}, fresh: map[*chunk]bool{}}
	if x != nil {
		r.next.tables, r.next.odd, r.next.claims = x.tables, x.odd, x.claims
	}
	return r
}

// put makes l what lies at path; nil takes away what lay there.
func (r *revision) put(path string, l *leaf) {
	n, k := numberOf(path), kindOfPath(path)
	if n == 0 {
		r.putOdd(path, l)
		return
	}
	r.putClaim(path, l)
	c := r.own(k, n, l != nil)
	if c == nil {
		return
	}
	at := n % chunkSize
	if held := c.slots[at]; c.twins[at] == nil && (held == nil || held.path == path) {
		c.slots[at] = l
		return
	}
	var files []*leaf
	for _, f := range c.files(at) {
		if f.path != path {
			files = append(files, f)
		}
	}
	if l != nil {
		files = append(files, l)
	}
	slices.SortFunc(files, byPlace(PathOf(formatID(k, n))))
	c.slots[at] = nil
	if len(files) > 0 {
		c.slots[at], files = files[0], files[1:]
	}
	// The map may be shared with another index.
	c.twins = maps.Clone(c.twins)
	if len(files) == 0 {
		delete(c.twins, at)
		return
	}
	if c.twins == nil {
		c.twins = map[int][]*leaf{}
	}
	c.twins[at] = files
}

func (r *revision) putOdd(path string, l *leaf) {
	if l == nil && r.next.odd[path] == nil {
		return
	}
	if !r.odd {
		r.odd = true
		r.next.odd = maps.Clone(r.next.odd)
		if r.next.odd == nil {
			r.next.odd = map[string]*leaf{}
		}
	}
	if l == nil {
		delete(r.next.odd, path)
		return
	}
	r.next.odd[path] = l
}

// own gives the chunk of a number, ready to be changed; nil where there is none
// and none is to be made.
func (r *revision) own(k Kind, n int, create bool) *chunk {
	t := r.next.table(k)
	i, ok := t.find(n)
	if !ok && !create {
		return nil
	}
	if !r.moved[k-TaskKind] {
		r.moved[k-TaskKind] = true
		t.chunks = slices.Clone(t.chunks)
	}
	switch {
	case !ok:
		c := &chunk{base: n - n%chunkSize}
		r.fresh[c] = true
		t.chunks = slices.Insert(t.chunks, i, c)
	case !r.fresh[t.chunks[i]]:
		c := &chunk{base: t.chunks[i].base, slots: t.chunks[i].slots, twins: t.chunks[i].twins}
		r.fresh[c] = true
		t.chunks[i] = c
	}
	return t.chunks[i]
}

// done gives the finished index; the revision must not be used after it.
func (r *revision) done() *index {
	for i := range r.next.tables {
		t := &r.next.tables[i]
		if r.moved[i] {
			t.chunks = slices.DeleteFunc(t.chunks, func(c *chunk) bool { return r.fresh[c] && c.empty() })
		}
	}
	return r.next
}
