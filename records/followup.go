package records

import (
	"slices"
	"strings"
)

// Foreign is one commit that another program made.
type Foreign struct {
	// Author is whatever the caller tells authors apart by.
	Author string
	// Paths is every file the commit added, changed or removed.
	Paths []string
}

// FollowUp is one commit that foreign ones call for.
type FollowUp struct {
	// Author is the Foreign one it is authored as, "" for the host.
	Author string
	// Files is what it writes, in the order of their paths.
	Files []File
	// IDs is what it minted, by number, tasks ahead of plans.
	IDs []string
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
// What cannot be written is left out, and everything else goes on: a draft stays
// one where no id is left for it, where its file cannot be rewritten, where its
// name is one that is not to be written, and where something lies in the way of
// the record it would become; .highest is not written where a folder lies in its
// place. An error is the storage's alone.
func (b *Book) FollowUps(before *Book, commits []Foreign) ([]FollowUp, error) {
	f := &follower{tip: b, touched: map[string]int{}}
	for i, c := range commits {
		for _, path := range c.Paths {
			if ours(path) {
				path = reach(path)
				if _, known := f.touched[path]; !known {
					f.touched[path] = i
				}
			}
		}
	}
	for _, k := range []Kind{TaskKind, PlanKind} {
		if err := f.findFree(k, before); err != nil {
			return nil, err
		}
	}
	if err := f.findDrafts(commits); err != nil {
		return nil, err
	}
	if err := f.number(); err != nil {
		return nil, err
	}
	return f.write()
}

// follower works out the follow-ups of one tip.
type follower struct {
	tip     *Book
	touched map[string]int // first commit by path
	free    [2]int         // the first number above all ever used, by Kind
	lost    []File         // .highest of the collections that forgot theirs
	groups  []group
	names   draftNames
}

// group is the drafts of one author.
type group struct {
	author string
	drafts []*minted
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

// findDrafts finds every touched draft that can be rewritten, the authors in the
// order of their first commit, each one's drafts in the order of their paths.
func (f *follower) findDrafts(commits []Foreign) error {
	byAuthor := map[string]int{}
	for _, c := range commits {
		if _, ok := byAuthor[c.Author]; !ok {
			byAuthor[c.Author] = len(f.groups)
			f.groups = append(f.groups, group{author: c.Author})
		}
	}
	paths := make([]string, 0, len(f.touched))
	for path := range f.touched {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		l, err := f.tip.at(path)
		if err != nil {
			return err
		}
		if l == nil || !l.draft || !writable(path) {
			continue
		}
		d, err := f.tip.draft(l)
		if err != nil {
			return err
		}
		if d != nil {
			g := &f.groups[byAuthor[commits[f.touched[path]].Author]]
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
			if room {
				d.id = formatID(k, n)
				f.free[k-TaskKind]++
				fit = append(fit, d)
			}
		}
		f.groups[i].drafts = fit
	}
	f.groups = slices.DeleteFunc(f.groups, func(g group) bool { return len(g.drafts) == 0 })
	for i, g := range f.groups {
		for _, d := range g.drafts {
			d.group = i
			f.names.add(d)
		}
	}
	return nil
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
	referring, err := f.referring()
	if err != nil {
		return nil, err
	}
	at := f.tip
	var ups []FollowUp
	for i, g := range f.groups {
		up := FollowUp{Author: g.author}
		if i == 0 {
			up.Files = f.lost
		}
		for _, d := range g.drafts {
			data, err := d.mint(f.names)
			if err != nil {
				// The ids may be too long for a file that is full: it keeps the names.
				data, err = d.mint(draftNames{})
			}
			if err != nil {
				return nil, err
			}
			up.IDs = append(up.IDs, d.id)
			up.Files = append(up.Files, File{Path: d.path}, File{Path: PathOf(d.id), Data: data})
		}
		files, err := f.redirect(at, referring, i)
		if err != nil {
			return nil, err
		}
		up.Files = append(up.Files, files...)
		if up.Files, err = at.noteFar(up.Files, up.IDs); err != nil {
			return nil, err
		}
		sortFiles(up.Files)
		sortIDs(up.IDs)
		at = at.with(up.Files)
		up.Book = at
		ups = append(ups, up)
	}
	return ups, nil
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
