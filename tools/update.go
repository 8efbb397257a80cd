package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// committer is the name by which a commit of the door is known, together with
// its Tool trailer.
const committer = "git-tasks"

// sessionTrailer names the session that a commit was made in.
const sessionTrailer = "Session"

// Step is one edit and the commit it becomes. An empty Subject is made of what
// the edit did: "t12 doing: <title>".
type Step struct {
	Edit    records.Edit
	Subject string
	Body    []string
	Note    repo.Trailer // behind Tool and Session, none without a key; see Store.Noted
}

// Result is what a call of [Store.Update] left: the Book after its last commit,
// the ids its edits were about, and the last commit, zero where nothing changed.
type Result struct {
	Book   *records.Book
	IDs    []string
	Commit repo.ID

	replaced repo.ID // what the last commit was made to
	claims   bool    // whether a claim was made, or its end moved
}

// Update commits the steps that plan wants for the Book at the tip, each as a
// commit of its own, all in one ref move, with what foreign commits need before
// them. plan may be called several times and must have no effect but what it
// returns. On an error nothing was written. tool is what the Tool trailer says.
func (s *Store) Update(ctx context.Context, c Caller, tool string, plan func(*records.Book) ([]Step, error)) (Result, error) {
	return s.update(ctx, c, tool, func(_ *repo.Snapshot, book *records.Book) ([]Step, error) { return plan(book) })
}

// update is Update for who also looks at the tip; it is nil where follow-ups came
// between it and the Book.
func (s *Store) update(ctx context.Context, c Caller, tool string, plan func(*repo.Snapshot, *records.Book) ([]Step, error)) (Result, error) {
	return s.updateSeeing(ctx, c, tool, nil, plan)
}

// updateSeeing is update for who looks at what is on the branch before anything is
// done to it, and may stop then.
func (s *Store) updateSeeing(ctx context.Context, c Caller, tool string, see func(*repo.Snapshot) (stop bool, err error),
	plan func(*repo.Snapshot, *records.Book) ([]Step, error)) (Result, error) {
	var result Result
	receipt, err := s.repo.Update(ctx, func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if err := s.refuseGone(tip); err != nil {
			return nil, err
		}
		if see != nil {
			if stop, err := see(tip); stop || err != nil {
				return nil, err
			}
		}
		book, err := s.growing.advance(tip, &s.read)
		if err != nil {
			return nil, err
		}
		first, book, err := s.followUps(tip, book)
		if err != nil {
			return nil, err
		}
		at := tip
		if len(first) > 0 {
			at = nil
		}
		steps, err := plan(at, book)
		if err != nil {
			return nil, err
		}
		result = Result{Book: book}
		proposals, err := s.carryOut(&result, c, tool, steps)
		if err != nil || len(proposals) == 0 {
			return nil, err // nothing to do: what others need waits for who has
		}
		grown := result.Book
		proposals[len(proposals)-1].Made = func(tip *repo.Snapshot) { s.growing.put(tip, grown) }
		return append(first, proposals...), nil
	})
	if err != nil {
		return Result{}, unwritten(err)
	}
	if n := len(receipt.Commits); n > 0 {
		result.Commit, result.replaced = receipt.Commits[n-1], receipt.Before
		if n > 1 {
			result.replaced = receipt.Commits[n-2]
		}
	}
	if result.claims {
		s.noteClaim()
	}
	return result, nil
}

// unwritten says of a failure that it left nothing behind, where that is so.
func unwritten(err error) error {
	e := AsError(err)
	if e.Code != Internal || repo.IsKind(err, repo.Unconfirmed) {
		return e
	}
	return &Error{Code: Internal, Message: "nothing was written: " + e.Message, Err: err}
}

// carryOut applies steps one after the other and renders those that changed
// something.
func (s *Store) carryOut(result *Result, c Caller, tool string, steps []Step) ([]repo.Proposal, error) {
	work := work{s, c, tool, s.mark(c), s.rules()}
	var proposals []repo.Proposal
	for _, step := range steps {
		outcome, made, err := work.do(result.Book, step)
		if err != nil {
			return nil, err
		}
		result.IDs = append(result.IDs, outcome.IDs...)
		if len(made) > 0 {
			result.Book, proposals = outcome.Book, append(proposals, made...)
			result.claims = result.claims || outcome.What == "claim" || isLease(step.Edit)
		}
	}
	return proposals, nil
}

// isLease reports whether an edit names the end of a lease.
func isLease(e records.Edit) bool {
	set, ok := e.(records.SetTask)
	return ok && (set.LeasedUntil != nil || set.LeaseFor != nil)
}

// work is one call of the write door.
type work struct {
	store  *Store
	caller Caller
	tool   string
	mark   records.Mark
	rules  records.Rules
}

// do applies a step and gives the commits it becomes, none where nothing changed.
// Whatever kind of edit it is: where it changes tasks whose claims are over, those are
// taken back first, each in a commit of its own.
func (w *work) do(before *records.Book, step Step) (records.Outcome, []repo.Proposal, error) {
	outcome, made, err := w.apply(before, step)
	if err != nil || made == nil {
		return outcome, nil, err
	}
	if _, ok := step.Edit.(records.Reclaim); ok {
		return outcome, []repo.Proposal{*made}, nil
	}
	book, commits, err := w.reclaim(before, pathsOf(outcome.Files))
	if err != nil {
		return outcome, nil, err
	}
	if len(commits) > 0 {
		if outcome, made, err = w.apply(book, step); err != nil {
			return outcome, nil, err
		}
	}
	if made != nil {
		return outcome, append(commits, *made), nil
	}
	outcome.Book = book // taking it back was all
	return outcome, commits, nil
}

// reclaim gives the commits that take back the claims which are over of tasks among
// some files, and the Book after them.
func (w *work) reclaim(book *records.Book, paths []string) (*records.Book, []repo.Proposal, error) {
	claims, err := book.ClaimsAt(paths)
	if err != nil {
		return nil, nil, err
	}
	var commits []repo.Proposal
	for _, task := range claims {
		outcome, made, err := w.apply(book, Step{Edit: records.Reclaim{Task: task.ID}})
		if err != nil {
			return nil, nil, err
		}
		if made != nil {
			book, commits = outcome.Book, append(commits, *made)
		}
	}
	return book, commits, nil
}

// apply makes the edit of a step, and gives its commit, nil where nothing changed.
func (w *work) apply(before *records.Book, step Step) (records.Outcome, *repo.Proposal, error) {
	mark := w.mark
	outcome, err := before.Apply(step.Edit, mark, w.rules)
	if at := newestStamp(before, outcome); at.After(mark.At) { // our clock went back, or another's is ahead
		mark.At = at
		outcome, err = before.Apply(step.Edit, mark, w.rules)
	}
	if err != nil || len(outcome.Files) == 0 {
		return outcome, nil, err
	}
	if err := gate(step.Edit, before, outcome); err != nil {
		return outcome, nil, err
	}
	subject := step.Subject
	if subject == "" {
		subject = subjectOf(outcome.IDs, outcome.What, outcome.Title)
	}
	said := step.trailers(w.tool, w.caller.session)
	if outcome.Reclaimed != "" {
		said = append(said, repo.Trailer{Key: "Reclaimed", Value: outcome.Reclaimed})
	}
	for _, holder := range outcome.Forced {
		said = append(said, repo.Trailer{Key: "Forced", Value: holder})
	}
	return outcome, &repo.Proposal{Author: w.caller.author(), At: mark.At, Files: files(outcome.Files),
		Message: repo.Message{Subject: subject, Body: step.Body, Trailers: said}}, nil
}

// mark is what the stamps of a call say at this moment.
func (s *Store) mark(c Caller) records.Mark {
	m := records.Mark{By: c.by, In: c.session, At: s.now()}
	m.Now = m.At
	if epoch := time.Unix(0, 0); m.At.Before(epoch) {
		m.At = epoch // the commit says the same, and git knows no time before
	}
	return m
}

// newestStamp is the time of the latest stamp of the records that an outcome
// stamps, as they were before; zero for none. No later stamp of them is earlier.
func newestStamp(before *records.Book, o records.Outcome) (newest time.Time) {
	if len(o.IDs) > 1 && o.What != "translate" {
		return newest // they go, and nothing is stamped
	}
	for _, id := range o.IDs {
		if slices.Contains(o.Added, id) { // that no file has its id takes a look at all of them
			continue
		}
		record, err := before.Record(id)
		if err != nil || record == nil {
			continue // whoever reads it next is told why
		}
		for _, s := range record.Stamps() {
			if at, ok := s.Time(); ok && at.After(newest) {
				newest = at
			}
		}
	}
	return newest
}

// rules are the settings that an edit is judged by.
func (s *Store) rules() records.Rules {
	st := s.Settings()
	r := records.Rules{RequireApproval: st.Options.RequireApproval, GateOnBlockers: st.Options.GateOnBlockers,
		CloseGate: st.Options.CloseGate, Gone: s.gone}
	if len(st.Users) > 0 {
		r.KnownUser = st.knows
	}
	return r
}

// gate holds a move of our own to what a push has to pass as well, but for the ids
// that a restore takes again; what is the host's alone a push is asked besides.
func gate(edit records.Edit, old *records.Book, o records.Outcome) error {
	paths := pathsOf(o.Files)
	var faults []records.Fault
	var err error
	if _, ok := edit.(records.Restore); ok {
		faults, err = records.CheckRestore(old, o.Book, paths, o.IDs)
	} else {
		faults, err = records.CheckMove(old, o.Book, paths)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return fmt.Errorf("the change would leave the list wrong: %s", faults[0])
	}
	return nil
}

func pathsOf(changed []records.File) []string {
	paths := make([]string, len(changed))
	for i, f := range changed {
		paths[i] = f.Path
	}
	return paths
}

func files(changed []records.File) []repo.File {
	list := make([]repo.File, len(changed))
	for i, f := range changed {
		list[i] = repo.File(f)
	}
	return list
}

// subjectOf is what git log --oneline shows: which record, what was done, the
// title; of several records their ids.
func subjectOf(ids []string, what, title string) string {
	switch {
	case len(ids) > 1:
		return strings.Join(ids, ", ") + " " + what
	case title == "":
		return ids[0] + " " + what
	}
	return ids[0] + " " + what + ": " + records.Visible(title)
}

func (s Step) trailers(tool, session string) []repo.Trailer {
	list := trailers(tool, session)
	if s.Note.Key != "" {
		list = append(list, s.Note)
	}
	return list
}

func trailers(tool, session string) []repo.Trailer {
	list := []repo.Trailer{{Key: "Tool", Value: tool}}
	if session != "" {
		list = append(list, repo.Trailer{Key: sessionTrailer, Value: session})
	}
	return list
}
