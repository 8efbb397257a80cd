package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// namedFaults bounds how many faults the refusal of a push names.
const namedFaults = 20

// Landing is one ref of a push, as git tells of it.
type Landing struct {
	// Ref is the branch, or refs/for/ and its short name for a commit that may be
	// merged where the branch has moved on.
	Ref string
	Old repo.ID // what the pusher found there, zero for nothing
	New repo.ID // the commit that is pushed, zero to remove the ref
	// Pusher is the person that the transport knows. Where it knows nobody ("")
	// people are whom their commits say.
	Pusher string
}

// Landed is what became of a push that landed.
type Landed struct {
	Commit repo.ID  // the branch after it
	Said   []string // for the pusher, a line each: ids that were given, what gave way
}

// Judge is the gate that a push passes before git stores it: what it changes
// since its base, held to records.CheckPush. It has no effect, and a store opened
// with [Config].Incoming reads what git still holds back. The refusal is
// [Invalid], [Conflict], or [Held] where others hold the tasks and nothing else is
// wrong, with every fault of the push: file, line, reason and the line as it should be.
func (s *Store) Judge(l Landing) error {
	tip, err := s.tip()
	if err != nil {
		return AsError(err)
	}
	book, err := s.read.advance(tip, &s.growing)
	if err != nil {
		return AsError(err)
	}
	w := &landing{store: s, Landing: l, tip: tip, book: book}
	if there, err := w.find(); there || err != nil {
		return asPush(err)
	}
	_, err = w.gate()
	return asPush(err)
}

// Land puts a push on the branch that passed the gate, in one move of the ref
// with all that its net change needs. What descends from the branch is taken as
// it is. What does not is merged field by field where it was pushed to refs/for/,
// in a commit by the pusher that names whatever gave way, and refused elsewhere.
// Where a push changes tasks whose claims are over, those are taken back ahead of it,
// each in a commit by the pusher, and the push is merged into what that leaves.
// Follow-ups stand behind it, authored as the pusher, else as the authors of the
// commits. The gate is asked again under the lock: from the base of the push, and
// of a merge from the branch. What is there already has landed. On an error
// nothing has moved.
func (s *Store) Land(ctx context.Context, l Landing) (Landed, error) {
	landed := Landed{Commit: l.New}
	receipt, err := s.repo.Update(ctx, func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if err := s.refuseGone(tip); err != nil {
			return nil, err
		}
		book, err := s.growing.advance(tip, &s.read)
		if err != nil {
			return nil, err
		}
		w := &landing{store: s, Landing: l, tip: tip, book: book}
		there, err := w.find()
		if there || err != nil {
			return nil, err
		}
		pushed, err := w.gate()
		if err != nil {
			return nil, err
		}
		forward, err := w.isForward()
		if err != nil {
			return nil, err
		}
		var proposals []repo.Proposal
		if forward {
			proposals, err = w.forward(pushed)
		} else {
			proposals, err = w.merge()
		}
		landed.Said = w.said
		return proposals, err
	})
	if err != nil {
		return Landed{}, unwritten(asPush(err))
	}
	if n := len(receipt.Commits); n > 0 {
		landed.Commit = receipt.Commits[n-1]
	}
	return landed, nil
}

// asPush words what git could not find as a refusal of the push.
func asPush(err error) error {
	if err == nil {
		return nil
	}
	return AsError(err)
}

// landing is a push on its way to one tip.
type landing struct {
	store *Store
	Landing
	tip  *repo.Snapshot
	book *records.Book // at tip

	base    repo.ID        // where the push and the branch part
	pushed  *repo.Snapshot // what is pushed
	paths   []string       // what it changes since its base, once the gate has judged it
	brought []repo.Commit  // what the branch does not have of it, parents first
	revised *revised       // in place of commits one file, as a person wrote it
	said    []string
}

func (w *landing) refused(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// find looks where the push stands to the branch. there says that the branch
// has it already.
func (w *landing) find() (there bool, err error) {
	ref := w.store.Ref()
	open := "refs/for/" + strings.TrimPrefix(ref, "refs/heads/")
	switch {
	case w.Ref != ref && w.Ref != open:
		return false, w.refused(Invalid, "%s: this repository holds one list, and takes pushes to %s and %s alone",
			records.Visible(w.Ref), ref, open)
	case w.New.IsZero():
		return false, w.refused(Invalid, "%s: the branch of a list must not be removed", w.Ref)
	}
	if w.pushed, err = w.tip.At(w.New); err != nil {
		return false, fmt.Errorf("reading what is pushed to %s: %w", w.Ref, err)
	}
	if w.base, err = w.store.repo.Base(w.tip, w.New); err != nil {
		return false, err
	}
	switch {
	case w.base == w.New:
		return true, w.refuseRewind()
	case w.base.IsZero() && !w.tip.ID().IsZero():
		return false, w.refused(Conflict, "%s: what is pushed has no commit in common with the list: clone it, and make the changes there", w.Ref)
	case w.base != w.tip.ID() && w.Ref == ref:
		return false, w.refused(Conflict, "%s: the list has moved on: fetch first, and push again; pushed to %s it is merged field by field", ref, open)
	}
	w.brought, err = w.store.repo.Brought(w.tip, w.New)
	return false, err
}

// refuseRewind tells a push of what is there already from one that would take the
// branch back to it.
func (w *landing) refuseRewind() error {
	if w.Old.IsZero() || w.Old == w.New || w.Ref != w.store.Ref() {
		return nil
	}
	old, err := w.tip.At(w.Old)
	if err != nil {
		return err
	}
	if base, err := w.store.repo.Base(old, w.New); err != nil || base != w.New {
		return err
	}
	return w.refused(Conflict, "%s: the branch only goes forward: revert what is to go in a commit of its own (git revert)", w.Ref)
}

// isForward reports whether the branch can simply go on to what is pushed: it stands
// on the branch, and changes no task whose claim has to be taken back first.
func (w *landing) isForward() (bool, error) {
	if w.base != w.tip.ID() {
		return false, nil
	}
	_, over, err := w.reclaim(w.book, w.paths)
	return len(over) == 0, err
}

// gate judges the push as it was made, from its base.
func (w *landing) gate() (pushed *records.Book, err error) {
	base, err := w.tip.At(w.base)
	if err != nil {
		return nil, err
	}
	if w.paths, err = w.pushed.Changed(w.base); err != nil {
		return nil, err
	}
	old := w.bookAt(base)
	pushed = old.Advance(w.pushed.FS(), w.paths)
	return pushed, w.check(old, pushed, records.Push{Apart: w.base != w.tip.ID()}, w.paths)
}

// bookAt gives the Book at another commit, moved there from that of the tip.
func (w *landing) bookAt(at *repo.Snapshot) *records.Book {
	if book, ok := (moving{w.book, w.tip.ID()}).on(at); ok {
		return book
	}
	return records.NewBook(at.FS())
}

// check refuses a change with all that is wrong with it; p says what is special about
// the push.
func (w *landing) check(old, next *records.Book, p records.Push, paths []string) error {
	p.By, p.In, p.At, p.Rules = w.by().Name, w.session(), w.store.now(), w.store.rules()
	faults, err := records.CheckPush(old, next, paths, p)
	if err != nil {
		return err
	}
	return refusePush(faults)
}

func refusePush(faults []records.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	var lines []string
	for _, f := range faults[:min(len(faults), namedFaults)] {
		lines = append(lines, f.Explain())
	}
	if more := len(faults) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if slices.ContainsFunc(faults, func(f records.Fault) bool { return !f.Held }) {
		return &Error{Code: Invalid, Message: strings.Join(lines, "\n")}
	}
	return &Error{Code: Held, Message: strings.Join(lines, "\n"), Next: "task_get"}
}

// by is who pushes: whom the transport knows, else the author of what is pushed.
func (w *landing) by() repo.Person {
	if w.revised != nil {
		return w.revised.caller.author()
	}
	if w.Pusher != "" {
		return repo.Person{Name: w.Pusher, Mail: w.store.mailOf(w.Pusher)}
	}
	if n := len(w.brought); n > 0 {
		return w.store.authorOf(w.brought[n-1])
	}
	return w.store.HostCaller().author()
}

// session is the one that whoever wrote a file is in; a push is in none.
func (w *landing) session() string {
	if w.revised == nil {
		return ""
	}
	return w.revised.caller.session
}
