package ahp

import (
	"context"
	"fmt"
	"sync"
)

const (
	maxQueued  = 1 << 20  // bytes of actions and notifications that wait for one client
	maxAnswers = 16       // that wait for one client before it is heard again
	bigMessage = 64 << 10 // bytes of one whose answer, which may say it back, waits alone
)

// outgoing is what is sent: a text that all who get it share, or a value of one client
// alone, which is encoded when its turn comes, while nobody waits.
type outgoing struct {
	text  text
	value any
}

func (m outgoing) encoded() (text, error) {
	if m.value == nil {
		return m.text, nil
	}
	return encode(m.value)
}

// ending says why a connection is closed.
type ending struct {
	code   int
	reason string
}

// queue is what waits for one client. Putting something in waits for nobody: what
// does not fit throws it all away and ends the connection.
type queue struct {
	limit int           // of bytes
	more  chan struct{} // holds a signal when there is something to take, it is over, or was stopped
	room  chan struct{} // holds a signal when something was taken

	mu      sync.Mutex
	waiting []outgoing
	bytes   int // of those that were told and not asked for
	answers int
	over    *ending
	stopped bool // nothing is taken any more
}

func newQueue(limit int) *queue {
	return &queue{limit: limit, more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// tell puts in what the client did not ask for.
func (q *queue) tell(t text) {
	size := len(t.Message())
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.over != nil:
		return
	case q.bytes > 0 && q.bytes+size > q.limit:
		q.waiting = nil
		q.over = &ending{closeTryAgain, fmt.Sprintf("over %d KiB wait to be read: reconnect", q.limit>>10)}
	default:
		q.waiting = append(q.waiting, outgoing{text: t})
		q.bytes += size
	}
	signal(q.more)
}

// answer puts in what the client asked for.
func (q *queue) answer(value any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil {
		q.waiting = append(q.waiting, outgoing{value: value})
		q.answers++
		signal(q.more)
	}
}

// end closes the connection once what is in the queue is sent.
func (q *queue) end(code int, reason string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil {
		q.over = &ending{code, reason}
		signal(q.more)
	}
}

// stop has nothing be taken any more.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	signal(q.more)
}

// wait returns when few enough answers are left after a message of so many bytes, or
// ctx has ended.
func (q *queue) wait(ctx context.Context, size int) {
	most := maxAnswers
	if size > bigMessage {
		most = 1
	}
	for {
		q.mu.Lock()
		full := q.answers >= most
		q.mu.Unlock()
		if !full {
			return
		}
		select {
		case <-q.room:
		case <-ctx.Done():
			return
		}
	}
}

// take gives the next message and waits for it; in the end why it is over, which is
// nil where the queue was stopped. It is called by one at a time.
func (q *queue) take() (outgoing, *ending, bool) {
	for {
		q.mu.Lock()
		over, stopped := q.over, q.stopped
		if len(q.waiting) > 0 && !stopped {
			m := q.shift()
			q.mu.Unlock()
			signal(q.room)
			return m, nil, true
		}
		q.mu.Unlock()
		if over != nil || stopped {
			return outgoing{}, over, false
		}
		<-q.more // and nothing else: who waits for two things is woken at twice the cost
	}
}

// spare is how many messages an empty queue keeps room for.
const spare = 16

// shift takes the first message out. With the lock held.
func (q *queue) shift() outgoing {
	m := q.waiting[0]
	q.waiting[0] = outgoing{}
	if len(q.waiting) == 1 && cap(q.waiting) <= spare {
		q.waiting = q.waiting[:0]
	} else {
		q.waiting = q.waiting[1:]
	}
	if m.value == nil {
		q.bytes -= len(m.text.Message())
	} else {
		q.answers--
	}
	return m
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is waiting
	}
}
