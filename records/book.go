package records

import (
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Book is all records at one commit. It never changes to its users and may be
// used by any number of goroutines at once.
//
// A new Book has read nothing. A record asked for by its id is read from its
// own path, one file; what needs all of them (a list, a fault, a draft) reads
// the tree once and keeps it. A Book that was read once moves on with Advance
// by the changed files alone.
//
// Records that come out of a Book are shared: copy one before changing it.
type Book struct {
	fsys fs.FS

	whole atomic.Pointer[index] // nil until the tree was walked
	view  *view                 // nil for the Book of a tree

	mu    sync.Mutex
	reads map[string]*leaf // files read one by one before a walk, nil for none
	lists [2]*listing      // the file names of each collection, by Kind
	free  [2]int           // the first number above all ever used, by Kind; 0 while not known

	part    *index      // what was read for the tasks of one plan alone, nil for nothing
	partOf  string      // that plan
	settled bool        // the next who asks has all of it be read
	tidy    atomic.Bool // nothing in the tree is to be reported, or lies where it does not belong
}

// NewBook gives the Book of a tree: an fs.FS whose top has tasks/ and plans/. A
// tree without them is an empty Book. The tree must not change while the Book
// is in use.
func NewBook(fsys fs.FS) *Book {
	return &Book{fsys: fsys, reads: map[string]*leaf{}}
}

// Advance gives the Book of another tree that differs from this one in the
// named files alone: added, changed or removed ones, by their paths from the
// top, those outside tasks/ and plans/ ignored. A Book that was never read as a
// whole gives a new one that has read nothing, and knows what the next ids are
// where this one did. With no paths it is the same
// Book on another fs.FS.
//
// Where the tree cannot be read the Book that comes back has read nothing, so
// the error comes up again when it is asked.
func (b *Book) Advance(fsys fs.FS, paths []string) *Book {
	next := NewBook(fsys)
	x := b.whole.Load()
	switch {
	case x == nil && b.view != nil:
		next.view = &view{b.view.under.Advance(fsys, paths), b.view.now, b.view.gone}
		return next
	case x == nil:
		next.carry(b, paths)
		return next
	}
	r := revise(x)
	for _, path := range paths {
		if !ours(path) {
			continue
		}
		path = reach(path)
		l, err := readLeaf(fsys, path)
		if err != nil {
			return next
		}
		r.put(path, l)
	}
	next.whole.Store(r.done())
	return next
}

// walked gives the index of the whole tree, read now if it was not before. A
// walk that failed is tried again by the next caller.
func (b *Book) walked() (*index, error) {
	if x := b.whole.Load(); x != nil {
		return x, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.whole.Load(); x != nil {
		return x, nil
	}
	if b.view != nil {
		x, err := b.view.under.walked()
		if err != nil {
			return nil, err
		}
		x = b.view.of(x)
		b.whole.Store(x)
		return x, nil
	}
	r := revise(nil)
	if err := walk(b.fsys, func(l *leaf) { r.put(l.path, l) }); err != nil {
		return nil, fmt.Errorf("read the records: %w", err)
	}
	x := r.done()
	b.whole.Store(x)
	if k, ok := b.fsys.(keeper); ok {
		x.keepDigests(k)
	}
	return x, nil
}

// Task gives the task of an id, nil when no readable record has it. The error
// says that the tree could not be read, never that there is no such record.
func (b *Book) Task(id string) (*Task, error) {
	l, err := b.holderOf(id, TaskKind)
	if err != nil || l.record() == nil {
		return nil, err
	}
	return l.task, nil
}

// Plan gives the plan of an id, as Task does for tasks.
func (b *Book) Plan(id string) (*Plan, error) {
	l, err := b.holderOf(id, PlanKind)
	if err != nil || l.record() == nil {
		return nil, err
	}
	return l.plan, nil
}

// Record gives the task or plan of an id, whichever the id says, as Task does.
func (b *Book) Record(id string) (Record, error) {
	k, _, _ := ParseID(id)
	l, err := b.holderOf(id, k)
	if err != nil {
		return nil, err
	}
	return l.record(), nil
}

// source gives the text of the file that holds a task or plan, and its path; nil
// and "" when no readable record has the id.
func (b *Book) source(id string) ([]byte, string, error) {
	k, _, _ := ParseID(id)
	l, err := b.holderOf(id, k)
	if err != nil || l.record() == nil {
		return nil, "", err
	}
	data, err := fs.ReadFile(b.fsys, l.path)
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", l.path, err)
	}
	return data, l.path, nil
}

// Tasks gives every task, sorted by number.
func (b *Book) Tasks() (iter.Seq[*Task], error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	return func(yield func(*Task) bool) {
		x.table(TaskKind).holders(func(l *leaf) bool { return l.record() == nil || yield(l.task) })
	}, nil
}

// Plans gives every plan, sorted by number.
func (b *Book) Plans() (iter.Seq[*Plan], error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	return func(yield func(*Plan) bool) {
		x.table(PlanKind).holders(func(l *leaf) bool { return l.record() == nil || yield(l.plan) })
	}, nil
}

// TasksOf gives every task that names a plan, sorted by number, whether or not
// there is such a plan. Its cost grows with their number, hardly with that of
// all tasks.
func (b *Book) TasksOf(plan string) (iter.Seq[*Task], error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	return func(yield func(*Task) bool) {
		for _, c := range x.table(TaskKind).chunks {
			for i := range c.names().facets[facet{ofPlan, plan}].each {
				if !yield(c.slots[i].task) {
					return
				}
			}
		}
	}, nil
}

// Children gives every task that names another as its parent, sorted by number,
// whether or not there is such a task.
func (b *Book) Children(parent string) ([]*Task, error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	var children []*Task
	for _, c := range x.table(TaskKind).chunks {
		for i := range c.names().facets[facet{ofParent, parent}].each {
			children = append(children, c.slots[i].task)
		}
	}
	return children, nil
}

// OpenCount gives how many tasks of a session are open, and whether it has any
// at all: the tasks of the plans whose scope is the session, and those whose
// session names it. The session is compared bare.
func (b *Book) OpenCount(session string) (open int, tasks bool, err error) {
	bare := BareSession(session)
	x, err := b.walked()
	if err != nil || bare == "" {
		return 0, false, err
	}
	plans := x.plansOf(bare)
	for _, c := range x.table(TaskKind).chunks {
		s := c.summary()
		found := c.names().ofSession(bare, plans)
		tasks = tasks || found != slots{}
		over := s.with(Done).or(s.with(Dropped))
		left := found.without(over)
		open += left.count()
	}
	return open, tasks, nil
}

// TasksOfSession gives the tasks that OpenCount counts, the finished ones too,
// each once and sorted by number.
func (b *Book) TasksOfSession(session string) (iter.Seq[*Task], error) {
	bare := BareSession(session)
	x, err := b.walked()
	if err != nil || bare == "" {
		return func(func(*Task) bool) {}, err
	}
	plans := x.plansOf(bare)
	return func(yield func(*Task) bool) {
		for _, c := range x.table(TaskKind).chunks {
			for i := range c.names().ofSession(bare, plans).each {
				if !yield(c.slots[i].task) {
					return
				}
			}
		}
	}, nil
}

// Faults gives what could not be read as a record, sorted by path and line;
// where the tree itself cannot be read, that alone.
func (b *Book) Faults() []Fault {
	if b.clean() {
		return nil
	}
	x, err := b.walked()
	if err != nil {
		return []Fault{{Path: ".", Reason: err.Error()}}
	}
	return slices.Clone(x.reported().faults)
}

// Drafts gives the path of every readable file that still has no id, sorted.
func (b *Book) Drafts() []string {
	if b.clean() {
		return nil
	}
	x, err := b.walked()
	if err != nil {
		return nil
	}
	return slices.Clone(x.reported().drafts)
}

// clean reports whether it is known, without all being read, that there is nothing
// to report.
func (b *Book) clean() bool { return b.whole.Load() == nil && b.tidy.Load() }
