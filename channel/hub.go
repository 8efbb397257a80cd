package channel

import (
	"errors"
	"sync"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// ErrNoPlan says that there is no plan of the id to be followed.
var ErrNoPlan = errors.New("there is no such plan")

// ErrEnded says that the hub has ended, or the reader was closed.
var ErrEnded = errors.New("the channel has ended")

// queueLimit is how many moves a reader may be behind.
const queueLimit = 1024

// Hub follows a list and tells readers of it. It is safe for concurrent use.
type Hub struct {
	store *tools.Store
	limit int           // of a reader's queue
	ended chan struct{} // closed when nothing is told any more

	mu    sync.Mutex
	feed  *tools.Feed
	moves uint64 // how many were told so far
	plans map[string]*followed
	taps  []func(Told)
}

// followed is a plan that somebody follows.
type followed struct {
	last    *records.Plan // as it was last shown
	readers map[*Reader]bool
}

// told is one move as every reader gets it.
type told struct {
	move    uint64
	at      repo.ID
	actions []Action
}

// NewHub gives a hub that follows the list: it looks at the branch whenever moved
// says so, which [tools.Store.Moved] gave before, until moved is closed. The error
// is one of reading the list.
func NewHub(s *tools.Store, moved <-chan struct{}) (*Hub, error) {
	_, now, err := s.Book()
	if err != nil {
		return nil, err
	}
	feed, err := s.Feed(now)
	if err != nil {
		return nil, err
	}
	h := &Hub{store: s, limit: queueLimit, ended: make(chan struct{}), feed: feed, plans: map[string]*followed{}}
	go h.run(moved)
	return h, nil
}

func (h *Hub) run(moved <-chan struct{}) {
	defer close(h.ended)
	for ok := true; ok; _, ok = <-moved {
		h.mu.Lock()
		h.catchUp()
		h.mu.Unlock()
	}
}

// catchUp tells of all that is new. It is called with the lock held.
func (h *Hub) catchUp() {
	for m, err := range h.feed.Moves() {
		if err != nil {
			h.store.Log().Error("a move of the branch could not be read; the next one tells of it", "door", "channel", "error", err)
			return
		}
		actions, err := Actions(m)
		if err != nil {
			h.store.Log().Error("a commit could not be read; readers start anew", "door", "channel", "commit", m.Commit, "error", err)
			h.startAnew()
			h.tellTaps(Told{Move: m, Err: err})
			continue
		}
		h.tell(m.At, actions)
		h.tellTaps(Told{Move: m, Actions: actions})
	}
}

// startAnew gives every reader states in place of actions.
func (h *Hub) startAnew() {
	h.moves++
	for _, f := range h.plans {
		for r := range f.readers {
			r.put(&told{move: h.moves}, 0)
		}
	}
}

func (h *Hub) tell(at repo.ID, actions []Action) {
	h.moves++
	one := &told{h.moves, at, actions}
	for _, a := range actions {
		plan := h.plans[a.On]
		if plan == nil {
			continue
		}
		if a.Type == PlanSet {
			plan.last = a.Plan
		}
		for r := range plan.readers {
			r.put(one, h.limit)
		}
	}
}

// state gives that of a plan somebody follows: where the plan is gone, as it was
// last, and without tasks. It is called with the lock held.
func (h *Hub) state(plan string) (*State, error) {
	_, book := h.feed.At()
	state, err := Snapshot(book, plan)
	if err == nil && state == nil {
		state = &State{Plan: h.plans[plan].last}
	}
	return state, err
}

// enter makes a reader one of those that follow a plan.
func (h *Hub) enter(r *Reader, plan *records.Plan) {
	f := h.plans[plan.ID]
	if f == nil {
		f = &followed{readers: map[*Reader]bool{}}
		h.plans[plan.ID] = f
	}
	f.last, f.readers[r] = plan, true
	r.enter(plan.ID, h.moves)
}

// leave undoes enter.
func (h *Hub) leave(r *Reader, plan string) {
	if f := h.plans[plan]; f != nil {
		delete(f.readers, r)
		if len(f.readers) == 0 {
			delete(h.plans, plan)
		}
	}
}
