package records

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Trees is three versions of all files: what both sides come from, what is on the
// branch, and what a person brings.
type Trees struct {
	Base, Branch, Pushed fs.FS
	// Renamed says which file became of a draft that the base still has: the path of
	// the record by that of the draft, as Renames finds it in the follow-ups that the
	// branch has on top of the base.
	Renamed map[string]string
}

// TreeMerge is what Trees.Merge came to.
type TreeMerge struct {
	// Taken is where the branch gets what the push has, as it is, mode and all, or
	// nothing where the push has nothing. Sorted.
	Taken []string
	// Files is what is to be written beside, in the order of their paths.
	Files []File
	// Overruled is what gave way, to be named in the merge commit.
	Overruled []Overruled
	// Drafts says where a pushed file went whose name the branch has given to
	// another: the draft's path by the file's.
	Drafts map[string]string
	// Restored is the ids of records that the branch had taken out and a change of
	// the push brings back: CheckPush has to be told.
	Restored []string
	// Faults is why the push cannot be merged.
	Faults []Fault
}

// Merge merges the named files, all those that differ between the base and the
// push, into the branch; every other file is as the branch has it. Each is merged
// by the function of that name. Where both sides added a record of one name, or
// the push one whose number the branch has used meanwhile, the pushed one becomes
// a draft under a name beside it, and what the same push says of its id says the
// draft's name instead. A draft that was given an id meanwhile, and edited in the
// clone under its old name, is merged into the record, and named by its id. The
// error says that a tree could not be read.
func (t Trees) Merge(paths []string) (TreeMerge, error) {
	m := &treeMerge{Trees: t, branch: NewBook(t.Branch), base: NewBook(t.Base), ids: map[string]string{}}
	m.Drafts = map[string]string{}
	paths = slices.Sorted(slices.Values(paths))
	paths = slices.Compact(paths)
	for _, from := range slices.Sorted(maps.Keys(t.Renamed)) {
		info, err := look(t.Base, from)
		if err != nil {
			return TreeMerge{}, err
		}
		if id := idOfPath(t.Renamed[from]); info != nil && id != "" {
			m.names.add(&minted{path: from, id: id})
		}
	}
	for _, file := range paths {
		if err := m.findApart(file); err != nil {
			return TreeMerge{}, err
		}
	}
	for _, file := range paths {
		if err := m.file(file); err != nil {
			return TreeMerge{}, err
		}
	}
	if err := m.findObstacles(); err != nil {
		return TreeMerge{}, err
	}
	sortFiles(m.Files)
	sortFaults(m.Faults)
	return m.TreeMerge, nil
}

// treeMerge is one merge of trees on its way.
type treeMerge struct {
	Trees
	TreeMerge
	branch, base *Book
	names        draftNames        // drafts of the base that have an id now
	ids          map[string]string // by id that the push took in vain the path of the draft
}

// version is a file in one tree: nothing, a plain file, or something else.
type version struct {
	info fs.FileInfo
	data []byte // of a plain file, never nil
	link string
}

func (v version) plain() bool { return v.info != nil && v.info.Mode().IsRegular() }

func (v version) same(o version) bool {
	if v.info == nil || o.info == nil {
		return v.info == nil && o.info == nil
	}
	return v.info.Mode() == o.info.Mode() && v.link == o.link && same3(v.data, o.data)
}

func readVersion(fsys fs.FS, file string) (version, error) {
	info, err := look(fsys, file)
	if err != nil || info == nil || !fs.ValidPath(file) {
		return version{info: info}, err
	}
	v := version{info: info}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		v.data, err = fs.ReadFile(fsys, file)
		v.data = append([]byte{}, v.data...)
	case mode&fs.ModeSymlink != 0:
		v.link, err = fs.ReadLink(fsys, file)
	}
	if err != nil {
		return version{}, fmt.Errorf("read %s: %w", file, err)
	}
	return v, nil
}

func (m *treeMerge) versions(file string) (base, branch, pushed version, err error) {
	base, err = readVersion(m.Base, file)
	if err != nil {
		return
	}
	if branch, err = readVersion(m.Branch, file); err != nil {
		return
	}
	pushed, err = readVersion(m.Pushed, file)
	return
}

// findApart finds out whether a file that the push adds has to be another than
// the branch's of that name, ahead of whatever names it.
func (m *treeMerge) findApart(file string) error {
	kind, n := kindOfPath(file), numberOf(file)
	if kind == 0 || !strings.HasSuffix(file, ".md") || file == kind.Dir()+"/README.md" {
		return nil
	}
	base, branch, pushed, err := m.versions(file)
	if err != nil || base.info != nil || !pushed.plain() || branch.info != nil && !branch.plain() || branch.same(pushed) {
		return err
	}
	if branch.info == nil {
		used, err := m.usedMeanwhile(kind, n)
		if err != nil || !used {
			return err
		}
	}
	to, err := m.freeName(file)
	if err != nil {
		return err
	}
	m.Drafts[file] = to
	if id := idOfPath(file); id != "" {
		m.ids[id] = to
	}
	return nil
}

// usedMeanwhile reports whether a number was free in the base and is not on the
// branch.
func (m *treeMerge) usedMeanwhile(k Kind, n int) (bool, error) {
	if n == 0 {
		return false, nil
	}
	top, err := m.branch.highest(k)
	if err != nil || n > top {
		return false, err
	}
	was, err := m.base.highest(k)
	return err == nil && n > was, err
}

// freeName gives a path beside a file that neither tree has.
func (m *treeMerge) freeName(file string) (string, error) {
	stem := strings.TrimSuffix(file, ".md")
	for i := 2; ; i++ {
		to := fmt.Sprintf("%s-%d.md", stem, i)
		taken := false
		for _, fsys := range []fs.FS{m.Branch, m.Pushed} {
			info, err := look(fsys, to)
			if err != nil {
				return "", err
			}
			taken = taken || info != nil
		}
		if !taken && numberOf(to) == 0 {
			return to, nil
		}
	}
}

// file merges one file.
func (m *treeMerge) file(file string) error {
	base, branch, pushed, err := m.versions(file)
	if err != nil {
		return err
	}
	asPushed := pushed
	pushed.data = m.redirected(file, base, pushed)
	if to := m.names.byPath[file]; to != nil && branch.info == nil && base.plain() {
		return m.intoRecord(file, m.Renamed[file], to.id, base, pushed)
	}
	if to := m.Drafts[file]; to != "" {
		kept := branch.data
		if kept == nil {
			kept = []byte(blankRecord(kindOfPath(file)))
		}
		merged := Merge(file, nil, kept, pushed.data)
		m.Faults = append(m.Faults, merged.Faults...)
		if merged.Apart != nil {
			m.Files = append(m.Files, File{Path: to, Data: merged.Apart})
		}
		return nil
	}
	switch {
	case branch.same(pushed):
	case branch.same(base) && asPushed.same(pushed):
		m.Taken = append(m.Taken, file)
	case pushed.info != nil && !pushed.plain() || branch.info != nil && !branch.plain() || base.info != nil && !base.plain():
		m.Taken = append(m.Taken, file)
		m.Overruled = append(m.Overruled, Overruled{Path: file, Field: "content", Lost: kindOfEntry(branch), Kept: kindOfEntry(pushed)})
	default:
		m.put(file, base, branch, Merge(file, base.data, branch.data, pushed.data))
	}
	return nil
}

func kindOfEntry(v version) string {
	if v.info == nil {
		return ""
	}
	return (&obstacle{info: v.info}).kind()
}

// put takes up what came of one file.
func (m *treeMerge) put(file string, base, branch version, merged Merged) {
	m.Overruled = append(m.Overruled, merged.Overruled...)
	m.Faults = append(m.Faults, merged.Faults...)
	if len(merged.Faults) > 0 || same3(merged.Data, branch.data) {
		return
	}
	m.Files = append(m.Files, File{Path: file, Data: merged.Data})
	if id := idOfPath(file); id != "" && base.info != nil && branch.info == nil {
		m.Restored = append(m.Restored, id)
	}
}

// intoRecord merges what the push made of a draft into the record that the branch
// made of it. Both versions of the draft get the id first, so that it is no
// change.
func (m *treeMerge) intoRecord(from, to, id string, base, pushed version) error {
	branch, err := readVersion(m.Branch, to)
	if err != nil {
		return err
	}
	merged := Merge(to, m.withID(from, id, base.data), branch.data, m.withID(from, id, pushed.data))
	m.put(to, base, branch, merged)
	return nil
}

// withID gives a draft as the record of an id, the draft itself where it cannot be
// read: the merge says why then.
func (m *treeMerge) withID(file, id string, data []byte) []byte {
	p := Parse(file, data)
	if data == nil || !p.Draft {
		return data
	}
	if with, err := m.names.withID(id, file, data, asMade(&leaf{task: p.Task, plan: p.Plan})); err == nil {
		return with
	}
	return data
}

// redirected gives a pushed task with the names it gives others turned: those of
// drafts into the ids that they have on the branch, ids that the branch has given
// to others into the names of the drafts that the push's become.
func (m *treeMerge) redirected(file string, base, pushed version) []byte {
	if !pushed.plain() || kindOfPath(file) != TaskKind || len(m.ids) == 0 && m.names.byPath == nil {
		return pushed.data
	}
	r, _, err := readLoose(TaskKind, pushed.data)
	if err != nil {
		return pushed.data
	}
	was := &Task{}
	if b, _, err := readLoose(TaskKind, base.data); err == nil && base.plain() {
		was = b.task
	}
	t := *r.task
	turn := func(name string, before ...string) string {
		if to := m.ids[name]; to != "" && !slices.Contains(before, name) {
			return to
		}
		return name
	}
	t.Plan, t.Parent = turn(t.Plan, was.Plan), turn(t.Parent, was.Parent)
	t.BlockedBy = slices.Clone(t.BlockedBy)
	for i, name := range t.BlockedBy {
		t.BlockedBy[i] = turn(name, was.BlockedBy...)
	}
	m.names.redirect(&t, file, func(*minted) bool { return true })
	data, err := Splice(pushed.data, &t)
	if err != nil {
		return pushed.data
	}
	return data
}

// findObstacles finds files that are to lie where the branch keeps a folder, or
// the other way round.
func (m *treeMerge) findObstacles() error {
	gone, written := map[string]bool{}, []string{}
	for _, file := range m.Taken {
		info, err := look(m.Pushed, file)
		if err != nil {
			return err
		}
		if info == nil {
			gone[file] = true
		} else {
			written = append(written, file)
		}
	}
	for _, f := range m.Files {
		if f.Data == nil {
			gone[f.Path] = true
		} else {
			written = append(written, f.Path)
		}
	}
	for _, file := range written {
		o, err := inTheWay(m.Branch, file)
		if errors.Is(err, fs.ErrInvalid) {
			continue // a name that no file system has stands in nobody's way
		}
		if err != nil {
			return err
		}
		if o != nil && !gone[o.path] && !(o.info.IsDir() && m.emptied(o.path, gone)) {
			m.Faults = append(m.Faults, Fault{Path: file, Reason: o.inTheWayOf("the push").Error()})
		}
	}
	return nil
}

// emptied reports whether every file in a folder of the branch goes.
func (m *treeMerge) emptied(dir string, gone map[string]bool) bool {
	err := fs.WalkDir(m.Branch, dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !gone[file] {
			return fs.ErrExist
		}
		return err
	})
	return err == nil
}

// Renames says which record became of each draft in one follow-up: the record's
// path by the draft's. before is the tree that the follow-up was made on, paths is
// every file it changed. A follow-up numbers the drafts of a collection in the
// order of their paths.
func Renames(before fs.FS, paths []string) (map[string]string, error) {
	renamed := map[string]string{}
	for _, k := range []Kind{TaskKind, PlanKind} {
		var drafts, ids []string
		for _, file := range slices.Sorted(slices.Values(paths)) {
			if kindOfPath(file) != k || path.Ext(file) != ".md" {
				continue
			}
			info, err := look(before, file)
			switch id := idOfPath(file); {
			case err != nil:
				return nil, err
			case id != "" && info == nil:
				ids = append(ids, id)
			case id == "" && info != nil:
				drafts = append(drafts, file)
			}
		}
		sortIDs(ids)
		for i := range min(len(drafts), len(ids)) {
			renamed[drafts[i]] = PathOf(ids[i])
		}
	}
	return renamed, nil
}
