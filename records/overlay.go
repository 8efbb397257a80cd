package records

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// overlay is a tree with some files changed: what an edit's Book is read from
// until the edit is a commit.
type overlay struct {
	base  fs.FS
	files map[string][]byte // nil for a removed file
}

// over puts changed files on a tree. An overlay is never put on another: the
// files of a long batch stay one look-up away.
func over(base fs.FS, files []File) fs.FS {
	o := &overlay{base: base, files: make(map[string][]byte, len(files))}
	if below, ok := base.(*overlay); ok {
		o.base = below.base
		maps.Copy(o.files, below.files)
	}
	for _, f := range files {
		o.files[f.Path] = f.Data
	}
	return o
}

// Open opens a file, or a folder that can only be listed.
func (o *overlay) Open(name string) (fs.File, error) {
	if data, ok := o.files[name]; ok && data != nil {
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
	data, ok := o.files[name]
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
	data, ok := o.files[name]
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
	for file, data := range o.files {
		rest, ok := strings.CutPrefix(file, prefix)
		if !ok {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
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
	for file, data := range o.files {
		if data != nil && strings.HasPrefix(file, name) && len(file) > len(name) && file[len(name)] == '/' {
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
