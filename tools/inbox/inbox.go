package inbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-tasks/git-tasks/repo/watch"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	// still is how long a file must look the same where nothing else says that it is
	// whole.
	still = 2 * time.Second
	// retry is how long what failed is left alone, unless something happens.
	retry = 10 * time.Second
)

// Inbox is a folder whose files become tasks of one list.
type Inbox struct {
	store *tools.Store
	dir   string
	root  *os.Root
	log   *slog.Logger
	now   func() time.Time   // for how long a file looks the same
	step  func(string) error // called before each thing that is done; an error ends it there, as a kill would

	waiting map[string]sight  // files that are not whole yet, by name
	ids     map[string]string // of the tasks that were made, by the stem of the file
	history bool              // ids has those that earlier hosts made, too
	there   map[string]bool   // stems of the files of this pass that are no tasks; false where none comes of one
	taken   []take            // files whose task is made, or may be, and that are still there
	said    map[string]string
	fault   atomic.Pointer[string] // why nothing is taken, nil for nothing
}

// stem is the name of a file without its .md, which is what others call it.
func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// sight is what a file looked like, and since when.
type sight struct {
	look  look
	since time.Time
}

// Open opens a folder, which is made where it is missing. The error is one of the
// input: dir is no folder, or cannot be made or read.
func Open(s *tools.Store, dir string) (*Inbox, error) {
	dir, err := filepath.Abs(dir)
	isNew := false
	if err == nil {
		_, serr := os.Lstat(dir)
		isNew = errors.Is(serr, os.ErrNotExist)
		err = os.MkdirAll(dir, 0o700)
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil {
		return nil, &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf("the inbox cannot be opened: %v", err), Err: err}
	}
	log := s.Log().With("inbox", dir)
	if isNew {
		log.Info("the inbox was not there, and was made")
	}
	return &Inbox{store: s, dir: dir, root: root, log: log, now: s.Now,
		step: func(string) error { return nil }, waiting: map[string]sight{}, ids: map[string]string{}, said: map[string]string{}}, nil
}

// Dir gives the absolute path of the folder.
func (b *Inbox) Dir() string { return b.dir }

// Run takes what lies in the folder, and then what comes, until ctx ends.
func (b *Inbox) Run(ctx context.Context) {
	defer func() { b.root.Close() }() // of the folder that is there by then
	signals, err := watch.Folder(ctx, b.dir)
	if err != nil {
		b.log.Error("the inbox is not watched", "error", err)
		return
	}
	if b.taken, err = b.readJournal(); err != nil {
		b.log.Error("what was taken when the host ended is not known; a file may become a second task", "error", err)
	}
	for open := true; open; {
		var again <-chan time.Time
		if wait := b.pass(ctx); wait > 0 {
			again = time.After(wait)
		}
		select {
		case _, open = <-signals:
		case <-again:
		}
	}
}

// pass deals with every file that is there, in the order of their names, and says
// when to look again although nothing happens; 0 is never.
func (b *Inbox) pass(ctx context.Context) (again time.Duration) {
	err := b.findFolder()
	var entries []os.DirEntry
	if err == nil {
		entries, err = os.ReadDir(b.dir)
	}
	if err != nil {
		b.takesNothing("the inbox cannot be read", err)
		return retry
	}
	if err := writable(b.dir); err != nil {
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return isMeant(e.Name()) }) {
			b.takesNothing("nothing is taken: a file could not be removed", err)
		}
		return 0
	}
	b.takesAgain()
	var names []string
	b.there = map[string]bool{}
	for _, e := range entries {
		if isMeant(e.Name()) {
			names = append(names, e.Name())
			b.come(e.Name())
		}
	}
	for name := range b.waiting {
		if !slices.Contains(names, name) {
			delete(b.waiting, name)
		}
	}
	return b.considerAll(ctx, names)
}

// come notes that a file is there, unless its task is made.
func (b *Inbox) come(name string) {
	if i := b.takenAt(name); i >= 0 && b.taken[i].task != "" {
		if info, err := b.root.Lstat(name); err == nil && b.taken[i].Look.isOf(lookOf(info)) {
			return
		}
	}
	b.there[stem(name)] = true
}

// later is how long a file waits that names another one: until that is a task.
const later time.Duration = -1

// considerAll deals with some files. One that names another of them comes behind it,
// and is refused where that one becomes no task.
func (b *Inbox) considerAll(ctx context.Context, names []string) (again time.Duration) {
	for last := false; len(names) > 0 && ctx.Err() == nil; {
		var behind []string
		for _, name := range names {
			wait := b.consider(ctx, name)
			if wait == later {
				behind = append(behind, name)
				continue
			}
			if _, still := b.there[stem(name)]; still && wait == 0 {
				b.there[stem(name)] = false
			}
			if wait > 0 && (again == 0 || wait < again) {
				again = wait
			}
		}
		if len(behind) == len(names) {
			if last || again > 0 {
				break // what they name is not whole yet
			}
			last = true // they name each other
			for _, name := range names {
				b.there[stem(name)] = false
			}
		}
		names = behind
	}
	return again
}

// isMeant reports a name that somebody gives a file to be taken.
func isMeant(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".md") && strings.IndexByte(".#~", name[0]) < 0
}

// consider deals with one file, and says when to look at it again.
func (b *Inbox) consider(ctx context.Context, name string) time.Duration {
	info, err := b.root.Lstat(name)
	if err != nil || info.IsDir() {
		return 0
	}
	if !info.Mode().IsRegular() {
		return b.refuse(name, fmt.Sprintf("%s is %s: put the file itself here", name, kindOf(info)))
	}
	if i := b.takenAt(name); i >= 0 {
		if done, wait := b.goOn(i, info); done {
			return wait
		}
	}
	f, err := b.open(name, info)
	if err != nil {
		b.sayOnce(name, err.Error(), "a file cannot be read", "file", name, "error", err)
		return retry
	}
	data, whole, err := f.read()
	if err != nil {
		b.sayOnce(name, err.Error(), "a file cannot be read", "file", name, "error", err)
		return retry
	}
	if !whole || f.busy {
		if wait := b.wait(name, f); wait > 0 {
			return wait
		}
	}
	delete(b.waiting, name)
	return b.take(ctx, name, f, data)
}

// wait says how much longer a file must look as it does; one that somebody writes
// to must be closed first.
func (b *Inbox) wait(name string, f file) time.Duration {
	seen, known := b.waiting[name]
	if !known || seen.look != f.look {
		seen = sight{f.look, b.now()}
		b.waiting[name] = seen
	}
	if left := still - b.now().Sub(seen.since); left > 0 {
		return left
	}
	if f.busy {
		b.sayOnce(name, "busy", "a file is still open for writing; it is taken once it is closed", "file", name)
		return still
	}
	return 0
}

func kindOf(info os.FileInfo) string {
	switch mode := info.Mode(); {
	case mode&os.ModeSymlink != 0:
		return "a symbolic link"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// sayOnce logs what is wrong with a file, once as long as it is the same.
func (b *Inbox) sayOnce(name, what, text string, args ...any) {
	if b.said[name] != what {
		b.said[name] = what
		b.log.Warn(text, args...)
	}
}
