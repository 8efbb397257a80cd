package channel

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/git-tasks/git-tasks/repo"
)

// Batch is what a reader is told at a time: the actions of one commit on the
// plans that it follows. Where it was too slow to be told of each, it is the state
// of all those plans, which takes the place of what it had.
type Batch struct {
	At      repo.ID // the commit; [Reader.Resume] goes on from it
	Actions []Action
	States  map[string]*State // by plan; nil where there are Actions
}

// Reader is one client's view of a hub: the plans it follows, and one queue for
// all of them. Its methods may be called at the same time, Next by one at a time.
type Reader struct {
	hub  *Hub
	wake chan struct{} // holds a signal when there is something to take
	gone chan struct{} // closed by Close

	mu     sync.Mutex
	plans  map[string]uint64 // each with the move that its state is of
	queue  []*told
	last   uint64 // the move that was put in last
	behind bool   // the queue was thrown away
}

// Reader gives a reader that follows nothing yet. It must be closed.
func (h *Hub) Reader() *Reader {
	return &Reader{hub: h, wake: make(chan struct{}, 1), gone: make(chan struct{}), plans: map[string]uint64{}}
}

// Follow follows a plan from now on, and gives its state and the commit that it
// is of: the tip at some moment of the call. A plan that is followed already is
// started anew. The error is ErrNoPlan, or one of reading the list.
func (r *Reader) Follow(plan string) (*State, repo.ID, error) {
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	at, book := h.feed.At()
	state, err := Snapshot(book, plan)
	if err != nil {
		return nil, at, err
	}
	if state == nil {
		return nil, at, ErrNoPlan
	}
	h.enter(r, state.Plan)
	return state, at, nil
}

// Resume follows a plan from now on, and gives what happened to it since a
// commit, read from history. The error is ErrNoPlan where the plan is no longer
// there; else the commit cannot be read, and Follow gives the state instead.
func (r *Reader) Resume(plan string, since repo.ID) ([]Batch, error) {
	h := r.hub
	feed, err := h.store.Feed(since)
	if err != nil {
		return nil, err
	}
	var missed []Batch
	read := func() error {
		for m, err := range feed.Moves() {
			if err != nil {
				return err
			}
			actions, err := Actions(m)
			if err != nil {
				return err
			}
			actions = slices.DeleteFunc(actions, func(a Action) bool { return a.On != plan })
			if len(actions) > 0 {
				missed = append(missed, Batch{At: m.At, Actions: actions})
			}
		}
		return nil
	}
	if err := read(); err != nil { // most of it, while nobody waits
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		if err := read(); err != nil {
			return nil, err
		}
		h.catchUp()
		at, book := h.feed.At()
		if now, _ := feed.At(); now != at {
			continue
		}
		record, err := planOf(book, plan)
		if err != nil {
			return nil, err
		}
		if record == nil {
			return nil, ErrNoPlan
		}
		h.enter(r, record)
		return missed, nil
	}
}

// Leave follows a plan no longer; nothing more is told of it.
func (r *Reader) Leave(plan string) {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.hub.leave(r, plan)
	r.mu.Lock()
	delete(r.plans, plan)
	r.mu.Unlock()
}

// Close ends the reader. A Next that waits gives ErrEnded.
func (r *Reader) Close() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for plan := range r.plans {
		r.hub.leave(r, plan)
	}
	r.plans, r.queue, r.behind = map[string]uint64{}, nil, false
	select {
	case <-r.gone:
	default:
		close(r.gone)
	}
}

// Next gives what there is to tell, and waits for it. The error is that of ctx,
// ErrEnded, or one of reading the list.
func (r *Reader) Next(ctx context.Context) (Batch, error) {
	for {
		b, ok, err := r.take()
		if ok || err != nil {
			return b, err
		}
		select {
		case <-r.wake:
		case <-r.gone:
			return Batch{}, ErrEnded
		case <-ctx.Done():
			return Batch{}, ctx.Err()
		case <-r.hub.ended:
			if b, ok, err := r.take(); ok || err != nil { // that came last
				return b, err
			}
			return Batch{}, ErrEnded
		}
	}
}

// take gives what is in the queue, where it is about a plan that is followed.
func (r *Reader) take() (Batch, bool, error) {
	r.mu.Lock()
	if r.behind {
		r.mu.Unlock()
		return r.anew()
	}
	defer r.mu.Unlock()
	for len(r.queue) > 0 {
		one := r.queue[0]
		r.queue = r.queue[1:]
		var mine []Action
		for _, a := range one.actions {
			if since, ok := r.plans[a.On]; ok && since < one.move {
				mine = append(mine, a)
			}
		}
		if len(mine) > 0 {
			return Batch{At: one.at, Actions: mine}, true, nil
		}
	}
	return Batch{}, false, nil
}

// anew gives the state of every plan that is followed, as it is now.
func (r *Reader) anew() (Batch, bool, error) {
	h := r.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	r.mu.Lock()
	defer r.mu.Unlock()
	at, _ := h.feed.At()
	b := Batch{At: at, States: map[string]*State{}}
	for _, plan := range slices.Collect(maps.Keys(r.plans)) {
		state, err := h.state(plan)
		if err != nil {
			return Batch{}, false, err
		}
		b.States[plan], r.plans[plan] = state, h.moves
	}
	r.queue, r.behind = nil, false
	return b, len(b.States) > 0, nil
}

// enter notes that the reader follows a plan whose state is of a move.
func (r *Reader) enter(plan string, move uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.gone:
		r.hub.leave(r, plan) // the hub lets go of who was closed
	default:
		r.plans[plan] = move
	}
}

// put puts a move into the queue, once. It waits for nobody.
func (r *Reader) put(one *told, limit int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.behind || r.last == one.move {
		return
	}
	r.last = one.move
	if len(r.queue) >= limit {
		r.queue, r.behind = nil, true
	} else {
		r.queue = append(r.queue, one)
	}
	select {
	case r.wake <- struct{}{}:
	default: // one is waiting
	}
}
