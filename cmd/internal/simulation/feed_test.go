package simulation_test

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// feed is somebody who never asks for the list again, and knows it by the
// changes alone.
type feed struct {
	end   func()
	moved chan struct{} // holds one
	mu    sync.Mutex
	known map[string]any // records by id
}

func newFeed(t *testing.T, s *tools.Store) *feed {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	f := &feed{moved: make(chan struct{}, 1), known: map[string]any{}}
	from, err := s.Feed(repo.ID{})
	if err != nil {
		t.Fatal(err)
	}
	moves, err := from.Follow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var follows sync.WaitGroup
	follows.Go(func() {
		for m, err := range moves {
			if err != nil {
				t.Error(err)
				continue
			}
			f.take(m.Changes)
		}
	})
	f.end = func() { cancel(); follows.Wait() }
	return f
}

func (f *feed) take(changes []records.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range changes {
		switch {
		case c.After != nil:
			f.known[c.After.ID] = *c.After
		case c.PlanAfter != nil:
			f.known[c.PlanAfter.ID] = *c.PlanAfter
		case c.Before != nil:
			delete(f.known, c.Before.ID)
		case c.PlanBefore != nil:
			delete(f.known, c.PlanBefore.ID)
		}
	}
	select {
	case f.moved <- struct{}{}:
	default:
	}
}

// check waits until the feed knows a Book as it is.
func (f *feed) check(r *rapid.T, b *records.Book) {
	want := map[string]any{}
	tasks, err := b.Tasks()
	if err != nil {
		r.Fatal(err)
	}
	plans, err := b.Plans()
	if err != nil {
		r.Fatal(err)
	}
	for t := range tasks {
		want[t.ID] = *t
	}
	for p := range plans {
		want[p.ID] = *p
	}
	late := time.After(time.Minute)
	for {
		f.mu.Lock()
		same := reflect.DeepEqual(f.known, want)
		f.mu.Unlock()
		if same {
			return
		}
		select {
		case <-f.moved:
		case <-late:
			r.Fatalf("who followed the changes knows\n%+v\nwant\n%+v", f.known, want)
		}
	}
}
