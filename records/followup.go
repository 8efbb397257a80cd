package records

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// Foreign is one commit that another program made.
type Foreign struct {
	// Author is whatever the caller tells authors apart by.
	Author string
	// Paths is every file the commit added, changed or removed.
	Paths []string
	// Mark is what a stamp says that the commit calls for: whom it is by, and when.
	// Without a time nothing is stamped.
	Mark Mark
	// Tree is the files after the commit. It tells which of several commits moved a
	// status; where it is nil, that is the last that touched the record.
	Tree fs.FS
}

// FollowUp is one commit that foreign ones call for.
type FollowUp struct {
	// Author is the Foreign one it is authored as, "" for the host.
	Author string
	// Files is what it writes, in the order of their paths.
	Files []File
	// IDs is what it minted, by number, tasks ahead of plans.
	IDs []string
	// Marked is the records that had an id, and whose making or move it stamped or
	// whose stamps it put back, in the same order.
	Marked []string
	// Moved is the new status where Marked is one record that was moved, or made with
	// a status that is stamped.
	Moved Status
	// At is the time of the stamps it writes, zero where it writes none: the commit
	// has to be of the same.
	At time.Time
	// Notes is what it put back, a line each, for its message.
	Notes []string
	// Book is the Book after it.
	Book *Book
}

// FollowUps gives what the foreign commits between before and b call for, in the
// order to be written; none where they call for nothing. before may be nil or
// empty where there was no commit of our own yet. Numbers that came and went in
// between are known by the commits' paths.
//
// Every draft that a commit touched gets an id, in the follow-up of the author
// who made it: of the first commit that touched its path, the commits being
// given parents first. Every reference to it by name is turned into that id.
// Where the tree and .highest together no longer say the highest number ever
// used, .highest is written anew, as the host where nothing else is to be done.
//
// A record that a commit added, and a draft, is stamped as task_add would have, and
// where it has such a status as task_set would have behind that; a status that a
// commit moved as task_set would have. Each is by that commit's Mark, in the follow-up
// of its author and at the time of the last thing of theirs that is stamped; what goes
// with an old status (active, a lease) goes. Stamps and leases themselves are the
// host's: they become again what before has, and so does the owner of a task that was
// and is in doing. A record that before does not have is taken as the commit made it
// that brought it, with the stamps that it has there, whoever they name: no commit of
// ours wrote those, and whoever looks at the history says so. But for approved and a
// lease, which are taken out. Notes names each. Where before is nil nothing is known
// of what the host wrote, nor is it of a file that before could not read, and of
// records that have an id nothing of this is done.
//
// What cannot be written is left out, and everything else goes on: a draft stays
// one where no id is left for it, where its file cannot be rewritten, where its
// name is one that is not to be written, and where something lies in the way of
// the record it would become; .highest is not written where a folder lies in its
// place. An error is the storage's alone.
func (b *Book) FollowUps(before *Book, commits []Foreign) ([]FollowUp, error) {
	f := &follower{tip: b, commits: commits, touched: map[string][]int{}}
	for i, c := range commits {
		for _, path := range c.Paths {
			if ours(path) {
				path = reach(path)
				f.touched[path] = append(f.touched[path], i)
			}
		}
	}
	for _, k := range []Kind{TaskKind, PlanKind} {
		if err := f.findFree(k, before); err != nil {
			return nil, err
		}
	}
	f.order(commits)
	if err := f.findDrafts(); err != nil {
		return nil, err
	}
	if err := f.findMarks(before); err != nil {
		return nil, err
	}
	if err := f.number(); err != nil {
		return nil, err
	}
	if err := f.settle(); err != nil {
		return nil, err
	}
	f.close()
	return f.write()
}

// follower works out the follow-ups of one tip.
type follower struct {
	tip     *Book
	commits []Foreign
	touched map[string][]int // by path the commits that touched it
	free    [2]int           // the first number above all ever used, by Kind
	lost    []File           // .highest of the collections that forgot theirs
	groups  []group
	names   draftNames
}

// group is the drafts of one author, and the records that the author added or moved.
type group struct {
	author string
	drafts []*minted
	marks  []marked
	at     time.Time // of their stamps
}

// order makes the groups, in the order of each author's first commit.
func (f *follower) order(commits []Foreign) {
	for _, c := range commits {
		f.group(c.Author)
	}
}

func (f *follower) group(author string) *group {
	i := slices.IndexFunc(f.groups, func(g group) bool { return g.author == author })
	if i < 0 {
		i = len(f.groups)
		f.groups = append(f.groups, group{author: author})
	}
	return &f.groups[i]
}

// findFree finds the highest number ever used and whether the tip still says it.
func (f *follower) findFree(k Kind, before *Book) error {
	top := 0
	for path := range f.touched {
		if kindOfPath(path) == k {
			top = max(top, numberOf(path))
		}
	}
	for _, b := range []*Book{before, f.tip} {
		if b == nil {
			continue
		}
		n, err := b.highest(k)
		if err != nil {
			return err
		}
		top = max(top, n)
	}
	f.free[k-TaskKind] = top + 1
	own, err := f.tip.ownHighest(k)
	if err != nil {
		return err
	}
	l, err := f.tip.at(highestPath(k))
	if err != nil || top == 0 {
		return err
	}
	said, broken := 0, false
	if l != nil {
		said, broken = l.said, len(l.faults) > 0
	}
	if !broken && top <= max(own, said) && !unsaid(top, said) {
		return nil
	}
	room, err := f.tip.roomForHighest(k)
	if err == nil && room {
		f.lost = append(f.lost, highestFile(k, top))
	}
	return err
}

// findDrafts finds every touched draft that can be rewritten, each author's in the
// order of their paths.
func (f *follower) findDrafts() error {
	for _, path := range slices.Sorted(maps.Keys(f.touched)) {
		l, err := f.tip.at(path)
		if err != nil {
			return err
		}
		if l == nil || !l.draft || !writable(path) {
			continue
		}
		d, err := f.draft(l)
		if err != nil {
			return err
		}
		if d != nil {
			g := f.group(d.mark.author)
			g.drafts = append(g.drafts, d)
		}
	}
	return nil
}

// number gives the drafts their ids. One for which there is no id left, or no
// room, stays a draft: what one person pushed must not keep others from writing.
func (f *follower) number() error {
	for i := range f.groups {
		var fit []*minted
		for _, d := range f.groups[i].drafts {
			k := kindOfPath(d.path)
			n := f.free[k-TaskKind]
			room, err := f.tip.roomFor(k, n)
			if err != nil {
				return err
			}
			if d.id = ""; room {
				d.id = formatID(k, n)
				d.mark.id = d.id
				f.free[k-TaskKind]++
				fit = append(fit, d)
			}
		}
		f.groups[i].drafts = fit
	}
	for i := range f.groups {
		g := &f.groups[i]
		g.marks = slices.DeleteFunc(g.marks, func(m marked) bool { return m.draft != nil && m.draft.id == "" })
	}
	return nil
}

// close leaves out the authors whose commits call for nothing.
func (f *follower) close() {
	f.groups = slices.DeleteFunc(f.groups, func(g group) bool { return len(g.drafts)+len(g.marks) == 0 })
	for i, g := range f.groups {
		slices.SortFunc(f.groups[i].marks, func(a, b marked) int { return strings.Compare(a.path, b.path) })
		for _, d := range g.drafts {
			d.group = i
			f.names.add(d)
		}
	}
}

// write makes the follow-ups, each on the Book of the one before.
func (f *follower) write() ([]FollowUp, error) {
	if len(f.groups) == 0 {
		if len(f.lost) == 0 {
			return nil, nil
		}
		sortFiles(f.lost)
		return []FollowUp{{Files: f.lost, Book: f.tip.with(f.lost)}}, nil
	}
	var referring []string
	if f.names.byPath != nil {
		var err error
		if referring, err = f.referring(); err != nil {
			return nil, err
		}
	}
	at := f.tip
	var ups []FollowUp
	for i, g := range f.groups {
		up := FollowUp{Author: g.author, At: g.at, Book: at}
		if i == 0 {
			up.put(f.lost...)
		}
		if err := f.writeMarks(&up, g); err != nil {
			return nil, err
		}
		if err := f.writeDrafts(&up, g); err != nil {
			return nil, err
		}
		files, err := f.redirect(at.with(up.Files), referring, i)
		if err != nil {
			return nil, err
		}
		up.put(files...)
		if up.Files, err = at.noteFar(up.Files, up.IDs); err != nil {
			return nil, err
		}
		if len(up.Files) == 0 {
			continue // none of its records could be written
		}
		sortFiles(up.Files)
		sortIDs(up.IDs)
		sortIDs(up.Marked)
		at = at.with(up.Files)
		up.Book = at
		ups = append(ups, up)
	}
	return ups, nil
}

// put adds files, each in the place of one of the same path.
func (up *FollowUp) put(files ...File) {
	for _, file := range files {
		i := slices.IndexFunc(up.Files, func(f File) bool { return f.Path == file.Path })
		if i < 0 {
			up.Files = append(up.Files, file)
		} else {
			up.Files[i] = file
		}
	}
}

func (f *follower) writeMarks(up *FollowUp, g group) error {
	for i := range g.marks {
		m := &g.marks[i]
		data, err := m.write(up.Book)
		if err != nil {
			return err
		}
		if data == nil {
			continue
		}
		up.put(File{Path: m.path, Data: data})
		up.Marked = append(up.Marked, m.id)
		up.Notes = append(up.Notes, m.notes...)
		if up.Moved = m.moved; len(up.Marked) > 1 {
			up.Moved = ""
		}
	}
	return nil
}

func (f *follower) writeDrafts(up *FollowUp, g group) error {
	for _, d := range g.drafts {
		data, err := d.mint(up.Book, f.names)
		if err != nil {
			return err
		}
		up.IDs = append(up.IDs, d.id)
		up.Notes = append(up.Notes, d.mark.notes...)
		up.put(File{Path: d.path}, File{Path: PathOf(d.id), Data: data})
		d.mark.account.path = PathOf(d.id) // where somebody else's follow-up finds it
	}
	return nil
}

// noteFar adds .highest where it no longer names a number in the folder of the
// highest, as create does for a tool.
func (b *Book) noteFar(files []File, ids []string) ([]File, error) {
	for _, id := range ids {
		k, n, _ := ParseID(id)
		said, err := b.said(k)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(files, func(f File) bool { return f.Path == highestPath(k) })
		if i >= 0 {
			_, said, _ = ParseID(strings.TrimSpace(string(files[i].Data)))
		}
		if !unsaid(n, said) {
			continue
		}
		if i >= 0 {
			files[i] = highestFile(k, n)
			continue
		}
		room, err := b.roomForHighest(k)
		if err != nil {
			return nil, err
		}
		if room {
			files = append(files, highestFile(k, n))
		}
	}
	return files, nil
}

func sortIDs(ids []string) {
	slices.SortFunc(ids, func(a, b string) int {
		ka, na, _ := ParseID(a)
		kb, nb, _ := ParseID(b)
		if ka != kb {
			return int(ka) - int(kb)
		}
		return na - nb
	})
}
