package tools

import (
	"context"
	"iter"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/watch"
)

// Watch gives what changes in the list, whoever changes it, a move of the branch
// at a time; moves that come close together may be one. It ends with ctx. What
// moves after Watch has returned is not missed. A move that cannot be read is
// logged, and comes with the next one that can. The error is one of reading the
// list, or of the system.
func (s *Store) Watch(ctx context.Context) (iter.Seq[[]records.Change], error) {
	signals, err := watch.Ref(ctx, s.repo.Dir(), s.repo.Ref())
	if err != nil {
		return nil, AsError(err)
	}
	book, at, err := s.Book()
	if err != nil {
		return nil, err
	}
	return func(yield func([]records.Change) bool) {
		for range signals {
			next, tip, changes, err := s.changed(book, at)
			if err != nil {
				s.log.Error("a move of the branch could not be read; the next one tells of it", "error", err)
				continue
			}
			book, at = next, tip
			if len(changes) > 0 && !yield(changes) {
				return
			}
		}
	}, nil
}

// changed gives the Book at the tip, and what differs from another one.
func (s *Store) changed(from *records.Book, at repo.ID) (*records.Book, repo.ID, []records.Change, error) {
	tip, err := s.repo.Tip()
	if err != nil || tip.ID() == at {
		return from, at, nil, err
	}
	paths, err := tip.Changed(at)
	if err != nil {
		return nil, at, nil, err
	}
	next, err := s.read.advance(tip, nil)
	if err != nil {
		return nil, at, nil, err
	}
	changes, err := records.Changes(from, next, paths)
	return next, tip.ID(), changes, err
}
