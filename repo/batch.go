package repo

import (
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// batch is what one try of the write door makes: the new objects, and the tip
// as it grows from caller to caller. Its objects can be read while it grows,
// and afterwards by the snapshots that were taken of it.
type batch struct {
	base *Snapshot // what the try started from
	tip  *Snapshot // base, with all accepted commits on top

	mu    sync.RWMutex
	objs  map[ID]object
	order []ID // as they were put: blobs and trees before their commit
}

func newBatch(base *Snapshot) *batch {
	b := &batch{base: base, objs: map[ID]object{}}
	b.tip = &Snapshot{base.id, base.root, reader{base.stored, b}}
	return b
}

// get is safe on a nil batch.
func (b *batch) get(id ID) (object, bool) {
	if b == nil {
		return object{}, false
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	obj, ok := b.objs[id]
	return obj, ok
}

func (b *batch) put(obj object) ID {
	id := obj.id()
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.objs[id]; !ok {
		b.objs[id] = obj
		b.order = append(b.order, id)
	}
	return id
}

// mark and undo take back the objects of a caller whose later commit could not
// be made.
func (b *batch) mark() (int, *Snapshot) { return len(b.order), b.tip }

func (b *batch) undo(length int, tip *Snapshot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range b.order[length:] {
		delete(b.objs, id)
	}
	b.order, b.tip = b.order[:length], tip
}

// commit puts a proposal on the tip and gives the new commit.
func (b *batch) commit(p Proposal, committer Person, now time.Time) (ID, error) {
	root, err := b.tip.graft(b.tip.root, p.Files)
	if err != nil {
		return ID{}, err
	}
	tree := root
	if tree.IsZero() {
		tree = b.put(object{plumbing.TreeObject, nil})
	}
	var parents []ID
	if !b.tip.id.IsZero() {
		parents = []ID{b.tip.id}
	}
	id := b.put(object{plumbing.CommitObject, encodeCommit(tree, parents, p, committer, now)})
	b.tip = &Snapshot{id, root, b.tip.reader}
	return id, nil
}
