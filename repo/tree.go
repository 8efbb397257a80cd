package repo

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// The modes of a tree entry, as git writes them.
const (
	modeDir     = 0o040000
	modeFile    = 0o100644
	modeExec    = 0o100755
	modeLink    = 0o120000
	modeGitlink = 0o160000
)

// emptyTree is known to git whether or not it is stored, so a commit of another
// program may name one that is not.
var emptyTree = object{plumbing.TreeObject, nil}.id()

// entry is one line of a tree.
type entry struct {
	mode uint32
	name string
	id   ID
}

func (e entry) isDir() bool { return e.mode == modeDir }

// sortName is what git orders a tree by: a folder counts as if it ended in a
// slash.
func (e entry) sortName() string {
	if e.isDir() {
		return e.name + "/"
	}
	return e.name
}

func parseTree(data []byte) ([]entry, error) {
	var entries []entry
	for len(data) > 0 {
		space, nul := bytes.IndexByte(data, ' '), bytes.IndexByte(data, 0)
		if space < 1 || nul < space+2 || len(data) < nul+21 {
			return nil, fmt.Errorf("malformed tree at entry %d", len(entries)+1)
		}
		var mode uint32
		for _, c := range data[:space] {
			if c < '0' || c > '7' {
				return nil, fmt.Errorf("malformed mode in tree entry %d", len(entries)+1)
			}
			mode = mode<<3 | uint32(c-'0')
		}
		entries = append(entries, entry{mode, string(data[space+1 : nul]), ID(data[nul+1 : nul+21])})
		data = data[nul+21:]
	}
	return entries, nil
}

func encodeTree(entries []entry) []byte {
	var b bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&b, "%o %s\x00", e.mode, e.name)
		b.Write(e.id[:])
	}
	return b.Bytes()
}

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

// tree gives the entries of a tree; nobody may change them. The zero ID is the
// empty tree.
func (r reader) tree(id ID) ([]entry, error) {
	if id.IsZero() || id == emptyTree {
		return nil, nil
	}
	if entries, ok := r.stored.cachedTree(id); ok {
		return entries, nil
	}
	data, err := r.read(plumbing.TreeObject, id)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data)
	if err != nil {
		return nil, damaged(err, "tree %s cannot be read", id)
	}
	r.stored.cacheTree(id, entries)
	return entries, nil
}

func (o *objects) cachedTree(id ID) ([]entry, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	entries, ok := o.trees[id]
	return entries, ok
}

func (o *objects) cacheTree(id ID, entries []entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.trees) >= maxTrees {
		clear(o.trees)
	}
	o.trees[id] = entries
}

func find(entries []entry, name string) (int, bool) {
	for i, e := range entries {
		if e.name == name {
			return i, true
		}
	}
	return len(entries), false
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
	old := make(map[string]entry, len(before))
	for _, e := range before {
		old[e.name] = e
	}
	for _, e := range after {
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

// graft puts files into a tree and gives the id of the new one, zero when it
// comes out empty. The order of files does not matter, but that the last of the
// same path counts: what is removed makes room for what is put. New objects go
// to the pending batch.
func (r reader) graft(root ID, files []File) (ID, error) {
	entries, err := r.tree(root)
	if err != nil {
		return ID{}, err
	}
	entries = slices.Clone(entries)
	here, below, err := sortOut(files)
	if err != nil {
		return ID{}, err
	}
	for _, f := range here {
		if f.Data == nil {
			if entries, err = r.putFile(entries, f); err != nil {
				return ID{}, err
			}
		}
	}
	for name, files := range below {
		if entries, err = r.putDir(entries, name, files); err != nil {
			return ID{}, err
		}
	}
	for _, f := range here {
		if f.Data != nil {
			if entries, err = r.putFile(entries, f); err != nil {
				return ID{}, err
			}
		}
	}
	if len(entries) == 0 {
		return ID{}, nil
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].sortName() < entries[j].sortName() })
	return r.pending.put(object{plumbing.TreeObject, encodeTree(entries)}), nil
}

// sortOut tells the files of a folder from those in folders below it, both by
// the name in this one.
func sortOut(files []File) (here map[string]File, below map[string][]File, err error) {
	here, below = map[string]File{}, map[string][]File{}
	for _, f := range files {
		name, rest, deeper := strings.Cut(f.Path, "/")
		if err := checkName(name); err != nil {
			return nil, nil, err
		}
		if deeper {
			below[name] = append(below[name], File{rest, f.Data})
		} else {
			here[name] = f
		}
	}
	return here, below, nil
}

func (r reader) putFile(entries []entry, f File) ([]entry, error) {
	i, found := find(entries, f.Path)
	if found && entries[i].isDir() {
		return nil, fmt.Errorf("%s is a folder in the tree", f.Path)
	}
	if f.Data == nil {
		if !found {
			return entries, nil
		}
		return append(entries[:i], entries[i+1:]...), nil
	}
	e := entry{modeFile, f.Path, r.pending.put(object{plumbing.BlobObject, f.Data})}
	if found {
		entries[i] = e
		return entries, nil
	}
	return append(entries, e), nil
}

func (r reader) putDir(entries []entry, name string, files []File) ([]entry, error) {
	i, found := find(entries, name)
	if found && !entries[i].isDir() {
		return nil, fmt.Errorf("%s is no folder in the tree", name)
	}
	var old ID
	if found {
		old = entries[i].id
	}
	id, err := r.graft(old, files)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case id.IsZero() && found:
		return append(entries[:i], entries[i+1:]...), nil
	case id.IsZero():
		return entries, nil
	case found:
		entries[i].id = id
		return entries, nil
	}
	return append(entries, entry{modeDir, name, id}), nil
}
