package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// gate asks the gate of a push, records.CheckPush, about all that others brought: by
// their net change, from the door's commit that it stands on, or from where a merge
// parted. So what is let in and what is found in history are told apart by one
// function: a push that it takes has no finding here, and what it would have refused
// came past it, and is named where nothing else names it.
//
// The two differ where history cannot tell. What was there before the door first
// wrote is not judged, nor is a side with several bases. Who pushed is taken for who
// wrote it: where several did, what somebody holds is asked of each commit; whether a
// task had to be approved first, and whose session had ended, is of that day. And
// what the gate refuses for good is a note here: the next change of the door mends
// it, and what still stands is a problem of its own.
func (a *audit) gate(ctx context.Context, branch []repo.Commit, sides []side, r Report) error {
	ofMerge := map[repo.ID]side{}
	for _, s := range sides {
		ofMerge[s.merge.ID] = s
	}
	var base repo.ID
	var run []repo.Commit
	brought := func() []repo.Commit { slices.Reverse(run); return run }
	for _, c := range branch {
		if err := ctx.Err(); err != nil {
			return err
		}
		ours, err := a.store.ofTheDoor(a.tip, c)
		if err != nil {
			return err
		}
		if !ours {
			run = append(run, c)
			if onto := a.doors(ofMerge[c.ID].brought); !onto.IsZero() {
				base = onto // somebody merged the branch into what they had
			}
			continue
		}
		if err := a.judge(base, brought(), records.Push{At: c.CommitTime}, r); err != nil {
			return err
		}
		if s := ofMerge[c.ID]; len(s.bases) == 1 { // the door has judged the merge
			if err := a.judge(s.bases[0], s.brought, records.Push{At: c.CommitTime, Apart: true}, r); err != nil {
				return err
			}
		}
		base, run = c.ID, nil
	}
	return a.judge(base, brought(), records.Push{At: a.store.now()}, r)
}

// doors gives the last commit of the door among some, zero for none.
func (a *audit) doors(brought []repo.Commit) repo.ID {
	known := a.store.known(a.tip)
	if i := slices.IndexFunc(brought, known); i >= 0 {
		return brought[i].ID
	}
	return repo.ID{}
}

// judge notes what the gate says of a push of commits, the last of them first.
func (a *audit) judge(base repo.ID, brought []repo.Commit, p records.Push, r Report) error {
	if len(brought) == 0 || base.IsZero() {
		return nil
	}
	before, err := a.store.repo.At(base)
	if err != nil {
		return err
	}
	after, err := a.store.repo.At(brought[0].ID)
	if err != nil {
		return err
	}
	paths, err := after.Changed(base)
	if err != nil {
		return err
	}
	old, ok := a.judged.on(before)
	if !ok {
		old = records.NewBook(before.FS())
	}
	a.judged = moving{old, base}
	by := a.store.authorOf(brought[0]).Name
	if p.By = by; slices.ContainsFunc(brought, func(c repo.Commit) bool { return a.store.authorOf(c).Name != by }) {
		p.By = "" // what others hold is asked of each commit
	}
	faults, err := records.CheckPush(old, old.Advance(after.FS(), paths), paths, p)
	if err != nil {
		return err
	}
	for _, f := range faults {
		if !f.Held && a.named(f, brought, r) {
			continue
		}
		c, err := a.lastOn(f.Path, brought)
		if f.Held && p.By == "" {
			c, err = a.taker(f.Path, brought, p)
		}
		if err != nil {
			return err
		}
		if !c.ID.IsZero() {
			a.note(c, "came past the gate, which says: %s", f)
		}
	}
	return nil
}

// taker gives the first of some commits that changed a task which somebody other than
// its author held, the zero one where each was the holder's own.
func (a *audit) taker(file string, brought []repo.Commit, p records.Push) (repo.Commit, error) {
	for _, c := range slices.Backward(brought) {
		touched, err := a.tip.Touched(c)
		if err != nil {
			return c, err
		}
		if len(c.Parents) != 1 || !slices.Contains(touched, file) {
			continue
		}
		before, err := a.store.repo.At(c.Parents[0])
		if err != nil {
			return c, err
		}
		after, err := a.store.repo.At(c.ID)
		if err != nil {
			return c, err
		}
		p.By = a.store.authorOf(c).Name
		faults, err := records.CheckPush(records.NewBook(before.FS()), records.NewBook(after.FS()), []string{file}, p)
		if err != nil || slices.ContainsFunc(faults, func(f records.Fault) bool { return f.Held }) {
			return c, err
		}
	}
	return repo.Commit{}, nil
}

// named reports whether something of a fault's file is said already.
func (a *audit) named(f records.Fault, brought []repo.Commit, r Report) bool {
	for _, lines := range [][]string{r.Problems, r.Notes} {
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, f.String()) }) {
			return true
		}
	}
	id := idOfFile(f.Path)
	return slices.ContainsFunc(a.findings, func(found *finding) bool {
		return (strings.Contains(found.text, records.Visible(f.Path)) || strings.Contains(found.text, ": "+id+" ")) &&
			slices.ContainsFunc(brought, func(c repo.Commit) bool { return strings.HasPrefix(found.text, "commit "+c.ID.Short()+":") })
	})
}

// lastOn gives the last of some commits that touched a path.
func (a *audit) lastOn(file string, brought []repo.Commit) (repo.Commit, error) {
	for _, c := range brought {
		touched, err := a.tip.Touched(c)
		if err != nil || slices.Contains(touched, file) {
			return c, err
		}
	}
	return brought[0], nil
}
