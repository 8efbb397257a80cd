package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"
)

// keeper is an fs.FS that keeps what was worked out of a folder's content: Kept
// gives it back for as long as all in the folder, and below it, is what it was then,
// wherever such a folder lies; nil for none.
type keeper interface {
	Kept(dir string) []byte
	Keep(dir string, data []byte)
}

// digest is what has to be known of a folder to pass it by when the tasks of a plan
// are asked for. There is one only of a folder in whose files, those below it left
// out, nothing has to be reported, waits for an id, or lies where it does not belong.
type digest struct {
	Form    int      `json:"form"`
	Dir     string   `json:"dir"`
	Folders []string `json:"folders"` // below it, the names, sorted
	Plans   []string `json:"plans"`   // that its tasks name, sorted
}

const (
	// digestForm goes up whenever a file is judged otherwise than before: what was
	// worked out until then counts no more.
	digestForm = 1
	// digestWorth is how many files a tree must have for digests: a smaller one is
	// read as quickly.
	digestWorth = 1000
	// maxUndigested is how many folders without a digest are read one by one, fewer as
	// long as hardly any with one was met. Where there are more, all are read, by
	// several at a time.
	maxUndigested, firstUndigested = 64, 2
)

// digested takes apart what was kept of a folder.
func digested(k keeper, dir string) (d digest, ok bool) {
	data := k.Kept(dir)
	ok = data != nil && json.Unmarshal(data, &d) == nil && d.Form == digestForm && d.Dir == dir
	return d, ok
}

// keep hands a digest on; whoever cannot keep it reads the folder again.
func (d *digest) keep(k keeper) {
	d.Form = digestForm
	slices.Sort(d.Folders)
	d.Folders = slices.Compact(d.Folders)
	slices.Sort(d.Plans)
	d.Plans = slices.Compact(d.Plans)
	if data, err := json.Marshal(d); err == nil {
		k.Keep(d.Dir, data)
	}
}

// add takes a file of the folder in, and reports whether there is nothing about it.
func (d *digest) add(l *leaf) bool {
	switch {
	case l == nil:
		return true
	case len(l.faults) > 0 || len(l.warnings) > 0:
		return false
	case l.path == highestPath(kindOfPath(l.path)):
		return true
	case l.record() == nil || l.misplaced():
		return false
	}
	if l.task != nil && l.task.Plan != "" && (len(d.Plans) == 0 || d.Plans[len(d.Plans)-1] != l.task.Plan) {
		d.Plans = append(d.Plans, l.task.Plan)
	}
	return true
}

// keepDigests has the folders of a tree that was read as a whole be passed by the
// next time.
func (x *index) keepDigests(k keeper) {
	folders, odd := map[string]*digest{}, map[string]bool{}
	at := func(dir string) *digest {
		for below := ""; ; below, dir = path.Base(dir), path.Dir(dir) {
			d, known := folders[dir]
			if !known {
				d = &digest{Dir: dir}
				folders[dir] = d
			}
			if below != "" {
				d.Folders = append(d.Folders, below)
			}
			if known || dir == TaskDir || dir == PlanDir || dir == "." {
				return d
			}
		}
	}
	files := 0
	add := func(l *leaf) {
		files++
		dir := path.Dir(l.path)
		d := folders[dir]
		if d == nil {
			at(dir)
			d = folders[dir]
		}
		if !d.add(l) {
			odd[dir] = true
		}
	}
	for _, t := range x.tables {
		for _, c := range t.chunks {
			for i := range c.slots {
				for _, l := range c.files(i) {
					add(l)
				}
			}
		}
	}
	for _, l := range x.odd {
		add(l)
	}
	if files < digestWorth {
		return
	}
	for dir, d := range folders {
		if !odd[dir] {
			d.keep(k)
		}
	}
}

// ofPlan gives an index in which every task of a plan stands, and nothing that has to
// be reported is left out; nil where the whole tree is to be read. A Book that is
// asked for another plan, or has moved on, is one of a process that stays, and read
// as a whole.
func (b *Book) ofPlan(plan string) *index {
	if b.view != nil {
		x := b.view.under.ofPlan(plan)
		if x == nil {
			return nil
		}
		b.tidy.Store(true)
		return b.view.of(x)
	}
	k, ok := b.fsys.(keeper)
	if !ok || b.whole.Load() != nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.settled {
		b.settled, b.partOf = true, plan
		b.part = planIndex(b.fsys, k, plan)
		b.tidy.Store(b.part != nil)
	}
	if b.partOf != plan {
		return nil
	}
	return b.part
}

// planIndex reads the folders that hold tasks of a plan, and those that nothing is
// known of; nil where all of them should be read.
func planIndex(fsys fs.FS, k keeper, plan string) *index {
	s := &search{fsys: fsys, keeper: k, plan: plan, found: revise(nil)}
	for _, kind := range []Kind{TaskKind, PlanKind} {
		info, err := lstat(fsys, kind.Dir())
		if err != nil || info != nil && (!info.IsDir() || s.folder(kind.Dir(), 1) != nil) {
			return nil
		}
	}
	if s.known > firstUndigested {
		for _, d := range s.fresh {
			d.keep(k)
		}
	}
	return s.found.done()
}

// search looks for the tasks of a plan.
type search struct {
	fsys   fs.FS
	keeper keeper
	plan   string
	found  *revision
	known  int       // folders that have a digest
	fresh  []*digest // of those that had none
}

// folder looks in a folder and those below it. The error says that all are to be read.
func (s *search) folder(dir string, depth int) error {
	d, known := digested(s.keeper, dir)
	switch {
	case known && slices.Contains(d.Plans, s.plan):
		s.known++
		if _, err := s.files(dir, depth); err != nil {
			return err
		}
	case known:
		s.known++
	case len(s.fresh) >= min(maxUndigested, firstUndigested+s.known):
		return errors.New("of too many folders nothing is known")
	default:
		fresh, err := s.files(dir, depth)
		if err != nil {
			return err
		}
		d, s.fresh = *fresh, append(s.fresh, fresh)
	}
	for _, name := range d.Folders {
		if err := s.folder(dir+"/"+name, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// files reads the files of a folder, and makes its digest.
func (s *search) files(dir string, depth int) (*digest, error) {
	entries, err := fs.ReadDir(s.fsys, dir)
	if err != nil {
		return nil, err
	}
	d := &digest{Dir: dir}
	for _, e := range entries {
		if e.IsDir() && depth+1 < maxFolders && utf8.ValidString(e.Name()) {
			d.Folders = append(d.Folders, e.Name())
			continue
		}
		file := dir + "/" + e.Name()
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		l, err := readFile(file, info, textIn(s.fsys, file, e))
		if err != nil {
			return nil, err
		}
		if !d.add(l) {
			return nil, fmt.Errorf("%s has something to report", file)
		}
		if l != nil {
			s.found.put(file, l)
		}
	}
	return d, nil
}
