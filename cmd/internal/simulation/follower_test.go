package simulation_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// follower is who follows the channel of every plan there ever was, in a process
// that is restarted now and then, and reduces what it is told.
type follower struct {
	t      *testing.T
	cfg    tools.Config
	reader *channel.Reader
	end    func()
	moved  chan struct{} // holds one

	mu     sync.Mutex
	states map[string]*channel.State
	at     map[string]repo.ID // by plan: the commit its state is of
}

func newFollower(t *testing.T, cfg tools.Config) *follower {
	t.Helper()
	f := &follower{t: t, cfg: cfg, moved: make(chan struct{}, 1), states: map[string]*channel.State{}, at: map[string]repo.ID{}}
	f.start(nil)
	return f
}

// start makes the hub and the reader anew; before it is told anything, resume goes
// on from what it knows.
func (f *follower) start(resume func(*channel.Reader)) {
	ctx, cancel := context.WithCancel(f.t.Context())
	store := toolstest.Again(f.t, f.cfg)
	moved, err := store.Moved(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	hub, err := channel.NewHub(store, moved)
	if err != nil {
		f.t.Fatal(err)
	}
	reader := hub.Reader()
	f.reader = reader
	if resume != nil {
		resume(reader)
	}
	var follows sync.WaitGroup
	follows.Go(func() {
		for {
			b, err := reader.Next(ctx)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				f.t.Error(err)
				return
			}
			f.take(b)
		}
	})
	f.end = func() { cancel(); follows.Wait(); reader.Close(); store.Close() }
}

// follow begins with a plan that it does not follow yet.
func (f *follower) follow(r *rapid.T, plan string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.states[plan] != nil {
		return
	}
	state, at, err := f.reader.Follow(plan)
	if err != nil {
		r.Fatal(err)
	}
	f.states[plan], f.at[plan] = state, at
}

func (f *follower) take(b channel.Batch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for plan, state := range b.States {
		f.states[plan], f.at[plan] = state, b.At
	}
	for _, a := range b.Actions {
		f.states[a.On].Reduce(a)
		f.at[a.On] = b.At
	}
	select {
	case f.moved <- struct{}{}:
	default:
	}
}

// restart goes on in another process from the commits that it knows.
func (f *follower) restart(r *rapid.T) {
	f.end()
	f.start(func(reader *channel.Reader) {
		for plan := range f.states {
			missed, err := reader.Resume(plan, f.at[plan])
			if errors.Is(err, channel.ErrNoPlan) {
				delete(f.states, plan)
				continue
			}
			if err != nil {
				r.Fatal(err)
			}
			for _, b := range missed {
				f.take(b)
			}
		}
	})
}

// check waits until each state is that of a Book; of a plan that is gone, nothing
// is left but its name.
func (f *follower) check(r *rapid.T, b *records.Book) {
	late := time.After(time.Minute)
	for {
		wrong := f.differs(r, b)
		if wrong == "" {
			return
		}
		select {
		case <-f.moved:
		case <-late:
			r.Fatalf("who follows the plans knows %s", wrong)
		}
	}
}

func (f *follower) differs(r *rapid.T, b *records.Book) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for plan, state := range f.states {
		want, err := channel.Snapshot(b, plan)
		if err != nil {
			r.Fatal(err)
		}
		if want == nil {
			want = &channel.State{Plan: state.Plan}
		}
		if is, want := document(r, state), document(r, want); is != want {
			return plan + " as\n" + is + "\nwant\n" + want
		}
	}
	return ""
}

func document(r *rapid.T, state *channel.State) string {
	data, err := json.Marshal(state)
	if err != nil {
		r.Fatal(err)
	}
	return string(data)
}
