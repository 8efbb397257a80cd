package ahp

import (
	"context"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

const (
	maxFrame  = 1 << 20 // bytes that a client may send at a time
	closeWait = 500 * time.Millisecond
)

// socket is a WebSocket as a wire. The library hears the client, and closes; what is
// sent goes past it, to the line.
type socket struct {
	raw   *websocket.Conn
	line  *line
	pongs chan struct{}      // holds one when the client has answered a ping
	gone  context.CancelFunc // ends what is being read, and the connection with it
	ctx   context.Context
}

// newSocket makes one of a request. One that cannot be is answered.
func newSocket(w http.ResponseWriter, r *http.Request) (*socket, error) {
	s := &socket{pongs: make(chan struct{}, 1)}
	u := &upgrade{ResponseWriter: w}
	raw, err := websocket.Accept(u, r, &websocket.AcceptOptions{OnPongReceived: func(context.Context, []byte) { signal(s.pongs) }})
	if err != nil {
		return nil, err
	}
	raw.SetReadLimit(maxFrame)
	s.raw, s.line = raw, u.line
	s.ctx, s.gone = context.WithCancel(context.Background())
	return s, nil
}

// Read gives the next message, until Close: what ends while it reads would take the
// connection down before a reason could be said.
func (s *socket) Read() ([]byte, error) {
	kind, data, err := s.raw.Read(s.ctx)
	if err == nil && kind != websocket.MessageText {
		err = errNotText
	}
	return data, err
}

// Write sends a message.
func (s *socket) Write(t text) error {
	_, err := s.line.Write(t.frame)
	return err
}

// Cut ends a Write that waits.
func (s *socket) Cut() { s.line.cut() }

// Ping returns when the client has answered.
func (s *socket) Ping(ctx context.Context) error {
	select {
	case <-s.pongs: // an earlier one, that came late or that nobody asked for
	default:
	}
	if err := s.line.writeWithin(ctx, []byte{framePing, 0}); err != nil {
		return err
	}
	select {
	case <-s.pongs:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close says why the connection ends, and ends it.
func (s *socket) Close(code int, reason string) {
	cut := time.AfterFunc(closeWait, s.gone)
	defer cut.Stop()
	s.raw.Close(websocket.StatusCode(code), reason) // an error says that it is closed already
	s.gone()
}
