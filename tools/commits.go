package tools

import (
	"context"
	"sync"

	"github.com/git-tasks/git-tasks/repo"
)

// counted is how many commits there were, and up to which.
type counted struct {
	mu sync.Mutex
	at repo.ID
	n  int
}

// Commits gives how many commits the branch is made of. The first time takes a look
// at all of them, later ones at what is new.
func (s *Store) Commits(ctx context.Context) (int, error) {
	tip, err := s.repo.Tip()
	if err != nil {
		return 0, AsError(err)
	}
	c := &s.counted
	c.mu.Lock()
	defer c.mu.Unlock()
	if tip.ID() == c.at {
		return c.n, nil
	}
	before := c.n
	more, err := s.repo.Count(ctx, c.at, tip.ID())
	if err != nil && ctx.Err() == nil && !c.at.IsZero() { // what was counted is no more
		before = 0
		more, err = s.repo.Count(ctx, repo.ID{}, tip.ID())
	}
	if err != nil {
		return 0, AsError(err)
	}
	c.at, c.n = tip.ID(), before+more
	return c.n, nil
}
