package repo

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"golang.org/x/crypto/ssh"
)

// batch is what one try of the write door makes: the new objects, and the tip
// as it grows from caller to caller. Its objects can be read while it grows,
// and afterwards by the snapshots that were taken of it.
type batch struct {
	base *Snapshot // what the try started from
	tip  *Snapshot // base, with all accepted commits on top
	// stored are the commits that tip descends from and that git can see: base,
	// and what pushes brought.
	stored []ID
	key    ssh.Signer // nil where there is none
	keyed  bool       // it was looked for
	packer *packer    // of what is laid out already, nil for nothing

	mu    sync.RWMutex
	objs  map[ID]object
	order []ID      // as they were put: blobs and trees before their commit
	from  map[ID]ID // of a tree, the one that it was made from
	under *batch    // that base is the tip of and that is being written; nil for none
}

func newBatch(base *Snapshot) *batch {
	b := &batch{base: base, objs: map[ID]object{}, from: map[ID]ID{}}
	if !base.id.IsZero() {
		b.stored = []ID{base.id}
	}
	b.tip = &Snapshot{base.id, base.root, reader{base.stored, b}}
	return b
}

// next gives the batch that begins where this one ends, which may never be on the
// branch.
func (b *batch) next() *batch {
	n := newBatch(b.tip)
	n.under, n.stored = b, slices.Clone(b.stored)
	return n
}

// stand says that what a batch begins with is on the branch.
func (b *batch) stand() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.under = nil
}

// get is safe on a nil batch.
func (b *batch) get(id ID) (object, bool) {
	for b != nil {
		b.mu.RLock()
		obj, ok := b.objs[id]
		under := b.under
		b.mu.RUnlock()
		if ok {
			return obj, true
		}
		b = under
	}
	return object{}, false
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

// putTree puts a tree that was made from another one.
func (b *batch) putTree(t tree, from ID) ID {
	n := len(b.order)
	id := b.put(object{plumbing.TreeObject, t})
	if len(b.order) > n {
		b.from[id] = from
	}
	return id
}

// made reports whether a tree is one that putTree put.
func (b *batch) made(id ID) bool {
	_, ok := b.from[id]
	return ok
}

// lay lays out what was put until now, none of which may be undone any more.
func (b *batch) lay(from *packers) {
	if len(b.order) == 0 {
		return
	}
	if b.packer == nil {
		b.packer = from.get()
	}
	b.packer.lay(b) // an error shows again when the pack is finished
}

// mark is where a batch stood before a caller's commits.
type mark struct {
	length, stored int
	tip            *Snapshot
}

func (b *batch) mark() mark { return mark{len(b.order), len(b.stored), b.tip} }

// undo takes back what a caller put whose later commit could not be made.
func (b *batch) undo(m mark) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range b.order[m.length:] {
		delete(b.objs, id)
		delete(b.from, id)
	}
	b.order, b.stored, b.tip = b.order[:m.length], b.stored[:m.stored], m.tip
}

// commit puts a proposal on the tip and gives the new commit.
func (r *Repo) commit(b *batch, p Proposal) (ID, error) {
	if CleanName(p.Author.Name) == "" {
		return ID{}, errors.New("the author of a commit must have a name")
	}
	root, err := b.tip.treeOf(p)
	if err != nil {
		return ID{}, err
	}
	tree := root
	if tree.IsZero() {
		tree = b.put(object{plumbing.TreeObject, nil})
	}
	var parents []ID
	for _, parent := range []ID{b.tip.id, p.Merge} {
		if !parent.IsZero() {
			parents = append(parents, parent)
		}
	}
	data := encodeCommit(tree, parents, p, r.committer, r.now())
	key, err := b.signer(r)
	if err == nil && key != nil {
		data, err = sign(key, data)
	}
	if err != nil {
		return ID{}, err
	}
	id := b.put(object{plumbing.CommitObject, data})
	if key != nil {
		r.remember(id)
	}
	if !p.Merge.IsZero() {
		b.stored = append(b.stored, p.Merge)
	}
	b.tip = &Snapshot{id, root, b.tip.reader}
	return id, nil
}

// signer gives the key, which is looked for once a batch. Should another process make
// it meanwhile, it moves the branch, and the batch is made again.
func (b *batch) signer(r *Repo) (ssh.Signer, error) {
	if !b.keyed {
		key, err := r.readKey()
		if err != nil {
			return nil, err
		}
		b.key, b.keyed = key, true
	}
	return b.key, nil
}

// take makes a commit the tip that a push brought.
func (r *Repo) take(b *batch, id ID) error {
	base, err := r.Base(b.tip, id)
	if err != nil {
		return err
	}
	if base != b.tip.id {
		return fmt.Errorf("commit %s does not descend from %s", id, b.tip.id)
	}
	next, err := b.tip.snapshot(id)
	if err != nil {
		return err
	}
	// git syncs a pack that it receives, and not the folder it puts it in.
	if err := r.disk.syncDir(r.path("objects", "pack")); err != nil {
		return err
	}
	b.tip, b.stored = next, append(b.stored, id)
	return nil
}
