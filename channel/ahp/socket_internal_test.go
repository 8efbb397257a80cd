package ahp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// newSocketPair gives both ends of a WebSocket: ours, which hears what the client
// sends, and the client's.
func newSocketPair(t *testing.T) (ours *socket, client *websocket.Conn) {
	t.Helper()
	made, done := make(chan *socket), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := newSocket(w, r)
		if err != nil {
			t.Error(err)
			close(made)
			return
		}
		made <- s
		for err == nil {
			_, err = s.Read()
		}
		<-done
	}))
	t.Cleanup(web.Close)
	t.Cleanup(func() { close(done) })
	client, _, err := websocket.Dial(t.Context(), web.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.CloseNow() })
	client.SetReadLimit(-1)
	if ours = <-made; ours == nil {
		t.FailNow()
	}
	t.Cleanup(ours.gone)
	return ours, client
}

// TestTextsOfAnyLength are whole messages to a client, pings and the end between them.
func TestTextsOfAnyLength(t *testing.T) {
	t.Parallel()
	ours, client := newSocketPair(t)
	lengths := []int{2, 125, 126, 127, 1<<16 - 1, 1 << 16, 1<<20 + 7}
	go func() {
		for _, n := range lengths {
			one, err := encode(strings.Repeat("x", n-2))
			if err == nil {
				err = ours.Write(one)
			}
			if err == nil {
				err = ours.Ping(t.Context())
			}
			if err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
		ours.Close(closePolicy, "that is all")
		if one, err := encode("more"); err != nil || !errors.Is(ours.Write(one), net.ErrClosed) {
			t.Error("something was sent after the end")
		}
	}()
	for _, n := range lengths {
		kind, data, err := client.Read(t.Context())
		if want := `"` + strings.Repeat("x", n-2) + `"`; err != nil || kind != websocket.MessageText || string(data) != want {
			t.Fatalf("%d bytes come as %d of %v, %v", n, len(data), kind, err)
		}
	}
	_, _, err := client.Read(t.Context())
	if websocket.CloseStatus(err) != closePolicy || !strings.Contains(err.Error(), "that is all") {
		t.Errorf("the end is %v", err)
	}
}

// TestAWriteThatWaits for its client holds a ping back, which gives up alone, and is
// ended by a cut; a cut of nothing ends nothing.
func TestAWriteThatWaits(t *testing.T) {
	t.Parallel()
	ours, client := newSocketPair(t)
	ours.Cut()
	large := finish(append(begin(0), make([]byte, 32<<20)...)) // more than the network holds
	written := make(chan error)
	go func() { written <- ours.Write(large) }()
	_, part, err := client.Reader(t.Context()) // it is being written
	if err != nil {
		t.Fatal(err)
	}
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ours.Ping(now); !errors.Is(err, context.Canceled) {
		t.Errorf("a ping behind it gives %v", err)
	}
	if _, err := part.Read(make([]byte, 1000)); err != nil {
		t.Errorf("the ping ended the message: %v", err)
	}
	ours.Cut()
	if err := <-written; !errors.Is(err, net.ErrClosed) {
		t.Errorf("a write that was cut gives %v", err)
	}
}
