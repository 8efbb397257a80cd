package ahp

import (
	"context"
	"time"

	"github.com/coder/websocket"
)

const (
	maxFrame  = 1 << 20 // bytes that a client may send at a time
	closeWait = 500 * time.Millisecond
)

// socket is a WebSocket as a wire.
type socket struct {
	raw  *websocket.Conn
	gone context.CancelFunc // ends what is being read, and the connection with it
	ctx  context.Context
}

func newSocket(raw *websocket.Conn) *socket {
	raw.SetReadLimit(maxFrame)
	s := &socket{raw: raw}
	s.ctx, s.gone = context.WithCancel(context.Background())
	return s
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
func (s *socket) Write(ctx context.Context, data []byte) error {
	return s.raw.Write(ctx, websocket.MessageText, data)
}

// Ping returns when the client has answered.
func (s *socket) Ping(ctx context.Context) error { return s.raw.Ping(ctx) }

// Close says why the connection ends, and ends it.
func (s *socket) Close(code int, reason string) {
	cut := time.AfterFunc(closeWait, s.gone)
	defer cut.Stop()
	s.raw.Close(websocket.StatusCode(code), reason) // an error says that it is closed already
	s.gone()
}
