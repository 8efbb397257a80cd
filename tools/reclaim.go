package tools

import (
	"context"
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
// zero time where none does. Those that could not be written are tried again by the
// next call, and count as todo for readers all the same.
func (s *Store) Reclaim(ctx context.Context) (next time.Time, err error) {
	book, _, err := s.written()
	if err != nil {
		return next, AsError(err)
	}
	claims, err := book.Claims()
	if err != nil || len(claims) == 0 {
		return next, err
	}
	counts := book.AsOf(s.now(), s.gone)
	for _, claim := range claims {
		task, err := counts.Task(claim.ID)
		if err != nil {
			return next, err
		}
		if task == nil {
			continue // a second file that says to be a task that cannot be read
		}
		if until, ok := records.ParseTime(claim.Lease.Until); ok && task.Status == records.Doing && (next.IsZero() || until.Before(next)) {
			next = until
		}
		if task.Status == records.Doing {
			continue
		}
		_, err = s.Update(ctx, s.HostCaller(), reclaimTool, func(*records.Book) ([]Step, error) {
			return []Step{{Edit: records.Reclaim{Task: claim.ID}}}, nil
		})
		if err != nil {
			return next, err
		}
	}
	return next, nil
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
		rest := longestRest
		if !next.IsZero() && err == nil {
			rest = max(time.Millisecond, min(rest, next.Sub(s.now())))
		}
		timer := time.NewTimer(rest)
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
