package records

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxFolders is how many names a path under the two top folders may have. The
// layout needs five at most; the rest is room for folders of drafts. A tree
// nested deeper is reported where it passes the limit and never entered, since
// a few git objects can spell more paths than anyone could read.
const maxFolders = 16

// leaf is one file of the tree, read once and never changed. A folder is a leaf
// only where it cannot be entered.
type leaf struct {
	path   string
	number int // what the file name spells as an id of its collection, else 0
	task   *Task
	plan   *Plan
	draft  bool
	said   int // what .highest names, 0 in any other file
	lines  referenceLines
	faults []Fault
	// warnings are those of the file's text; that it lies in the wrong folder
	// follows from path and number.
	warnings []Fault
}

// record gives the readable task or plan with an id that the file is, nil for
// anything else, no file included.
func (l *leaf) record() Record {
	if l == nil || l.draft {
		return nil
	}
	return recordOf(l.task, l.plan)
}

// ours reports whether a path is in one of the two collections.
func ours(path string) bool {
	return kindOfPath(path) != 0 || path == TaskDir || path == PlanDir
}

// reach gives the part of a path that can be asked for: an fs.FS cannot open
// what is not UTF-8, and nothing below maxFolders is entered. What is cut off
// is reported as the folder it lies in.
func reach(path string) string {
	start := 0
	for depth := 1; ; depth++ {
		end := strings.IndexByte(path[start:], '/')
		if end < 0 {
			return path
		}
		end += start
		if depth == maxFolders || !utf8.ValidString(path[start:end]) {
			return path[:end]
		}
		start = end + 1
	}
}

// readLeaf reads the file at a path; nil means that there is none, or nothing
// to say about it: a plain folder, README.md, a path outside the collections.
func readLeaf(fsys fs.FS, path string) (*leaf, error) {
	info, err := look(fsys, path)
	if err != nil || info == nil {
		return nil, err
	}
	return readFile(path, info, fileOf{fsys, path})
}

// texter gives the text of a file. An fs.DirEntry may be one, which spares looking
// for the file again.
type texter interface {
	Text() (string, error)
}

// fileOf is a file by its path.
type fileOf struct {
	fsys fs.FS
	path string
}

// textIn gives the text of a file that its folder listed.
func textIn(fsys fs.FS, path string, e fs.DirEntry) texter {
	if in, ok := e.(texter); ok {
		return in
	}
	return fileOf{fsys, path}
}

// Text reads the file.
func (f fileOf) Text() (string, error) {
	data, err := fs.ReadFile(f.fsys, f.path)
	return string(data), err
}

// look gives what lies at a path, nil for nothing. No part of the path is
// followed as a symbolic link.
func look(fsys fs.FS, path string) (fs.FileInfo, error) {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		info, err := lstat(fsys, path[:i])
		if err != nil || info == nil || !info.IsDir() {
			return nil, err
		}
	}
	if fs.ValidPath(path) {
		return lstat(fsys, path)
	}
	// A name that is not UTF-8 can only be found in the list of its folder.
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 || !fs.ValidPath(path[:slash]) {
		return nil, nil
	}
	entries, err := fs.ReadDir(fsys, path[:slash])
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", path[:slash], err)
	}
	for _, e := range entries {
		if e.Name() == path[slash+1:] {
			return e.Info()
		}
	}
	return nil, nil
}

func lstat(fsys fs.FS, path string) (fs.FileInfo, error) {
	info, err := fs.Lstat(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", path, err)
	}
	return info, nil
}

// readFile makes a leaf of what look found. Only a plain file with a sound name
// and a bearable size is opened.
func readFile(path string, info fs.FileInfo, in texter) (*leaf, error) {
	kind := kindOfPath(path)
	if path == kind.Dir()+"/README.md" && info.Mode().IsRegular() {
		return nil, nil
	}
	l := &leaf{path: path, number: numberOf(path)}
	reason, mend := oddEntry(path, info)
	if reason != "" {
		l.faults = []Fault{{Path: path, Reason: reason, Mend: mend}}
		return l, nil
	}
	if info.IsDir() {
		return nil, nil
	}
	text, err := in.Text()
	if err != nil {
		// The folder lists it, so that it is missing is damage as well.
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if path == highestPath(kind) {
		l.readHighest(kind, text)
		return l, nil
	}
	p := parse(path, text)
	l.task, l.plan, l.draft, l.lines = p.Task, p.Plan, p.Draft, p.lines
	l.faults, l.warnings = p.Faults, p.Warnings
	return l, nil
}

// readHighest reads the one line of .highest. Anything else in it counts as
// nothing and is reported; the next follow-up writes it anew.
func (l *leaf) readHighest(kind Kind, text string) {
	k, n, ok := ParseID(strings.TrimSpace(text))
	if ok && k == kind {
		l.said = n
		return
	}
	l.faults = []Fault{{Path: l.path, Line: 1, Reason: "must be one line with the highest id ever used, such as " +
		formatID(kind, 12), Mend: formatID(kind, 12)}}
}

// walk reads both collections and hands on every leaf, one at a time and in no
// promised order. An error is the storage's: one bad file never ends a walk.
// While one goroutine lists folders, others read the files.
func walk(fsys fs.FS, found func(*leaf)) error {
	w := &walker{fsys: fsys, files: make(chan []file, 4), leaves: make(chan []*leaf, 4), over: make(chan struct{})}
	var readers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		readers.Go(w.read)
	}
	go func() {
		w.list()
		close(w.files)
		readers.Wait()
		close(w.leaves)
	}()
	for some := range w.leaves {
		for _, l := range some {
			found(l)
		}
	}
	return w.err
}

// walker is a walk under way.
type walker struct {
	fsys   fs.FS
	files  chan []file
	leaves chan []*leaf

	once sync.Once
	err  error         // the first
	over chan struct{} // closed with it
}

// file is one file that a walk came by.
type file struct {
	path  string
	entry fs.DirEntry
}

// walkBatch is how many files a reader takes at a time.
const walkBatch = 64

func (w *walker) fail(err error) {
	w.once.Do(func() {
		w.err = err
		close(w.over)
	})
}

func (w *walker) list() {
	var some []file
	err := walkEntries(w.fsys, func(path string, e fs.DirEntry) error {
		if some = append(some, file{path, e}); len(some) < walkBatch {
			return nil
		}
		select {
		case w.files <- some:
			some = nil
			return nil
		case <-w.over:
			return w.err
		}
	}, TaskKind, PlanKind)
	if err != nil {
		w.fail(err)
	}
	select {
	case w.files <- some:
	case <-w.over:
	}
}

// read reads files until there are no more, or a walk has failed.
func (w *walker) read() {
	for some := range w.files {
		leaves := make([]*leaf, 0, len(some))
		for _, f := range some {
			l, err := w.leaf(f)
			if err != nil {
				w.fail(err)
			}
			if l != nil {
				leaves = append(leaves, l)
			}
		}
		w.leaves <- leaves
	}
}

func (w *walker) leaf(f file) (*leaf, error) {
	select {
	case <-w.over:
		return nil, nil
	default:
	}
	info, err := f.entry.Info()
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", f.path, err)
	}
	return readFile(f.path, info, textIn(w.fsys, f.path, f.entry))
}

// walkEntries names every file of the collections, and every folder that is not
// to be entered, without opening any file.
func walkEntries(fsys fs.FS, found func(string, fs.DirEntry) error, kinds ...Kind) error {
	for _, k := range kinds {
		info, err := lstat(fsys, k.Dir())
		switch {
		case err != nil:
			return err
		case info == nil:
		case info.IsDir():
			err = walkFolder(fsys, k.Dir(), 1, found)
		default:
			err = found(k.Dir(), fs.FileInfoToDirEntry(info))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func walkFolder(fsys fs.FS, dir string, depth int, found func(string, fs.DirEntry) error) error {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return fmt.Errorf("list %s: %w", dir, err)
	}
	for _, e := range entries {
		path := dir + "/" + e.Name()
		if e.IsDir() && depth+1 < maxFolders && utf8.ValidString(e.Name()) {
			err = walkFolder(fsys, path, depth+1, found)
		} else {
			err = found(path, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numberOf gives the number of the id that a path's file name spells in its own
// collection. A folder with such a name counts as well: a record of that id
// could not be written.
func numberOf(path string) int {
	kind := kindOfPath(path)
	if kind == 0 {
		return 0
	}
	for name := range strings.SplitSeq(path[len(kind.Dir())+1:], "/") {
		id, ok := strings.CutSuffix(name, ".md")
		if k, n, isID := ParseID(id); ok && isID && k == kind {
			return n
		}
	}
	return 0
}

// byPlace orders the files of one name: the one where the id belongs holds it,
// else the first path does.
func byPlace(home string) func(a, b *leaf) int {
	return func(a, b *leaf) int {
		switch {
		case a.path == b.path:
			return 0
		case a.path == home:
			return -1
		case b.path == home:
			return 1
		}
		return strings.Compare(a.path, b.path)
	}
}

// sortFaults orders faults by path, then line, keeping the order in which one
// file's were found otherwise.
func sortFaults(faults []Fault) {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
}
