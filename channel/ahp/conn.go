package ahp

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

const (
	pingEvery = 30 * time.Second
	pongWait  = 30 * time.Second // for the answer to a ping
	writeWait = 30 * time.Second // for a frame to be taken
)

// The codes of RFC 6455 that a connection is closed with.
const (
	closeGoingAway   = 1001
	closeProtocol    = 1002
	closeUnsupported = 1003
	closePolicy      = 1008
	closeTryAgain    = 1013
)

// errNotText says that a client sent a frame that is no text.
var errNotText = errors.New("messages are text frames")

// wire is a connection that carries whole messages. Read is called by one at a
// time, and so is Write; all may be called at once.
type wire interface {
	// Read gives the next message, until Close.
	Read() ([]byte, error)
	Write(t text) error
	// Cut ends a Write that waits for the client, and the connection with it.
	Cut()
	// Ping returns when the client has answered.
	Ping(ctx context.Context) error
	// Close says why, and returns within a second whatever the client does.
	Close(code int, reason string)
}

// conn is one client's connection.
type conn struct {
	server *Server
	wire   wire
	from   string // where it comes from, for the limit of calls
	out    *queue

	// What only the goroutine that reads asks for.
	opened   bool // by initialize or reconnect
	clientID string

	// Guarded by the hub's lock.
	person   string // "" where nobody has signed in
	standing string // what the person might do when they signed in
	reads    bool   // may read sessions and plans
	follows  map[string]bool
}

// run serves a connection until it or ctx ends.
func (c *conn) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() {
		defer cancel()
		c.write(ctx)
	})
	beside.Go(func() { c.ping(ctx) })
	c.read(ctx)
	cancel()
	beside.Wait()
}

// read hears the client until it is gone, or was told that it is over.
func (c *conn) read(ctx context.Context) {
	for {
		data, err := c.wire.Read()
		switch {
		case errors.Is(err, errNotText):
			c.out.end(closeUnsupported, err.Error())
		case err != nil:
			return
		default:
			c.hear(data)
			c.out.wait(ctx, len(data))
		}
	}
}

// write sends what is in the queue, and closes the connection in the end. A frame
// that is on its way when ctx ends has a moment to get there: half a frame would be
// all that the client hears of the end.
func (c *conn) write(ctx context.Context) {
	late := time.AfterFunc(writeWait, c.wire.Cut)
	defer late.Stop()
	defer context.AfterFunc(ctx, func() {
		c.out.stop()
		time.AfterFunc(closeWait, c.wire.Cut)
	})()
	for {
		late.Stop()
		m, over, ok := c.out.take()
		if !ok {
			if over == nil {
				over = &ending{closeGoingAway, "the host is stopping"}
			}
			c.wire.Close(over.code, over.reason)
			return
		}
		t, err := m.encoded()
		if err == nil {
			late.Reset(writeWait)
			err = c.wire.Write(t)
		}
		if err != nil {
			c.wire.Close(closeGoingAway, "a message could not be sent")
			return
		}
	}
}

// ping sees to it that a client that is gone without a word is noticed.
func (c *conn) ping(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		pong, cancel := context.WithTimeout(ctx, pongWait)
		err := c.wire.Ping(pong)
		cancel()
		if err != nil {
			c.out.end(closeGoingAway, "a ping was not answered")
			return
		}
	}
}

// hear answers one message.
func (c *conn) hear(data []byte) {
	r, id, f := read(data)
	switch {
	case f != nil:
		c.out.answer(failed(id, f))
		return
	case r == nil:
		return
	}
	replied := false
	reply := func(result any) {
		replied = true
		if r.id != nil {
			c.out.answer(answered(r.id, result))
		}
	}
	err := c.serve(r, reply)
	switch {
	case err != nil && r.id != nil && !replied:
		c.out.answer(failed(r.id, faultOf(err)))
	case err == nil && !replied:
		reply(struct{}{})
	}
	var refused *fault
	if errors.As(err, &refused) && refused.Code == codeNoVersion {
		c.out.end(closeProtocol, "no protocol version in common")
	}
}

// serve finds what a message asks for, and does it. reply is called at most once,
// with the hub's lock held where the answer belongs to a number.
func (c *conn) serve(r *request, reply func(any)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.server.store.Log().Error("a message made the host panic", "door", "ahp", "method", records.Visible(r.method), "panic", p, "stack", string(debug.Stack()))
			err = errors.New("the host failed")
		}
	}()
	m, known := c.server.methods[r.method]
	if !known {
		return &fault{Code: codeNoMethod, Message: "there is no method of that name"}
	}
	if r.id == nil && !m.notification {
		return nil // nobody would hear the answer
	}
	if err := c.count(r); err != nil {
		return err
	}
	channel, err := r.channel()
	if err != nil {
		return err
	}
	if m.root && channel != rootURI {
		return badParams("params.channel of " + r.method + " must be " + rootURI)
	}
	if !c.opened && !m.first {
		return &fault{Code: codeInvalidRequest, Message: "initialize must come first"}
	}
	return m.do(c, r, channel, reply)
}
