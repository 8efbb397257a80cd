package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// What may be under way at once over HTTP. A client that asks and does not read
// would else have the host hold as much as it cares to ask for.
const (
	small       = 64 << 10 // a body or an answer up to that is not counted: it always passes
	bytesOfUser = 8 << 20  // of bodies and answers that the host holds for one user
	bytesOfAll  = 32 << 20 // and for all
	callsOfUser = 64       // requests of one user that are being answered
	callsOfAll  = 1024

	// turnsOfAll is how many answers that may be large are made side by side: while
	// one is, there are several copies of it. One user has one of the turns at a time,
	// so that nobody waits behind all that another asks for.
	turnsOfAll = 4
	turnWait   = 10 * time.Second // for one's turn

	// large is an answer of which no second one is made at the same time.
	large = 1 << 20
)

// room counts what is under way, for each user and in all.
type room struct {
	// patient is the room of a client that is alone and waits for itself: nothing is
	// refused it, its calls wait for their turns as long as it takes.
	patient bool

	ofUser, ofAll int64 // bytes that are held

	turns chan struct{} // holds one for each answer that is being made
	large chan struct{} // holds one while that is a large one

	mu    sync.Mutex
	users map[string]*share
	calls int
	bytes int64
	most  int64 // that bytes ever was
}

// share is what is under way for one user. It is kept while there is anything.
type share struct {
	name    string
	turn    chan struct{} // holds one while an answer is being made
	waiting int           // for the turn, or having it
	calls   int
	bytes   int64
}

// hold is what is under way of one request: its body until it is answered, then
// its answer until the client has taken it. A nil hold counts nothing.
type hold struct {
	room   *room
	share  *share
	stream bool    // not counted among calls: it lasts as long as its client wants
	out    *outbox // that its answer goes to, nil for none

	// Under the lock of the room:
	bytes int64
	turn  bool // it has its turn
	large bool // and with it that of large answers
	over  bool // the request has ended, or its answer been written
}

func newRoom() *room {
	return &room{ofUser: bytesOfUser, ofAll: bytesOfAll, turns: make(chan struct{}, turnsOfAll), large: make(chan struct{}, 1), users: map[string]*share{}}
}

func tooBusy(format string, args ...any) error {
	return &tools.Error{Code: tools.Busy, Message: "busy: " + fmt.Sprintf(format, args...)}
}

// enter counts a request of a user, or refuses it.
func (r *room) enter(name string, stream bool) (*hold, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.users[name]
	if s == nil {
		s = &share{name: name, turn: make(chan struct{}, 1)}
	}
	switch {
	case stream, r.patient:
	case s.calls >= callsOfUser:
		return nil, tooBusy("%d calls of one user may be under way at once; ask again when one is answered.", callsOfUser)
	case r.calls >= callsOfAll:
		return nil, tooBusy("%d calls are under way; ask again in a moment.", callsOfAll)
	}
	h := &hold{room: r, share: s, stream: stream}
	r.users[name] = s
	s.waiting++ // the request itself keeps the share
	if !stream {
		s.calls++
		r.calls++
	}
	return h, nil
}

// leave ends a request: nothing is under way of it any more.
func (h *hold) leave() {
	h.written(0)
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if !h.stream {
		h.share.calls--
		h.room.calls--
	}
	h.done()
}

// done forgets a share that nobody needs. The lock is held.
func (h *hold) done() {
	if h.share.waiting--; h.share.waiting == 0 {
		delete(h.room.users, h.share.name)
	}
}

// myTurn waits until an answer that may be large can be made, or a body that is be
// read, before anything is made of it. The turn lasts until written, or until the
// call is over, whichever comes last.
func (h *hold) myTurn(ctx context.Context) error {
	if h == nil {
		return nil
	}
	r, s := h.room, h.share
	if has, err := h.asks(); has || err != nil {
		return err
	}
	late := make(<-chan time.Time)
	if !r.patient {
		timer := time.NewTimer(turnWait)
		defer timer.Stop()
		late = timer.C
	}
	for _, turn := range []chan struct{}{s.turn, r.turns} {
		var err error
		select {
		case turn <- struct{}{}:
			continue
		case <-late:
			err = tooBusy("others are answered first, for %v by now; ask again in a moment, or for less: task_list takes limit and after.", turnWait)
		case <-ctx.Done():
			err = ctx.Err()
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		h.done()
		if turn == r.turns {
			<-s.turn
		}
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h.turn = true
	return nil
}

// largeTurn waits, within a turn, until an answer of about so many bytes can be made.
func (h *hold) largeTurn(ctx context.Context, bytes int) error {
	if h == nil || bytes < large {
		return nil
	}
	select {
	case h.room.large <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.large = h.turn; !h.large { // the turn is over, and nobody will end this one
		<-h.room.large
	}
	return nil
}

// asks counts one who waits for a turn, or refuses where what could be answered
// would not fit.
func (h *hold) asks() (has bool, err error) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.turn {
		return true, nil
	}
	if err := h.fits(h.bytes + small + 1); err != nil {
		return false, err
	}
	if !h.room.patient && h.share.waiting > 3*callsOfUser { // of requests that have ended meanwhile, too
		return false, tooBusy("%d calls of one user may be under way at once; ask again when one is answered.", callsOfUser)
	}
	h.share.waiting++
	return false, nil
}

// called is told when a call is carried out. Where its request has gone nobody
// writes the answer, and the turn is over.
func (h *hold) called() {
	if h == nil {
		return
	}
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.over {
		h.endTurn()
	}
}

// written is told when the answer stands in the outbox, and how long it is.
func (h *hold) written(n int) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	h.over = true
	h.endTurn()
	h.set(counted(n))
}

func (h *hold) endTurn() {
	if h.large {
		h.large = false
		<-h.room.large
	}
	if h.turn {
		h.turn = false
		<-h.room.turns
		<-h.share.turn
		h.done()
	}
}

// arrived is told how much of a body is there, and refuses more than fits.
func (h *hold) arrived(n int) error { return h.reach(func() int64 { return counted(n) }) }

// made is told how long an answer is, before more is made of it, and refuses one
// that does not fit.
func (h *hold) made(n int) error { return h.reach(func() int64 { return h.bytes + counted(n) }) }

// reach counts up to so many bytes, or refuses them.
func (h *hold) reach(total func() int64) error {
	if h == nil {
		return nil
	}
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	n := total()
	if h.over || n <= h.bytes {
		return nil // nobody is answered any more, or nothing is more
	}
	if err := h.fits(n); err != nil {
		return err
	}
	h.set(n)
	return nil
}

// counted is how many bytes count of so many.
func counted(n int) int64 {
	if n <= small {
		return 0
	}
	return int64(n)
}

// fits refuses what is more than may be under way beside what is. One that is alone
// may be as large as it is: it could never be had otherwise.
func (h *hold) fits(n int64) error {
	others, own := h.room.bytes-h.bytes, h.share.bytes-h.bytes
	switch {
	case h.room.patient:
	case own > 0 && own+n > h.room.ofUser:
		return tooBusy("%d KiB of what you sent and asked for are under way; read the answers first, or ask for less: task_list takes limit and after.", own>>10)
	case others > 0 && others+n > h.room.ofAll:
		return tooBusy("%d KiB are under way to all clients; ask again in a moment, or for less: task_list takes limit and after.", others>>10)
	}
	return nil
}

func (h *hold) set(n int64) {
	h.share.bytes += n - h.bytes
	h.room.bytes += n - h.bytes
	h.bytes = n
	h.room.most = max(h.room.most, h.room.bytes)
}
