package channel

import (
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// Told is one move as those are told of it who follow all plans.
type Told struct {
	Move    tools.Move
	Actions []Action // of all plans, in the order in which they are sent
	Err     error    // why there are no Actions: whoever was told of others starts anew
}

// Tap has f told of every move from now on, each once and in order, as long as
// the hub lives. It is called while the hub's lock is held: it must not call the
// hub, and must wait for nobody.
func (h *Hub) Tap(f func(Told)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taps = append(h.taps, f)
}

// Look calls f with the records at the tip once all of it is told, and tells of
// nothing until f returns. What f notes with a state belongs to that very state. f
// must not call the hub. Where the branch cannot be read they are the records that
// were told of last.
func (h *Hub) Look(f func(at repo.ID, book *records.Book)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	f(h.feed.At())
}

func (h *Hub) tellTaps(one Told) {
	for _, f := range h.taps {
		f(one)
	}
}
