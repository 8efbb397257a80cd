package tools

import (
	"context"

	"github.com/git-tasks/git-tasks/records"
)

// Report is what a check found, in lines for people. A problem is a record
// that cannot be read, an id that stands for two records, a stamp or an author
// that does not fit, or a finding of git fsck. A note is what needs nobody's
// hand, or only at leisure: drafts, warnings, what was wrong once and is mended.
// Both come in the same order every time. Below a problem stands how to mend it,
// where there is a way; it never takes more than a commit on top.
type Report struct {
	Problems, Notes []string
	Proof           Proof
}

// Check looks at every record, at every commit that led to them, and lets git
// check every object.
func (s *Store) Check(ctx context.Context) (Report, error) {
	tip, err := s.tip()
	if err != nil {
		return Report{}, AsError(err)
	}
	var r Report
	book := records.NewBook(tip.FS())
	faults, warnings, err := book.Check()
	if err != nil {
		return Report{}, AsError(err)
	}
	for _, f := range faults {
		r.Problems = append(r.Problems, f.Explain())
	}
	for _, f := range warnings {
		r.Notes = append(r.Notes, f.Explain())
	}
	for _, draft := range book.Drafts() {
		r.Notes = append(r.Notes, records.Visible(draft)+": a draft that waits for its id")
	}
	if err := s.checkHistory(ctx, tip, book, &r); err != nil {
		return Report{}, AsError(err)
	}
	if err := s.repo.Fsck(ctx); err != nil {
		r.Problems = append(r.Problems, err.Error())
	}
	return r, nil
}
