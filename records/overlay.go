package records

import (
	"bytes"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// overlay is a tree with some files changed: what an edit's Book is read from
// until the edit is a commit. The files of a long batch lie in layers, each larger
// than all newer ones together, so that the next edit copies few of them, and a file
// is a few look-ups away.
type overlay struct {
	base   fs.FS
	layers []layer // the newest first
}

// layer is files that changed, and what they lie below. It never changes.
type layer struct {
	files   map[string][]byte   // nil for a removed file
	folders map[string][]string // the files below each folder, at any depth
}

// over puts changed files on a tree. An overlay is never put on another: its layers
// are taken over.
func over(base fs.FS, files []File) fs.FS {
	o := &overlay{base: base}
	top := make(map[string][]byte, len(files))
	for _, f := range files {
		top[f.Path] = f.Data
	}
	var below []layer
	if b, ok := base.(*overlay); ok {
		o.base, below = b.base, b.layers
	}
	for len(below) > 0 && len(below[0].files) <= len(top) {
		both := maps.Clone(below[0].files)
		maps.Copy(both, top)
		top, below = both, below[1:]
	}
	o.layers = append([]layer{newLayer(top)}, below...)
	return o
}

func newLayer(files map[string][]byte) layer {
	l := layer{files, map[string][]string{}}
	for file := range files {
		for folder := file; folder != "."; {
			folder = path.Dir(folder)
			l.folders[folder] = append(l.folders[folder], file)
		}
	}
	return l
}

// changed gives the text of a changed file, nil for one that was removed.
func (o *overlay) changed(name string) (data []byte, ok bool) {
	for _, l := range o.layers {
		if data, ok = l.files[name]; ok {
			return data, true
		}
	}
	return nil, false
}

// below gives every changed file below a folder once, as it is now.
func (o *overlay) below(folder string) iter.Seq2[string, []byte] {
	return func(yield func(file string, data []byte) bool) {
		for i, l := range o.layers {
			for _, file := range l.folders[folder] {
				newer := slices.ContainsFunc(o.layers[:i], func(n layer) bool { _, ok := n.files[file]; return ok })
				if !newer && !yield(file, l.files[file]) {
					return
				}
			}
		}
	}
}

// Open opens a file, or a folder that can only be listed.
func (o *overlay) Open(name string) (fs.File, error) {
	if data, ok := o.changed(name); ok && data != nil {
		return &overlayFile{Reader: bytes.NewReader(data), info: fileInfo{name: path.Base(name), size: int64(len(data))}}, nil
	} else if ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if o.isFolder(name) {
		entries, err := o.ReadDir(name)
		if err != nil {
			return nil, err
		}
		info, err := o.Lstat(name)
		if err != nil {
			return nil, err
		}
		return &overlayFolder{info: info, rest: entries}, nil
	}
	return o.base.Open(name)
}

// ReadFile gives the text of a file, which the caller may change.
func (o *overlay) ReadFile(name string) ([]byte, error) {
	data, ok := o.changed(name)
	switch {
	case !ok:
		return fs.ReadFile(o.base, name)
	case data == nil:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return bytes.Clone(data), nil
}

// Lstat looks at a file, or at a symbolic link of the tree below without
// following it.
func (o *overlay) Lstat(name string) (fs.FileInfo, error) {
	data, ok := o.changed(name)
	switch {
	case ok && data == nil:
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
	case ok:
		return fileInfo{name: path.Base(name), size: int64(len(data))}, nil
	}
	info, err := fs.Lstat(o.base, name)
	if err != nil && o.isFolder(name) {
		return fileInfo{name: path.Base(name), dir: true}, nil
	}
	return info, err
}

// ReadLink gives where a symbolic link of the tree below points.
func (o *overlay) ReadLink(name string) (string, error) { return fs.ReadLink(o.base, name) }

// ReadDir lists a folder. One whose files are all gone is still listed, empty.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	added := map[string]fs.DirEntry{}
	gone := map[string]bool{}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	for file, data := range o.below(name) {
		first, _, deeper := strings.Cut(strings.TrimPrefix(file, prefix), "/")
		switch {
		case data == nil && !deeper:
			gone[first] = true
		case data != nil && deeper:
			added[first] = fs.FileInfoToDirEntry(fileInfo{name: first, dir: true})
		case data != nil:
			added[first] = fs.FileInfoToDirEntry(fileInfo{name: first, size: int64(len(data))})
		}
	}
	entries, err := fs.ReadDir(o.base, name)
	if err != nil && len(added) == 0 {
		return nil, err
	}
	list := make([]fs.DirEntry, 0, len(entries)+len(added))
	for _, e := range entries {
		if a := added[e.Name()]; a != nil && a.IsDir() {
			delete(added, e.Name()) // a folder on both sides stays the one below
		} else if a != nil || gone[e.Name()] {
			continue
		}
		list = append(list, e)
	}
	for _, e := range added {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// isFolder reports whether a changed file lies below name. Everything lies below
// the top.
func (o *overlay) isFolder(name string) bool {
	if name == "." {
		return true
	}
	for _, data := range o.below(name) {
		if data != nil {
			return true
		}
	}
	return false
}

type fileInfo struct {
	name string
	size int64
	dir  bool
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) IsDir() bool        { return i.dir }
func (i fileInfo) Sys() any           { return nil }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

type overlayFile struct {
	*bytes.Reader
	info fileInfo
}

func (f *overlayFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *overlayFile) Close() error               { return nil }

type overlayFolder struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (f *overlayFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *overlayFolder) Close() error               { return nil }
func (f *overlayFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir hands out the next entries, as fs.ReadDirFile says.
func (f *overlayFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.rest) {
		if n > 0 && len(f.rest) == 0 {
			return nil, io.EOF
		}
		n = len(f.rest)
	}
	out := f.rest[:n:n]
	f.rest = f.rest[n:]
	return out, nil
}
