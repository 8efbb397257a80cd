package tools

import (
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// ground is what a push is merged into.
type ground struct {
	first  []repo.Proposal   // what waited on the branch
	over   []repo.Proposal   // takes back the claims that are over of what the merge changes
	branch *repo.Snapshot    // after those
	book   *records.Book     // of it
	base   *repo.Snapshot    // where the push parted from the branch
	merge  records.TreeMerge // of the push into it
}

// ground prepares the branch for the push.
func (w *landing) ground() (g ground, err error) {
	if g.first, g.book, err = w.store.followUps(w.tip, w.book); err != nil {
		return g, err
	}
	if g.branch, err = w.tip.With(g.first...); err != nil {
		return g, err
	}
	if g.base, err = w.tip.At(w.base); err != nil {
		return g, err
	}
	if g.merge, err = w.mergeTrees(g.base, g.branch); err != nil {
		return g, err
	}
	if g.book, g.over, err = w.reclaim(g.book, changedBy(g.merge)); err != nil || len(g.over) == 0 {
		return g, err
	}
	for _, p := range g.over {
		w.said = append(w.said, p.Message.Subject)
	}
	if g.branch, err = g.branch.With(g.over...); err != nil {
		return g, err
	}
	g.merge, err = w.mergeTrees(g.base, g.branch)
	return g, err
}

// reclaim gives the commits that take back the claims which are over of tasks among
// some files, by whoever brings the change, and the Book after them.
func (w *landing) reclaim(book *records.Book, paths []string) (*records.Book, []repo.Proposal, error) {
	by, tool := w.by(), pushTool
	caller := Caller{by: by.Name, mail: by.Mail, session: w.session()}
	if w.revised != nil {
		tool = reviseTool
	}
	door := work{w.store, caller, tool, w.store.mark(caller), w.store.rules()}
	return door.reclaim(book, paths)
}

// changedBy gives the paths of what a merge changes of the branch.
func changedBy(m records.TreeMerge) []string {
	paths := slices.Clone(m.Taken)
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	return paths
}
