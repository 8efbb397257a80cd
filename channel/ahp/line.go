package ahp

import (
	"bufio"
	"context"
	"net"
	"net/http"
)

// The first bytes of frames (RFC 6455), each a whole message.
const (
	frameText  = 0x81
	frameClose = 0x88
	framePing  = 0x89
)

// maxOwn is at least as long as any frame that the library writes: its messages are
// ours, and what is left has at most 125 bytes.
const maxOwn = 128

// line is the connection below a WebSocket. Two write to it, a whole frame at a time:
// the library, which answers pings and says why a connection ends, and we, whose
// frames are made once for all who get them.
type line struct {
	net.Conn
	turn chan struct{} // holds one while a frame is being written
	over bool          // no frame may follow; only who has the turn looks
}

// Write writes a frame when it is its turn. The library hands over each of its own
// at once.
func (l *line) Write(frame []byte) (int, error) {
	l.turn <- struct{}{}
	return l.put(frame)
}

// writeWithin writes a frame before ctx ends, which ends the connection where half
// of it is written.
func (l *line) writeWithin(ctx context.Context, frame []byte) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	_, err := l.put(frame)
	return err
}

// put writes a frame and ends the turn.
func (l *line) put(frame []byte) (int, error) {
	defer func() { <-l.turn }()
	if l.over {
		return 0, net.ErrClosed
	}
	l.over = frame[0] == frameClose
	return l.Conn.Write(frame)
}

// cut ends the connection where a frame is being written.
func (l *line) cut() {
	if len(l.turn) > 0 {
		l.Close()
	}
}

// upgrade is the answer to a request that becomes a WebSocket: the library is given
// a line.
type upgrade struct {
	http.ResponseWriter
	line *line
}

// Hijack takes the connection over; the library calls it.
func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, both, err := http.NewResponseController(u.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	u.line = &line{Conn: conn, turn: make(chan struct{}, 1)}
	return u.line, bufio.NewReadWriter(both.Reader, bufio.NewWriterSize(u.line, maxOwn)), nil
}
