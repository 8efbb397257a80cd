package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/channel"
)

// ear is a client of the Agent Host Protocol that listens: no more of WebSocket
// (RFC 6455) than that takes. A thousand of them share the cores with the host, so
// while they listen they do no more than a client must to have a message: read it
// from its socket, and note the time. What it says is looked at afterwards.
type ear struct {
	conn  net.Conn
	in    *bufio.Reader
	head  [8]byte // of the frame that is being read
	frame []byte  // that was read last
	notes []note
}

// note is what came, and when it had been read from the socket.
type note struct {
	at time.Time
	*saying
}

// saying is as much of a message as is looked at. All who follow a plan are sent the
// same bytes, which are decoded once.
type saying struct {
	Params struct {
		ServerSeq uint64
		Action    struct {
			Type channel.Type
			Task struct{ ID, Title string }
		}
	}
}

// The kinds of frames that an ear knows.
const (
	frameText = 1
	framePing = 9
	framePong = 10
)

// listen has an ear note what comes until ctx ends.
func (a *audience) listen(ctx context.Context, e *ear) {
	defer context.AfterFunc(ctx, func() { e.conn.Close() })()
	for {
		data, err := e.read()
		at := time.Now()
		if err == nil {
			err = a.note(e, at, data)
		}
		if err != nil {
			if ctx.Err() == nil {
				a.fail(err)
			}
			return
		}
		a.came.Add(1)
	}
}

// note notes what an ear was told.
func (a *audience) note(e *ear, at time.Time, data []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	said := a.said[string(data)]
	if said == nil {
		said = new(saying)
		if err := json.Unmarshal(data, said); err != nil {
			return fmt.Errorf("a reader was told %s: %w", data, err)
		}
		a.said[string(data)] = said
	}
	e.notes = append(e.notes, note{at, said})
	return nil
}

// heed looks at what an ear was told, and in which order.
func (a *audience) heed(e *ear) error {
	a.mu.Lock()
	notes := slices.Clone(e.notes)
	a.mu.Unlock()
	last := uint64(0)
	for _, n := range notes {
		if n.Params.ServerSeq <= last {
			return fmt.Errorf("a reader was told %d after %d", n.Params.ServerSeq, last)
		}
		last = n.Params.ServerSeq
		task := n.Params.Action.Task
		a.hear(n.at, task.ID, task.Title, n.Params.Action.Type)
	}
	return nil
}

// newEar opens a connection, and returns once it follows the plan.
func newEar(ctx context.Context, url, plan string) (*ear, error) {
	at := strings.TrimPrefix(url, "http://")
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, err
	}
	e := &ear{conn: conn, in: bufio.NewReader(conn)}
	fmt.Fprintf(conn, "GET /ahp HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", at)
	resp, err := http.ReadResponse(e.in, nil)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		return nil, fmt.Errorf("a WebSocket is answered %s", resp.Status)
	}
	hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://",`+
		`"protocolVersions":["1.1.0"],"clientId":"bench","initialSubscriptions":["x-ahpd-plans://%s"]}}`, plan)
	if err := e.write(frameText, []byte(hello)); err != nil {
		return nil, err
	}
	data, err := e.read()
	if err == nil && !strings.Contains(string(data), `"fromSeq"`) {
		err = fmt.Errorf("initialize is answered %s", data)
	}
	return e, err
}

// write sends a frame of less than 64 KiB, masked with zeros as a client may.
func (e *ear) write(kind byte, data []byte) error {
	frame := []byte{0x80 | kind, 0x80 | byte(len(data))}
	if len(data) > 125 {
		frame = binary.BigEndian.AppendUint16([]byte{0x80 | kind, 0x80 | 126}, uint16(len(data)))
	}
	frame = append(frame, 0, 0, 0, 0)
	_, err := e.conn.Write(append(frame, data...))
	return err
}

// read gives the next text, which is good until the next one is read, and answers
// pings.
func (e *ear) read() ([]byte, error) {
	for {
		head := e.head[:2]
		if _, err := io.ReadFull(e.in, head); err != nil {
			return nil, err
		}
		kind, size := head[0]&0x0f, uint64(head[1])
		more := 0
		switch size {
		case 126:
			more = 2
		case 127:
			more = 8
		}
		if more > 0 {
			if _, err := io.ReadFull(e.in, e.head[8-more:]); err != nil {
				return nil, err
			}
			clear(e.head[:8-more])
			size = binary.BigEndian.Uint64(e.head[:])
		}
		e.frame = slices.Grow(e.frame[:0], int(size))[:size]
		if _, err := io.ReadFull(e.in, e.frame); err != nil {
			return nil, err
		}
		switch kind {
		case frameText:
			return e.frame, nil
		case framePing:
			if err := e.write(framePong, e.frame); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("the host closed the connection: %s", e.frame)
		}
	}
}
