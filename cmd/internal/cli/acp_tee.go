package cli

import (
	"bytes"
	"io"
	"sync"
)

const (
	// maxMessage is how long a message may be that is looked at. Longer ones pass.
	maxMessage = 16 << 20
	// maxBacklog is how many messages may wait to be taken. Beyond it the oldest is
	// given up: each is a whole list, which the next one holds as it is then.
	maxBacklog = 1000
)

// tee hands on what is written, unchanged and at once, and after that shows each
// whole line that may hold a plan.
type tee struct {
	to   io.Writer
	line func([]byte)
	part []byte // of the line that is not whole yet
	long bool   // it is too long to be looked at
}

func (t *tee) Write(p []byte) (int, error) {
	n, err := t.to.Write(p)
	for rest := p[:n]; len(rest) > 0; {
		line, after, isWhole := bytes.Cut(rest, []byte("\n"))
		rest = after
		if t.long = t.long || len(t.part)+len(line) > maxMessage; !t.long {
			t.part = append(t.part, line...)
		}
		if !isWhole {
			break
		}
		if !t.long && bytes.Contains(t.part, []byte("session/update")) && (bytes.Contains(t.part, []byte("plan")) || bytes.Contains(t.part, []byte("session_info"))) {
			t.line(bytes.Clone(t.part))
		}
		t.part, t.long = t.part[:0], false
		if cap(t.part) > 1<<16 {
			t.part = nil
		}
	}
	return n, err
}

// backlog takes messages one after the other, in a goroutine of its own, so that
// whoever adds one never waits.
type backlog struct {
	take    func([]byte)
	mu      sync.Mutex
	waiting [][]byte
	wake    chan struct{} // holds one signal; closed where no more comes
	done    chan struct{}
}

func newBacklog(take func([]byte)) *backlog {
	b := &backlog{take: take, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(b.done)
		for range b.wake {
			b.drain()
		}
		b.drain()
	}()
	return b
}

func (b *backlog) add(message []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = append(b.waiting, message)
	b.waiting = b.waiting[max(0, len(b.waiting)-maxBacklog):]
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *backlog) drain() {
	for {
		b.mu.Lock()
		if len(b.waiting) == 0 {
			b.mu.Unlock()
			return
		}
		next := b.waiting[0]
		b.waiting = b.waiting[1:]
		b.mu.Unlock()
		b.take(next)
	}
}

// close waits until all that was added is taken.
func (b *backlog) close() {
	close(b.wake)
	<-b.done
}
