package ahp_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/git-tasks/git-tasks/channel/ahp"
)

var errGone = errors.New("the client is gone")

// pair is a connection without a network: the server has it as a wire, the test
// is the client. It holds what the client was sent.
type pair struct {
	in     chan []byte   // to the server
	reads  chan struct{} // holds one while the client reads
	gone   chan struct{} // closed when the connection is over
	cut    chan struct{} // takes one while a message waits for the client to read
	silent chan struct{} // closed when the client answers no ping any more

	mu   sync.Mutex
	said []string // not yet written down
}

func newPair() *pair {
	p := &pair{in: make(chan []byte), reads: make(chan struct{}, 1), gone: make(chan struct{}), cut: make(chan struct{}), silent: make(chan struct{})}
	p.reads <- struct{}{}
	return p
}

// Read gives the client's next message; one that begins with a zero byte is no
// text.
func (p *pair) Read() ([]byte, error) {
	select {
	case data := <-p.in:
		if len(data) > 0 && data[0] == 0 {
			return nil, ahp.ErrNotText
		}
		return data, nil
	case <-p.gone:
		return nil, errGone
	}
}

// Write waits until the client reads.
func (p *pair) Write(t ahp.Text) error {
	select {
	case <-p.reads:
		p.reads <- struct{}{}
	case <-p.gone:
		return errGone
	case <-p.cut:
		return errGone
	}
	p.hear(string(t.Message()))
	return nil
}

// Cut ends a Write that waits.
func (p *pair) Cut() {
	select {
	case p.cut <- struct{}{}:
	default:
	}
}

// Ping is answered at once, or not at all.
func (p *pair) Ping(ctx context.Context) error {
	select {
	case <-p.silent:
		<-ctx.Done()
		return ctx.Err()
	default:
		return nil
	}
}

// Close ends the connection, and the client hears why.
func (p *pair) Close(code int, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.gone:
	default:
		p.said = append(p.said, fmt.Sprintf("closed %d: %s", code, reason))
		close(p.gone)
	}
}

func (p *pair) hear(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, what)
}

// drop ends the connection without a word.
func (p *pair) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.gone:
	default:
		close(p.gone)
	}
}

// send hands a message to the server, unless the connection is over.
func (p *pair) send(data []byte) {
	select {
	case p.in <- data:
	case <-p.gone:
		p.hear("not sent: the connection is over")
	}
}

// heard gives what the client was sent since the last time.
func (p *pair) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.said
	p.said = nil
	return said
}
