package tools

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// checkHistory walks every commit after its parents.
func (s *Store) checkHistory(ctx context.Context, tip *repo.Snapshot, book *records.Book, r *Report) error {
	commits, err := tip.History(nil)
	if err != nil {
		return err
	}
	branch := firstParents(commits)
	sides := sidesOf(branch, commits)
	a := &audit{store: s, tip: tip, keyed: s.ownKey() != "", proof: newProofs(), wrongs: map[string][]*finding{}, created: map[string]string{}, broken: map[string]repo.Commit{}, last: map[string]stampList{}, brought: mergedIn(sides, s.known(tip))}
	if err := a.findPending(); err != nil {
		return err
	}
	for _, c := range commits {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.commit(c); err != nil {
			return err
		}
	}
	if err := a.gate(ctx, branch, sides, *r); err != nil {
		return err
	}
	for _, f := range a.findings {
		f.report(r, tip)
	}
	r.Proof, err = a.proof.report(book)
	return err
}

// audit follows the records through history.
type audit struct {
	store    *Store
	tip      *repo.Snapshot
	ours     bool             // the door made the commit that is looked at
	keyed    bool             // what is not signed is not the door's
	pending  map[repo.ID]bool // what others put on top of the door's commits
	proof    *proofs
	findings []*finding             // by commit, then by path, then as they stand in the file
	wrongs   map[string][]*finding  // by path: those that can be mended
	created  map[string]string      // by id: what its created stamp says
	broken   map[string]repo.Commit // by path: the commit that left it unreadable
	brought  map[repo.ID]bool       // by commit: whether a push brought it that the door merged
	last     map[string]stampList   // by id: the stamps when it could last be read
	judged   moving                 // the Book that the gate was asked about last
}

// commit compares what a commit changed with what each of its parents had: what
// a merge took over from either side is not the merge's doing.
func (a *audit) commit(c repo.Commit) error {
	after, err := a.store.repo.At(c.ID)
	if err != nil {
		return err
	}
	if a.ours, err = a.store.ofTheDoor(a.tip, c); err != nil {
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
	a.proof.commit(c, a.ours)
	a.foreignKeys(c, paths)
	moved := takenFrom(parents[0], paths)
	for _, path := range paths {
		if !isRecordFile(path) {
			continue
		}
		a.file(c, path, readRecord(after, path), parents, moved)
	}
	if !a.ours && len(c.Parents) == 1 {
		a.removals(c, after, parents[0], paths)
	}
	return nil
}

// removals notes the records that another program took out of the list: that is
// anybody's right, but nothing else would say where they went.
func (a *audit) removals(c repo.Commit, after, before *repo.Snapshot, paths []string) {
	for _, p := range paths {
		if !isRecordFile(p) || readRecord(after, p).there {
			continue
		}
		id := readRecord(before, p).id
		if id == "" || slices.ContainsFunc(paths, func(o string) bool { return isRecordFile(o) && readRecord(after, o).id == id }) {
			continue
		}
		where := ""
		for _, o := range paths {
			if o != p && path.Base(o) == path.Base(p) && readRecord(after, o).there {
				where = "; it lies at " + records.Visible(o) + ", where no list looks"
			}
		}
		a.note(c, "%s was removed%s", id, where)
	}
}

func isRecordFile(p string) bool {
	top, _, _ := strings.Cut(p, "/")
	return (top == records.TaskDir || top == records.PlanDir) && path.Ext(p) == ".md" && path.Base(p) != "README.md"
}

// record is what an audit looks at of a file.
type record struct {
	there, readable bool
	id, created     string
	status          records.Status
	stamps          stampList
}

// namedStamp is a stamp as a file has it.
type namedStamp struct {
	name  string
	stamp records.Stamp
}

// stampList is a record's stamps, in the order of its file.
type stampList []namedStamp

// get gives the stamp of a name, nil where there is none.
func (l stampList) get(name string) *records.Stamp {
	for i := range l {
		if l[i].name == name {
			return &l[i].stamp
		}
	}
	return nil
}

func readRecord(s *repo.Snapshot, path string) record {
	if s.ID().IsZero() {
		return record{}
	}
	info, err := fs.Stat(s.FS(), path)
	if err != nil || info.IsDir() { // a folder in its place holds no record
		return record{}
	}
	if !info.Mode().IsRegular() {
		return record{there: true}
	}
	if info.Size() > records.MaxRecord {
		return record{there: true}
	}
	data, err := fs.ReadFile(s.FS(), path)
	if err != nil {
		return record{there: true}
	}
	parsed := records.Parse(path, data)
	rec := record{there: true, readable: len(parsed.Faults) == 0}
	if r := parsed.Record(); r != nil {
		rec.id, _ = r.Name()
		for name, stamp := range r.Stamps() {
			rec.stamps = append(rec.stamps, namedStamp{name, *stamp})
		}
	}
	if parsed.Task != nil {
		rec.status = parsed.Task.Status
	}
	if parsed.Plan != nil {
		rec.status = parsed.Plan.Status
	}
	if stamp := rec.stamps.get("created"); stamp != nil {
		rec.created = stamp.At + " by " + stamp.By
	}
	return rec
}

// taken is what the files said that a commit changed or took away: a file that
// is renamed takes its id and its stamps along.
type taken struct {
	stamps map[namedStamp]bool
	ids    map[string]bool
}

func takenFrom(before *repo.Snapshot, paths []string) taken {
	t := taken{map[namedStamp]bool{}, map[string]bool{}}
	for _, path := range paths {
		if !isRecordFile(path) {
			continue
		}
		rec := readRecord(before, path)
		t.ids[rec.id] = true
		for _, s := range rec.stamps {
			t.stamps[s] = true
		}
	}
	return t
}

func (a *audit) file(c repo.Commit, path string, now record, parents []*repo.Snapshot, moved taken) {
	shown := records.Visible(path)
	if now.there && !now.readable {
		if _, known := a.broken[path]; !known {
			a.broken[path] = c
		}
		if a.ours {
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
	twin := now.id != "" && readRecord(parents[0], records.PathOf(now.id)).id == now.id
	a.id(c, path, now, added && !moved.ids[now.id] && !twin)
	for _, s := range now.stamps {
		a.proof.wrote(now.id, s, c, a.ours, moved.stamps[s])
		known := moved.stamps[s] || slices.ContainsFunc(before, func(b record) bool { return slices.Contains(b.stamps, s) })
		if !known {
			a.stamp(c, path, s, before[0].stamps.get(s.name), added && s.name != "approved")
		}
	}
	if len(c.Parents) == 1 && before[0].readable { // a merge may take the side that has none
		a.lostStamps(c, path, now, before[0])
	}
	// A follow-up, a restore and a merge take a record as somebody else made it.
	if tool, _ := c.Trailer("Tool"); a.ours && tool != followUpTool && tool != restoreTool && tool != pushTool {
		a.owedStamp(c, path, now, before[0])
	}
	a.last[now.id] = now.stamps
}

// id sees to it that an id never stands for two records. One that comes back
// as it was made was restored.
func (a *audit) id(c repo.Commit, path string, now record, added bool) {
	if now.id == "" || a.brought[c.ID] {
		return
	}
	was, known := a.created[now.id]
	a.created[now.id] = now.created
	if !added || !known {
		return
	}
	if was == now.created {
		a.note(c, "%s came back", now.id)
		return
	}
	f := a.problem(c, "%s is used a second time", now.id)
	a.mendable(f, path, func(tip record) bool { return tip.there && tip.created == now.created },
		"in a clone, git mv "+records.Visible(path)+" to a name without an id, take the id line out, commit and push; "+
			"the next call gives it an id of its own")
}

// stamp holds a stamp that a commit wrote to the commit: its author is the
// stamp's by, and where the write door made it, its date the stamp's at. One
// that somebody had taken out, or put another in place of, may come back by any
// hand. made says that a record came with it: there it stands, but for an approval, and
// nothing vouches for it.
func (a *audit) stamp(c repo.Commit, path string, s namedStamp, before *records.Stamp, made bool) {
	if a.putsBack(path, s, before) {
		return
	}
	shown, byHand := records.Visible(path), !a.ours
	var f *finding
	switch at, ok := s.stamp.Time(); {
	case byHand && made && s.stamp.By != c.Author.Name:
		f = a.note(c, "%s: %s was written by hand, by %s, and says by %s", shown, s.name,
			records.Visible(c.Author.Name), records.Visible(s.stamp.By))
	case s.stamp.By != c.Author.Name:
		f = a.problem(c, "%s: %s says by %s, the commit is by %s", shown, s.name,
			records.Visible(s.stamp.By), records.Visible(c.Author.Name))
	case byHand && a.keyed && (before != nil || s.name == "approved"):
		f = a.problem(c, "%s: %s was written by hand, by %s", shown, s.name, records.Visible(c.Author.Name))
	case byHand:
		f = a.note(c, "%s: %s was written by hand", shown, s.name)
	case !ok || at.Unix() != c.AuthorTime.Unix():
		f = a.problem(c, "%s: %s says at %s, the commit is of %s", shown, s.name,
			records.Visible(s.stamp.At), records.FormatTime(c.AuthorTime))
	default:
		return
	}
	f.put, f.was = &s, a.trueStamp(path, s.name, before)
	if !f.problem {
		a.wrongs[path] = append(a.wrongs[path], f) // whoever puts it back is right
		return
	}
	a.mendable(f, path, func(tip record) bool { return !tip.readable || slices.Contains(tip.stamps, s) }, a.mendOf(c))
}

// owedStamp names the stamp that a commit of the door should have written and
// did not: each new record has created, each move the stamp of the status.
func (a *audit) owedStamp(c repo.Commit, path string, now, before record) {
	owed := ""
	switch {
	case !before.there:
		owed = "created"
	case now.status == before.status || !before.readable:
	case now.status == records.Doing:
		owed = "started"
	case now.status == records.Review, now.status == records.Done, now.status == records.Dropped:
		owed = "finished"
	}
	if owed != "" && now.stamps.get(owed) == nil {
		f := a.problem(c, "%s: %s is missing", records.Visible(path), owed)
		a.mendable(f, path, func(tip record) bool { return tip.readable && tip.stamps.get(owed) == nil }, revert(c))
	}
}

// lostStamps names the stamps that a commit took out of a file. One that should
// not have been there may go by any hand.
func (a *audit) lostStamps(c repo.Commit, path string, now, before record) {
	for _, s := range before.stamps {
		was := a.trueStamp(path, s.name, &s.stamp)
		if now.stamps.get(s.name) != nil || was == nil || a.ours && !a.proof.writers[stampOf{now.id, s}].ours {
			continue // the last: no tool wrote it, and so one takes it out
		}
		f := a.problem(c, "%s: %s was taken out", records.Visible(path), s.name)
		f.was = was
		a.mendable(f, path, func(tip record) bool { return !tip.readable || tip.stamps.get(s.name) == nil }, a.mendOf(c))
	}
}
