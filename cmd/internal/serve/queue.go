package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxQueued      = 256 << 10 // bytes of a stream that wait for its client
	maxQueuedOfAll = 16 << 20  // of all streams
)

var errSlow = errors.New("the client does not read its stream")

// queue is a ResponseWriter for streams, which are written one after the other to
// all who follow: whoever does not read holds nobody up. What does not fit in it, or
// in what all of them may hold, ends the stream; the client opens another and reads again.
type queue struct {
	to  http.ResponseWriter
	end context.CancelFunc // of the stream
	all *atomic.Int64      // bytes of all streams that wait

	mu      sync.Mutex
	more    *sync.Cond // there is something to write, or it is over
	waiting []byte
	over    bool
	written chan struct{} // closed when nothing is written any more
}

func newQueue(to http.ResponseWriter, end context.CancelFunc, all *atomic.Int64) *queue {
	q := &queue{to: to, end: end, all: all, written: make(chan struct{})}
	q.more = sync.NewCond(&q.mu)
	go q.run()
	return q
}

// Header is that of the answer.
func (q *queue) Header() http.Header { return q.to.Header() }

// WriteHeader sends the header; it comes before what is written.
func (q *queue) WriteHeader(status int) { q.to.WriteHeader(status) }

// Write takes a part of the stream, and never waits.
func (q *queue) Write(part []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return 0, errSlow
	}
	if len(q.waiting)+len(part) > maxQueued || q.all.Load()+int64(len(part)) > maxQueuedOfAll {
		q.giveUp()
		http.NewResponseController(q.to).SetWriteDeadline(time.Now())
		return 0, errSlow
	}
	q.waiting = append(q.waiting, part...)
	q.all.Add(int64(len(part))) // of two at once both may just have fitted
	q.more.Signal()
	return len(part), nil
}

// FlushError is asked by http.ResponseController; all that was written goes out
// as soon as the client takes it.
func (q *queue) FlushError() error { return nil }

func (q *queue) giveUp() {
	q.all.Add(-int64(len(q.waiting)))
	q.over, q.waiting = true, nil
	q.end()
	q.more.Signal()
}

// run writes to the client.
func (q *queue) run() {
	defer close(q.written)
	out := http.NewResponseController(q.to)
	for {
		q.mu.Lock()
		for len(q.waiting) == 0 && !q.over {
			q.more.Wait()
		}
		part := q.waiting
		q.waiting = nil
		q.mu.Unlock()
		if len(part) == 0 {
			return
		}
		_, err := q.to.Write(part)
		q.all.Add(-int64(len(part)))
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			q.mu.Lock()
			q.giveUp()
			q.mu.Unlock()
			return
		}
	}
}

// finish ends the stream when what was taken is written. The ResponseWriter below
// is not touched after it.
func (q *queue) finish() {
	q.mu.Lock()
	q.over = true
	q.more.Signal()
	q.mu.Unlock()
	<-q.written
}
