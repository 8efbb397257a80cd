package ahp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

const (
	maxQueued  = 1 << 20  // bytes of actions and notifications that wait for one client
	maxAnswers = 16       // that wait for one client before it is heard again
	bigMessage = 64 << 10 // bytes of one whose answer, which may say it back, waits alone
)

// frame is what is sent: bytes that all who get it share, or a value of one client
// alone, which is encoded when its turn comes, while nobody waits.
type frame struct {
	data  []byte
	value any
}

func (f frame) bytes() ([]byte, error) {
	if f.value == nil {
		return f.data, nil
	}
	return json.Marshal(f.value)
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
	more  chan struct{} // holds a signal when there is something to take, or it is over
	room  chan struct{} // holds a signal when something was taken

	mu      sync.Mutex
	frames  []frame
	bytes   int // of the frames that were told and not asked for
	answers int
	over    *ending
}

func newQueue(limit int) *queue {
	return &queue{limit: limit, more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// tell puts in what the client did not ask for.
func (q *queue) tell(data []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.over != nil:
		return
	case q.bytes > 0 && q.bytes+len(data) > q.limit:
		q.frames = nil
		q.over = &ending{closeTryAgain, fmt.Sprintf("over %d KiB wait to be read: reconnect", q.limit>>10)}
	default:
		q.frames = append(q.frames, frame{data: data})
		q.bytes += len(data)
	}
	signal(q.more)
}

// answer puts in what the client asked for.
func (q *queue) answer(value any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil {
		q.frames = append(q.frames, frame{value: value})
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

// take gives the next frame and waits for it; in the end why it is over, which is
// nil where ctx has ended.
func (q *queue) take(ctx context.Context) (frame, *ending, bool) {
	for {
		q.mu.Lock()
		if len(q.frames) > 0 && ctx.Err() == nil {
			f := q.frames[0]
			q.frames[0] = frame{}
			q.frames = q.frames[1:]
			if f.value == nil {
				q.bytes -= len(f.data)
			} else {
				q.answers--
			}
			q.mu.Unlock()
			signal(q.room)
			return f, nil, true
		}
		over := q.over
		q.mu.Unlock()
		if over != nil {
			return frame{}, over, false
		}
		select {
		case <-q.more:
		case <-ctx.Done():
			return frame{}, nil, false
		}
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is waiting
	}
}
