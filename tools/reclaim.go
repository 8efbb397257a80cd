package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

const (
	// reclaimTool is what the Tool trailer says of a claim that the host took back.
	reclaimTool = "reclaim"
	// longestRest is how long whoever keeps the claims goes without a look: claims
	// made by other processes, sessions that ended, and a clock that jumped are seen
	// within that time.
	longestRest = 5 * time.Second
)

// Reclaim writes every task whose claim is over as todo and nobody's, as the host,
// each as a commit of its own. It gives when the next claim ends by its time, the
// zero time where none does. One that could not be written keeps no other back: all of
// them are named, tried again by the next call, and count as todo for readers all the
// same.
func (s *Store) Reclaim(ctx context.Context) (next time.Time, err error) {
	c, err := s.claims()
	if err != nil {
		return next, err
	}
	var failed []error
	for _, id := range c.over {
		if ctx.Err() != nil {
			break
		}
		_, err := s.Update(ctx, s.HostCaller(), reclaimTool, func(*records.Book) ([]Step, error) {
			return []Step{{Edit: records.Reclaim{Task: id}}}, nil
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("take back the claim of %s: %w", id, err))
		}
	}
	return c.next, errors.Join(append(failed, ctx.Err())...)
}

// KeepClaims takes back each claim at the moment that it is over, until ctx ends, so
// that whoever only listens hears of it; what ran out before is taken back at once.
func (s *Store) KeepClaims(ctx context.Context) {
	failed := ""
	for {
		next, err := s.Reclaim(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			failed = ""
		case err.Error() != failed:
			failed = err.Error()
			s.log.Error("a claim that is over could not be written as such; it counts as over all the same", "error", err)
		}
		timer := time.NewTimer(s.rest(next))
		select {
		case <-ctx.Done():
		case <-s.claimed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// noteClaim wakes whoever keeps the claims, since there is another one.
func (s *Store) noteClaim() {
	select {
	case s.claimed <- struct{}{}:
	default: // it is awake
	}
}
