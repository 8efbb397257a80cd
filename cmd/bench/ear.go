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
	"strings"
)

// ear is a client of the Agent Host Protocol that listens: no more of WebSocket
// (RFC 6455) than that takes, so that hearing costs next to nothing.
type ear struct {
	conn net.Conn
	in   *bufio.Reader
}

// The kinds of frames that an ear knows.
const (
	frameText = 1
	framePing = 9
	framePong = 10
)

// earOf has an ear follow a plan until ctx ends.
func (a *audience) earOf(ctx context.Context, h *host, plan string) (listen func(), err error) {
	e, err := newEar(ctx, strings.TrimSuffix(h.url, "/mcp"), plan)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { e.conn.Close() })
	return func() {
		defer stop()
		for {
			data, err := e.read()
			if err != nil {
				if ctx.Err() == nil {
					a.hear("", "", err.Error())
				}
				return
			}
			var m struct {
				Params struct {
					Action struct {
						Type string
						Task struct{ ID, Title string }
					}
				}
			}
			if err := json.Unmarshal(data, &m); err != nil {
				a.hear("", "", string(data))
				return
			}
			a.hear(m.Params.Action.Task.ID, m.Params.Action.Task.Title, m.Params.Action.Type)
		}
	}, nil
}

// newEar opens a connection, and returns once it follows the plan.
func newEar(ctx context.Context, url, plan string) (*ear, error) {
	at := strings.TrimPrefix(url, "http://")
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, err
	}
	e := &ear{conn, bufio.NewReader(conn)}
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

// read gives the next text, and answers pings.
func (e *ear) read() ([]byte, error) {
	for {
		var head [2]byte
		if _, err := io.ReadFull(e.in, head[:]); err != nil {
			return nil, err
		}
		size, more := uint64(head[1]), 0
		switch head[1] {
		case 126:
			more = 2
		case 127:
			more = 8
		}
		if more > 0 {
			var long [8]byte
			if _, err := io.ReadFull(e.in, long[8-more:]); err != nil {
				return nil, err
			}
			size = binary.BigEndian.Uint64(long[:])
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(e.in, data); err != nil {
			return nil, err
		}
		switch head[0] & 0x0f {
		case frameText:
			return data, nil
		case framePing:
			if err := e.write(framePong, data); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("the host closed the connection: %s", data)
		}
	}
}
