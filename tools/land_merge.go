package tools

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// pushTool is what a merge of a push is made by.
const pushTool = "push"

// forward takes the push as it is, and puts behind it what it needs together with
// what waited on the branch.
func (w *landing) forward(pushed *records.Book) ([]repo.Proposal, error) {
	waiting, known, err := w.store.waiting(w.tip)
	if err != nil {
		return nil, err
	}
	if len(waiting) == 0 && !w.tip.ID().IsZero() {
		if known, err = w.store.readableIn(w.book, w.tip, w.pushed); err != nil { // the tip is the door's
			return nil, err
		}
	}
	keys, err := w.store.putKeysBack(w.tip)
	if err != nil {
		return nil, err
	}
	moves, err := w.moves()
	if err != nil {
		return nil, err
	}
	needed, err := w.followUps(pushed, known, append(waiting, moves...))
	return slices.Concat([]repo.Proposal{{Take: w.New}}, keys, needed), err
}

// merge brings the push into the branch that has moved on: first what waited
// there and the claims that are over, then the merge, then what it needs.
func (w *landing) merge() ([]repo.Proposal, error) {
	g, err := w.ground()
	if err != nil {
		return nil, err
	}
	m := g.merge
	if w.revised != nil && len(m.Taken)+len(m.Files) == 0 { // the branch is so already
		if len(g.over) == 0 {
			return nil, nil
		}
		return slices.Concat(g.first, g.over), nil
	}
	merge := w.mergeCommit(m)
	next, err := g.branch.With(merge)
	if err != nil {
		return nil, err
	}
	changed := changedBy(m)
	merged := g.book.Advance(next.FS(), changed)
	if err := w.check(g.book, merged, records.Push{Restored: m.Restored}, changed); err != nil {
		return nil, err
	}
	merge.Message.Subject = subjectOfAll(merged, changed, w.what())
	moves, err := w.moves()
	if err != nil {
		return nil, err
	}
	by := w.by()
	moves = append(moves, foreignMove{records.Foreign{Author: by.Name, Paths: changed, Tree: next.FS(),
		Mark: records.Mark{By: by.Name, In: w.session(), At: w.store.now()}}, by})
	known, err := w.store.readableIn(g.book, w.tip, next)
	if err != nil {
		return nil, err
	}
	if known, err = w.knownAgain(known, g.base, m); err != nil {
		return nil, err
	}
	if w.revised != nil {
		folded, err := w.fold(merge, merged, known, moves)
		return slices.Concat(g.first, g.over, folded), err
	}
	needed, err := w.followUps(merged, known, moves)
	return slices.Concat(g.first, g.over, []repo.Proposal{merge}, needed), err
}

// mergeTrees merges what is pushed into the branch, and refuses what cannot be.
func (w *landing) mergeTrees(base, branch *repo.Snapshot) (records.TreeMerge, error) {
	renamed, err := renamedSince(w.tip, base, w.store.known(w.tip))
	if err != nil {
		return records.TreeMerge{}, err
	}
	m, err := records.Trees{Base: base.FS(), Branch: branch.FS(), Pushed: w.pushed.FS(), Renamed: renamed}.Merge(w.paths)
	if err != nil {
		return m, err
	}
	return m, refusePush(m.Faults)
}

// knownAgain gives the Book of the branch with the records that a merge brings
// back, as the base has them without what no tool wrote: what the push moved of
// them is stamped, and their stamps stay.
func (w *landing) knownAgain(book *records.Book, base *repo.Snapshot, m records.TreeMerge) (*records.Book, error) {
	if len(m.Restored) == 0 {
		return book, nil
	}
	believed, _, err := w.store.unbelieved(base, records.NewBook(base.FS()))
	if err != nil {
		return nil, err
	}
	var again []records.File
	for _, f := range m.Files {
		id := idOfFile(f.Path)
		if !slices.Contains(m.Restored, id) {
			continue
		}
		was, err := readable(base, believed, f.Path, id)
		if was == nil && err == nil { // broken there
			was, err = w.store.lastReadable(base, f.Path)
		}
		if err != nil {
			return nil, err
		}
		if was != nil {
			again = append(again, *was)
		}
	}
	return book.With(again), nil
}

// mergeCommit is the merge, or the commit of what a person wrote, and names in its
// message whatever gave way.
func (w *landing) mergeCommit(m records.TreeMerge) repo.Proposal {
	var body []string
	pushed := "the push"
	if w.revised != nil {
		pushed = "the edit"
	}
	for _, o := range m.Overruled {
		body = append(body, o.Said(pushed))
	}
	for _, from := range slices.Sorted(maps.Keys(m.Drafts)) {
		body = append(body, fmt.Sprintf("%s became %s: the branch has given the name to another",
			records.Visible(from), records.Visible(m.Drafts[from])))
	}
	w.said = append(w.said, body...)
	p := repo.Proposal{At: w.store.now(), Message: repo.Message{Body: body}}
	if w.revised != nil {
		return w.revised.commit(m, p)
	}
	p.Author, p.Files, p.Taken, p.Merge = w.by(), files(m.Files), m.Taken, w.New
	p.Message.Trailers = append(trailers(pushTool, ""), repo.Trailer{Key: "Merge", Value: "pushed"})
	return p
}

// what says in the subject of the commit what it does to the branch.
func (w *landing) what() string {
	if w.revised != nil {
		return "edit"
	}
	return "merge"
}

// subjectOfAll says what was done to which records: "t4 merge: Title",
// "t1, t4 merge".
func subjectOfAll(book *records.Book, changed []string, what string) string {
	var ids []string
	title := ""
	for _, file := range changed {
		id := idOfFile(file)
		if _, _, ok := records.ParseID(id); !ok || !isRecordFile(file) || slices.Contains(ids, id) {
			continue
		}
		ids = append(ids, id)
		if record, err := book.Record(id); err == nil && record != nil {
			_, title = record.Name()
		}
	}
	if len(ids) == 0 {
		return what
	}
	return subjectOf(ids, what, title)
}

// moves gives the commits that the push brings, each as the pusher's where the
// transport knows one.
func (w *landing) moves() ([]foreignMove, error) {
	moves := make([]foreignMove, len(w.brought))
	for i, c := range w.brought {
		person := w.store.authorOf(c)
		if w.Pusher != "" {
			person = w.by()
		}
		var err error
		if moves[i], err = w.store.moveOf(w.tip, c, person); err != nil {
			return nil, err
		}
	}
	return moves, nil
}

// followUps gives what the moves need, and says it to the pusher.
func (w *landing) followUps(book, known *records.Book, moves []foreignMove) ([]repo.Proposal, error) {
	needed, _, err := w.store.answerTo(book, known, moves)
	if err != nil {
		return nil, err
	}
	isNamed := false
	for i, p := range needed {
		if p.Author.Name == w.Pusher {
			needed[i].Message.Body, isNamed = append(w.authors(), p.Message.Body...), true
		}
	}
	if !isNamed && w.isInAnothersName() {
		var changed []string
		for _, m := range moves {
			changed = append(changed, m.Paths...)
		}
		needed = append(needed, repo.Proposal{Author: w.by(), At: w.store.now(),
			Message: repo.Message{Subject: subjectOfAll(book, changed, "pushed"), Body: w.authors(), Trailers: trailers(followUpTool, "")}})
	}
	for _, p := range needed {
		w.said = append(w.said, p.Message.Subject)
		w.said = append(w.said, p.Message.Body...)
	}
	return needed, nil
}

// isInAnothersName reports whether what is pushed names as its author a user other
// than the one who pushes. Then nothing else would say who it was. A name that is no
// user's may be the pusher's own, as git has it.
func (w *landing) isInAnothersName() bool {
	if w.Pusher == "" {
		return false
	}
	users := w.store.Settings().Users
	return slices.ContainsFunc(w.brought, func(c repo.Commit) bool {
		author := w.store.authorOf(c)
		return slices.ContainsFunc(users, func(u User) bool {
			return u.ID != w.Pusher && (author.Name == u.ID || author.Mail == w.store.mailOf(u.ID))
		})
	})
}

// authors names the pusher and the authors of what is pushed, where they differ.
func (w *landing) authors() []string {
	var others []string
	for _, c := range w.brought {
		if name := w.store.authorOf(c).Name; name != w.Pusher && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	var lines []string
	for _, name := range others {
		lines = append(lines, "pushed by "+w.Pusher+", authored as "+name)
	}
	return lines
}

// renamedSince says which records became of drafts that a base still has, by the
// follow-ups on the way from it to the tip.
func renamedSince(tip, base *repo.Snapshot, ofTheDoor func(repo.Commit) bool) (map[string]string, error) {
	way, err := since(tip, base)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for _, c := range slices.Backward(way) {
		if tool, _ := c.Trailer("Tool"); tool != followUpTool || !ofTheDoor(c) || len(c.Parents) == 0 {
			continue
		}
		before, err := tip.At(c.Parents[0])
		if err != nil {
			return nil, err
		}
		paths, err := tip.Touched(c)
		if err != nil {
			return nil, err
		}
		found, err := records.Renames(before.FS(), paths)
		if err != nil {
			return nil, err
		}
		maps.Copy(renamed, found)
	}
	return renamed, nil
}

// since gives the commits of the branch, newest first, that came after its way
// and that of the base parted. Both are walked back side by side, so that it
// costs what lies between them.
func since(tip, base *repo.Snapshot) ([]repo.Commit, error) {
	there, stopThere := iter.Pull2(tip.Log())
	defer stopThere()
	here, stopHere := iter.Pull2(base.Log())
	defer stopHere()
	var way []repo.Commit
	at, passed := map[repo.ID]int{}, map[repo.ID]bool{}
	for {
		c, err, more := there()
		if err != nil {
			return nil, err
		}
		if more {
			if passed[c.ID] {
				return way, nil
			}
			at[c.ID] = len(way)
			way = append(way, c)
		}
		b, err, moreBase := here()
		if err != nil {
			return nil, err
		}
		if moreBase {
			if i, ok := at[b.ID]; ok {
				return way[:i], nil
			}
			passed[b.ID] = true
		}
		if !more && !moreBase {
			return way, nil
		}
	}
}
