package clone

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// object is a file as git keeps it.
type object struct{ mode, id string }

// tree is the files of a commit, or of the index, as a file system. Names are
// listed at once; a text is asked for when it is read.
type tree struct {
	files   map[string]object
	folders map[string][]string // the names in each, sorted
	texts   *texts
}

var (
	_ fs.ReadDirFS  = (*tree)(nil)
	_ fs.ReadFileFS = (*tree)(nil)
	_ fs.StatFS     = (*tree)(nil)
)

// treeOf lists the files below the folders of the records, and of the file of the
// hosts' keys, in a commit; "" is the index.
func (c *Clone) treeOf(ctx context.Context, commit string, texts *texts) (*tree, error) {
	args, fields := append([]string{"ls-files", "-s", "-z"}, ours...), 3
	if commit != "" {
		args = append([]string{"ls-tree", "-r", "-z", "--full-tree", commit}, ours...)
	}
	out, err := c.git(ctx, append(args, ".git-tasks")...)
	if err != nil {
		return nil, err
	}
	t := &tree{files: map[string]object{}, folders: map[string][]string{".": nil}, texts: texts}
	for _, line := range names(out) {
		head, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != fields {
			return nil, fmt.Errorf("git lists a file as %q", line)
		}
		o := object{words[0], words[1]}
		if commit != "" {
			o.id = words[2]
		}
		t.add(name, o)
	}
	for _, list := range t.folders {
		slices.Sort(list)
	}
	return t, nil
}

func (t *tree) add(name string, o object) {
	if _, ok := t.files[name]; ok {
		return // another stage of a conflict
	}
	t.files[name] = o
	for at := name; at != "."; at = path.Dir(at) {
		dir := path.Dir(at)
		_, known := t.folders[dir]
		t.folders[dir] = append(t.folders[dir], path.Base(at))
		if known {
			break
		}
	}
}

// Open is fs.FS; only what ReadFile, ReadDir and Stat give is ever asked for.
func (t *tree) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.ErrUnsupported}
}

func (t *tree) ReadFile(name string) ([]byte, error) {
	o, ok := t.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return t.texts.read(o.id)
}

func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	folder, ok := t.folders[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	list := make([]fs.DirEntry, len(folder))
	for i, base := range folder {
		list[i] = fs.FileInfoToDirEntry(info{base, t.mode(path.Join(name, base)), t, path.Join(name, base)})
	}
	return list, nil
}

func (t *tree) Stat(name string) (fs.FileInfo, error) {
	_, isFile := t.files[name]
	_, isFolder := t.folders[name]
	if !isFile && !isFolder {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info{path.Base(name), t.mode(name), t, name}, nil
}

func (t *tree) mode(name string) fs.FileMode {
	switch o, ok := t.files[name]; {
	case !ok:
		return fs.ModeDir | 0o755
	case o.mode == "120000":
		return fs.ModeSymlink | 0o777
	case o.mode == "160000":
		return fs.ModeIrregular
	case o.mode == "100755":
		return 0o755
	}
	return 0o644
}

// info is what is known of a file; its size is asked for when it is wanted.
type info struct {
	name string
	mode fs.FileMode
	of   *tree
	path string
}

func (i info) Name() string       { return i.name }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
func (i info) Size() int64 {
	if !i.mode.IsRegular() {
		return 0
	}
	data, err := i.of.ReadFile(i.path)
	if err != nil {
		return 0 // whoever reads it gets the error
	}
	return int64(len(data))
}

// texts reads texts by their ids, all through one process of git's. It is safe
// for concurrent use.
type texts struct {
	mu   sync.Mutex
	cmd  *exec.Cmd
	ask  io.WriteCloser
	said *bufio.Reader
	last struct { // what is looked at for its size is read next
		id   string
		data []byte
	}
}

func (c *Clone) openTexts(ctx context.Context) (*texts, error) {
	t := &texts{cmd: exec.CommandContext(ctx, "git", "cat-file", "--batch")}
	t.cmd.Dir, t.cmd.Env = c.top, c.environ
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.said = bufio.NewReader(out)
	if t.ask, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return t, t.cmd.Start()
}

func (t *texts) close() error {
	return errors.Join(t.ask.Close(), t.cmd.Wait())
}

func (t *texts) read(id string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.id == id {
		return bytes.Clone(t.last.data), nil
	}
	if _, err := io.WriteString(t.ask, id+"\n"); err != nil {
		return nil, err
	}
	line, err := t.said.ReadString('\n')
	if err != nil {
		return nil, err
	}
	var got, kind string
	var size int
	if n, err := fmt.Sscan(line, &got, &kind, &size); n != 3 {
		return nil, fmt.Errorf("git says of object %s: %s: %w", id, strings.TrimSpace(line), err)
	}
	data := make([]byte, size+1) // and a line end
	if _, err := io.ReadFull(t.said, data); err != nil {
		return nil, err
	}
	t.last.id, t.last.data = id, data[:size]
	return bytes.Clone(data[:size]), nil
}
