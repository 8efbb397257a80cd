package repo

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// treeFS is a commit's tree as a file system, as [Snapshot.FS] says.
type treeFS struct {
	reader
	root ID
	last *atomic.Pointer[folder] // where the last look-up ended; nil for nowhere
}

// folder is a folder of the tree, found once: what is looked up next mostly lies
// in the same one.
type folder struct {
	prefix string // its path and a slash
	id     ID
}

var (
	_ fs.ReadDirFS  = treeFS{}
	_ fs.ReadFileFS = treeFS{}
	_ fs.StatFS     = treeFS{}
)

var errNotRegular = errors.New("not a regular file")

func (t treeFS) lookup(op, name string) (at entry, folder ID, err error) {
	if !fs.ValidPath(name) {
		return entry{}, ID{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	at = entry{mode: modeDir, name: ".", id: t.root}
	if name == "." {
		return at, ID{}, nil
	}
	rest := name
	if f := t.lastFolder(); f != nil {
		if below, ok := strings.CutPrefix(name, f.prefix); ok {
			at.id, rest = f.id, below
		}
	}
	for part := range strings.SplitSeq(rest, "/") {
		if !at.isDir() {
			return entry{}, ID{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		in, err := t.tree(at.id)
		if err != nil {
			return entry{}, ID{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		_, l, found := in.find(part)
		if !found {
			return entry{}, ID{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		at, folder = l.entry(), at.id
	}
	t.keep(name, at, folder)
	return at, folder, nil
}

func (t treeFS) lastFolder() *folder {
	if t.last == nil {
		return nil
	}
	return t.last.Load()
}

// keep notes the folder that was looked up, or that what was looked up lies in.
func (t treeFS) keep(name string, at entry, in ID) {
	if at.isDir() {
		name, in = name+"/", at.id
	} else {
		name = name[:strings.LastIndexByte(name, '/')+1]
	}
	if f := t.lastFolder(); t.last != nil && name != "" && (f == nil || f.id != in || f.prefix != name) {
		t.last.Store(&folder{name, in})
	}
}

func (t treeFS) Stat(name string) (fs.FileInfo, error) {
	e, _, err := t.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return t.info(e)
}

func (t treeFS) info(e entry) (fs.FileInfo, error) {
	info := fileInfo{name: path.Base(e.name), mode: e.fileMode()}
	if e.isDir() || e.mode == modeGitlink {
		return info, nil
	}
	size, err := t.size(e.id)
	info.size = size
	return info, err
}

func (t treeFS) ReadFile(name string) ([]byte, error) {
	e, folder, err := t.lookup("open", name)
	if err != nil {
		return nil, err
	}
	data, err := t.file(e, folder)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return slices.Clone(data), nil
}

// file gives what is in a file of a folder; nobody may change it.
func (t treeFS) file(e entry, folder ID) ([]byte, error) {
	if !e.fileMode().IsRegular() {
		return nil, errNotRegular
	}
	data, err := t.read(plumbing.BlobObject, e.id)
	if err == nil {
		t.stored.texts.note(folder, e.id, object{plumbing.BlobObject, data})
	}
	return data, err
}

func (t treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	at, _, err := t.lookup("readdir", name)
	if err != nil {
		return nil, err
	}
	if !at.isDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	in, err := t.entered(at.id)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	var list []fs.DirEntry
	for e := range in.all {
		list = append(list, dirEntry{&t, at.id, e})
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// entered gives a tree whose files are likely to be read next.
func (t treeFS) entered(id ID) (tree, error) {
	t.stored.texts.enter(id)
	in, err := t.tree(id)
	if err == nil && len(in) > 0 {
		t.stored.texts.note(id, id, object{plumbing.TreeObject, in})
	}
	return in, err
}

func (t treeFS) Open(name string) (fs.File, error) {
	e, _, err := t.lookup("open", name)
	if err != nil {
		return nil, err
	}
	info, err := t.info(e)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if e.isDir() {
		list, err := t.ReadDir(name)
		return &openDir{info: info, rest: list}, err
	}
	data, err := t.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &openFile{bytes.NewReader(data), info}, nil
}

func (e entry) fileMode() fs.FileMode {
	switch e.mode {
	case modeDir:
		return fs.ModeDir | 0o755
	case modeLink:
		return fs.ModeSymlink | 0o777
	case modeGitlink:
		return fs.ModeIrregular
	case modeExec:
		return 0o755
	}
	return 0o644
}

type dirEntry struct {
	fs *treeFS
	in ID // the folder
	e  entry
}

func (d dirEntry) Name() string               { return d.e.name }
func (d dirEntry) IsDir() bool                { return d.e.isDir() }
func (d dirEntry) Type() fs.FileMode          { return d.e.fileMode().Type() }
func (d dirEntry) Info() (fs.FileInfo, error) { return d.fs.info(d.e) }

// Text gives what is in the file, which needs not be looked for again.
func (d dirEntry) Text() (string, error) {
	data, err := d.fs.file(d.e, d.in)
	if err != nil {
		return "", &fs.PathError{Op: "read", Path: d.e.name, Err: err}
	}
	return string(data), nil
}

type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

type openFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: errors.New("is a folder")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := d.rest
		d.rest = nil
		return list, nil
	}
	if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	list := d.rest[:n]
	d.rest = d.rest[n:]
	return list, nil
}
