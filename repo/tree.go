package repo

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// emptyTree is known to git whether or not it is stored, so a commit of another
// program may name one that is not.
var emptyTree = object{plumbing.TreeObject, nil}.id()

// reader reads objects that are stored, and those of a batch that is still
// being made.
type reader struct {
	stored  *objects
	pending *batch // nil outside the write door
}

func (r reader) read(kind plumbing.ObjectType, id ID) ([]byte, error) {
	if obj, ok := r.pending.get(id); ok && obj.kind == kind {
		return obj.data, nil
	}
	return r.stored.read(kind, id)
}

func (r reader) size(id ID) (int64, error) {
	if obj, ok := r.pending.get(id); ok {
		return int64(len(obj.data)), nil
	}
	return r.stored.size(id)
}

// tree gives a tree; nobody may change it. The zero ID is the empty one.
func (r reader) tree(id ID) (tree, error) {
	if id.IsZero() || id == emptyTree {
		return nil, nil
	}
	obj, ok := r.pending.get(id)
	if !ok {
		obj, ok = r.stored.memory.get(id)
	}
	if ok && obj.kind == plumbing.TreeObject {
		return obj.data, nil
	}
	data, err := r.stored.read(plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	t, err := parseTree(data)
	if err != nil {
		return nil, damaged(err, "tree %s cannot be read", id)
	}
	r.stored.memory.put(id, object{plumbing.TreeObject, data})
	return t, nil
}

// changed calls add with the path of every file that differs between two
// trees, descending only where ids differ. Folders have no paths of their own.
func (r reader) changed(prefix string, a, b ID, add func(path string)) error {
	if a == b {
		return nil
	}
	before, err := r.tree(a)
	if err != nil {
		return err
	}
	after, err := r.tree(b)
	if err != nil {
		return err
	}
	// As far as both have the same names in turn, nothing need be looked up.
	for len(before) > 0 && len(after) > 0 {
		was, is := before.first(), after.first()
		if !bytes.Equal(was.name, is.name) {
			break
		}
		if was.id != is.id || was.mode != is.mode {
			if err := r.entryChanged(prefix+string(is.name), was.entry(), is.entry(), add); err != nil {
				return err
			}
		}
		before, after = before[was.size:], after[is.size:]
	}
	return r.restChanged(prefix, before, after, add)
}

// restChanged compares trees whose entries may stand in any order.
func (r reader) restChanged(prefix string, before, after tree, add func(path string)) error {
	old := map[string]entry{}
	for e := range before.all {
		old[e.name] = e
	}
	for e := range after.all {
		was := old[e.name]
		delete(old, e.name)
		if err := r.entryChanged(prefix+e.name, was, e, add); err != nil {
			return err
		}
	}
	for _, e := range old {
		if err := r.entryChanged(prefix+e.name, e, entry{}, add); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) entryChanged(path string, was, is entry, add func(path string)) error {
	if was.id == is.id && was.mode == is.mode {
		return nil
	}
	if was.mode != 0 && !was.isDir() || is.mode != 0 && !is.isDir() {
		add(path)
	}
	var a, b ID
	if was.isDir() {
		a = was.id
	}
	if is.isDir() {
		b = is.id
	}
	return r.changed(path+"/", a, b, add)
}

// graftFile is a file that is put into a tree, or removed from it: by its text,
// or as an entry that another tree has, mode and all.
type graftFile struct {
	File
	as entry // its mode is 0 where Data counts
}

func (f graftFile) removes() bool { return f.Data == nil && f.as.mode == 0 }

// graft puts files into a tree and gives the id of the new one, zero when it
// comes out empty. The order of files does not matter, but that the last of the
// same path counts: what is removed makes room for what is put. New objects go
// to the pending batch.
func (r reader) graft(root ID, files []graftFile) (ID, error) {
	t, err := r.tree(root)
	if err != nil {
		return ID{}, err
	}
	if len(files) == 1 { // nearly every change
		t, err = r.putOne(t, files[0])
	} else {
		t, err = r.putAll(t, files)
	}
	if len(t) == 0 || err != nil {
		return ID{}, err
	}
	if !r.pending.made(root) {
		t = t.sorted()
	}
	return r.pending.putTree(t, root), nil
}

func (r reader) putOne(t tree, f graftFile) (tree, error) {
	name, rest, deeper := strings.Cut(f.Path, "/")
	if err := checkName(name); err != nil {
		return nil, err
	}
	if !deeper {
		return r.putFile(t, f)
	}
	return r.putDir(t, name, []graftFile{{File{rest, f.Data}, f.as}})
}

func (r reader) putAll(t tree, files []graftFile) (tree, error) {
	here, below, err := sortOut(files)
	if err != nil {
		return nil, err
	}
	for _, f := range here {
		if f.removes() {
			if t, err = r.putFile(t, f); err != nil {
				return nil, err
			}
		}
	}
	for name, files := range below {
		if t, err = r.putDir(t, name, files); err != nil {
			return nil, err
		}
	}
	for _, f := range here {
		if !f.removes() {
			if t, err = r.putFile(t, f); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// sortOut tells the files of a folder from those in folders below it, both by
// the name in this one.
func sortOut(files []graftFile) (here map[string]graftFile, below map[string][]graftFile, err error) {
	here, below = map[string]graftFile{}, map[string][]graftFile{}
	for _, f := range files {
		name, rest, deeper := strings.Cut(f.Path, "/")
		if err := checkName(name); err != nil {
			return nil, nil, err
		}
		if deeper {
			below[name] = append(below[name], graftFile{File{rest, f.Data}, f.as})
		} else {
			here[name] = f
		}
	}
	return here, below, nil
}

func (r reader) putFile(t tree, f graftFile) (tree, error) {
	if _, old, found := t.find(f.Path); found && old.isDir() {
		return nil, fmt.Errorf("%s is a folder in the tree", f.Path)
	}
	switch {
	case f.removes():
		return t.without(f.Path), nil
	case f.as.mode != 0:
		return t.with(f.as), nil
	}
	return t.with(entry{modeFile, f.Path, r.pending.put(object{plumbing.BlobObject, f.Data})}), nil
}

func (r reader) putDir(t tree, name string, files []graftFile) (tree, error) {
	_, old, found := t.find(name)
	if found && !old.isDir() {
		return nil, fmt.Errorf("%s is no folder in the tree", name)
	}
	id, err := r.graft(old.id, files)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case id.IsZero():
		return t.without(name), nil
	}
	return t.with(entry{modeDir, name, id}), nil
}
