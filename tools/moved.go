package tools

import (
	"context"
	"sync"

	"github.com/git-tasks/git-tasks/repo/watch"
)

// tidings hands the signals of one watcher on to all that wait for the branch to
// move: the system tells each process of no more than some hundred folders. It
// watches while somebody waits.
type tidings struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool
	stop    context.CancelFunc
}

// Moved gives a channel with a signal each time the branch may have moved,
// whoever moves it, until ctx ends and it is closed. Moves that nobody took a
// signal for share one. What moves after Moved has returned is not missed.
func (s *Store) Moved(ctx context.Context) (<-chan struct{}, error) {
	t := &s.tidings
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		watching, stop := context.WithCancel(context.Background())
		signals, err := watch.Ref(watching, s.repo.Dir(), s.repo.Ref())
		if err != nil {
			stop()
			return nil, AsError(err)
		}
		t.waiting, t.stop = map[chan struct{}]bool{}, stop
		go t.spread(signals)
	}
	one := make(chan struct{}, 1)
	t.waiting[one] = true
	context.AfterFunc(ctx, func() { t.leave(one) })
	return one, nil
}

// spread tells everybody who waits at the time.
func (t *tidings) spread(signals <-chan struct{}) {
	for range signals {
		t.mu.Lock()
		for one := range t.waiting {
			select {
			case one <- struct{}{}:
			default: // one is waiting
			}
		}
		t.mu.Unlock()
	}
}

func (t *tidings) leave(one chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, one)
	close(one)
	if len(t.waiting) == 0 {
		t.stop()
	}
}
