package tools

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// checkHistory walks every commit after its parents.
func (s *Store) checkHistory(ctx context.Context, tip *repo.Snapshot, r *Report) error {
	commits, err := tip.History()
	if err != nil {
		return err
	}
	a := &audit{store: s, report: r, created: map[string]string{}, broken: map[string]repo.Commit{}, last: map[string]stampSet{}}
	for _, c := range commits {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.commit(c); err != nil {
			return err
		}
	}
	return nil
}

// audit follows the records through history.
type audit struct {
	store   *Store
	report  *Report
	created map[string]string      // by id: what its created stamp says
	broken  map[string]repo.Commit // by path: the commit that left it unreadable
	last    map[string]stampSet    // by id: the stamps when it could last be read
}

// stampSet is a record's stamps by name.
type stampSet map[string]records.Stamp

func (a *audit) problem(c repo.Commit, format string, args ...any) {
	a.report.Problems = append(a.report.Problems, "commit "+c.ID.Short()+": "+fmt.Sprintf(format, args...))
}

func (a *audit) note(c repo.Commit, format string, args ...any) {
	a.report.Notes = append(a.report.Notes, "commit "+c.ID.Short()+": "+fmt.Sprintf(format, args...))
}

// commit compares what a commit changed with what each of its parents had: what
// a merge took over from either side is not the merge's doing.
func (a *audit) commit(c repo.Commit) error {
	after, err := a.store.repo.At(c.ID)
	if err != nil {
		return err
	}
	parents := make([]*repo.Snapshot, max(1, len(c.Parents)))
	parents[0] = &repo.Snapshot{}
	for i, p := range c.Parents {
		if parents[i], err = a.store.repo.At(p); err != nil {
			return err
		}
	}
	var paths []string
	if len(c.Parents) == 0 {
		paths, err = after.Changed(repo.ID{})
	} else {
		paths, err = after.Changed(c.Parents[0])
	}
	if err != nil {
		return err
	}
	moved := a.movedStamps(parents, paths)
	for _, path := range paths {
		if !isRecordFile(path) {
			continue
		}
		a.file(c, path, readRecord(after, path), parents, moved)
	}
	return nil
}

func isRecordFile(p string) bool {
	top, _, _ := strings.Cut(p, "/")
	return (top == records.TaskDir || top == records.PlanDir) && path.Ext(p) == ".md" && path.Base(p) != "README.md"
}

// record is what an audit looks at of a file.
type record struct {
	there, readable bool
	id, created     string
	stamps          stampSet
}

func readRecord(s *repo.Snapshot, path string) record {
	if s.ID().IsZero() {
		return record{}
	}
	info, err := fs.Stat(s.FS(), path)
	if err != nil || !info.Mode().IsRegular() {
		return record{there: err == nil}
	}
	if info.Size() > records.MaxRecord {
		return record{there: true}
	}
	data, err := fs.ReadFile(s.FS(), path)
	if err != nil {
		return record{there: true}
	}
	parsed := records.Parse(path, data)
	rec := record{there: true, readable: len(parsed.Faults) == 0, stamps: stampSet{}}
	if t := parsed.Task; t != nil {
		rec.id = t.ID
		for name, stamp := range t.Stamps() {
			rec.stamps[name] = *stamp
		}
	}
	if p := parsed.Plan; p != nil {
		rec.id = p.ID
		for name, stamp := range p.Stamps() {
			rec.stamps[name] = *stamp
		}
	}
	if stamp, ok := rec.stamps["created"]; ok {
		rec.created = stamp.At + " by " + stamp.By
	}
	return rec
}

// movedStamps gives the stamps of the files that a commit takes away: a file
// that is renamed takes its stamps along.
func (a *audit) movedStamps(parents []*repo.Snapshot, paths []string) map[string]map[records.Stamp]bool {
	moved := map[string]map[records.Stamp]bool{}
	for _, path := range paths {
		if !isRecordFile(path) {
			continue
		}
		for name, stamp := range readRecord(parents[0], path).stamps {
			if moved[name] == nil {
				moved[name] = map[records.Stamp]bool{}
			}
			moved[name][stamp] = true
		}
	}
	return moved
}

func (a *audit) file(c repo.Commit, path string, now record, parents []*repo.Snapshot, moved map[string]map[records.Stamp]bool) {
	shown := records.Visible(path)
	if now.there && !now.readable {
		if _, known := a.broken[path]; !known {
			a.broken[path] = c
		}
		if ofTheDoor(c) {
			a.problem(c, "git-tasks itself wrote %s, which cannot be read", shown)
		}
		return
	}
	if was, ok := a.broken[path]; ok {
		a.note(was, "left %s unreadable; mended by commit %s", shown, c.ID.Short())
		delete(a.broken, path)
	}
	if !now.there {
		return
	}
	before := make([]record, len(parents))
	added, readable := true, false
	for i, p := range parents {
		before[i] = readRecord(p, path)
		added = added && !before[i].there
		readable = readable || before[i].readable
	}
	if !readable { // mended, or come back: what it said before it went
		before = append(before, record{stamps: a.last[now.id]})
	}
	a.id(c, now, added)
	for name, stamp := range now.stamps {
		known := moved[name][stamp]
		for _, b := range before {
			known = known || b.stamps[name] == stamp
		}
		if !known {
			a.stamp(c, shown, name, stamp)
		}
	}
	if len(c.Parents) == 1 && before[0].readable { // a merge may take the side that has none
		a.lostStamps(c, shown, now, before[0])
	}
	a.last[now.id] = now.stamps
}

// id sees to it that an id never stands for two records. One that comes back
// as it was made was restored.
func (a *audit) id(c repo.Commit, now record, added bool) {
	if now.id == "" {
		return
	}
	was, known := a.created[now.id]
	a.created[now.id] = now.created
	if !added || !known {
		return
	}
	if was != now.created {
		a.problem(c, "%s is used a second time", now.id)
		return
	}
	a.note(c, "%s came back", now.id)
}

// stamp holds a stamp that a commit wrote to the commit: its author is the
// stamp's by, and where the write door made it, its date the stamp's at.
func (a *audit) stamp(c repo.Commit, path, name string, stamp records.Stamp) {
	if stamp.By != c.Author.Name {
		a.problem(c, "%s: %s says by %s, the commit is by %s", path, name,
			records.Visible(stamp.By), records.Visible(c.Author.Name))
		return
	}
	if !ofTheDoor(c) {
		a.note(c, "%s: %s was written by hand", path, name)
		return
	}
	if at, ok := stamp.Time(); !ok || at.Unix() != c.AuthorTime.Unix() {
		a.problem(c, "%s: %s says at %s, the commit is of %s", path, name, stamp.At, records.FormatTime(c.AuthorTime))
	}
}

func (a *audit) lostStamps(c repo.Commit, path string, now, before record) {
	for name := range before.stamps {
		if _, ok := now.stamps[name]; !ok {
			a.problem(c, "%s: %s was taken out", path, name)
		}
	}
}
