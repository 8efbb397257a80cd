package ahp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/channel/ahp"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// hosted is a server on the network, with a list of its own.
type hosted struct {
	store *tools.Store
	url   string
	end   func() // of all of it
}

func newHosted(t testing.TB) *hosted {
	t.Helper()
	h := &hosted{store: toolstest.Open(t, tools.Config{Path: repotest.New(t)})}
	ctx, cancel := context.WithCancel(context.Background())
	moved, err := h.store.Moved(ctx)
	if err != nil {
		t.Fatal(err)
	}
	hub, err := channel.NewHub(h.store, moved)
	if err != nil {
		t.Fatal(err)
	}
	server, err := ahp.New(ctx, ahp.Config{Store: h.store, Hub: hub})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server)
	h.url = web.URL
	h.end = sync.OnceFunc(func() {
		cancel()
		web.Close()
		server.Wait()
	})
	t.Cleanup(h.end)
	h.call(t, "plan_create", `{"title":"One","scope":{"kind":"bot","bot":"b"}}`)
	return h
}

func (h *hosted) call(t testing.TB, tool, input string) {
	t.Helper()
	if _, err := tools.Call(context.Background(), h.store, h.store.HostCaller(), tool, json.RawMessage(input)); err != nil {
		t.Fatal(err)
	}
}

// dial opens a connection that follows p1.
func (h *hosted) dial(t testing.TB, client string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), h.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(-1)
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["1.1.0"],"clientId":"` +
		client + `","initialSubscriptions":["x-ahpd-plans://p1"]}}`
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(hello)); err != nil {
		t.Fatal(err)
	}
	if _, data, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(data), `"fromSeq"`) {
		t.Fatalf("initialize is answered %s, %v", data, err)
	}
	return conn
}

// TestP29Disconnects: 500 clients that go while they are sent something leave nothing
// behind. It counts goroutines, so it runs while no other test does.
func TestP29Disconnects(t *testing.T) {
	before := runtime.NumGoroutine()
	h := newHosted(t)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		body := strings.Repeat("x", 4000)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				h.call(t, "task_add", fmt.Sprintf(`{"title":"%d","plan":"p1","body":"%s"}`, i, body))
				h.call(t, "task_set", fmt.Sprintf(`{"task":"t%d","plan":""}`, i+1))
			}
		}
	})
	for wave := range 10 {
		var clients sync.WaitGroup
		for i := range 50 {
			conn := h.dial(t, fmt.Sprint(wave, " ", i))
			clients.Go(func() {
				defer conn.CloseNow()
				if i%2 == 0 { // some have read something, all are being sent more
					conn.Read(t.Context())
				}
			})
		}
		clients.Wait()
	}
	close(stop)
	writing.Wait()
	h.end()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for limit := time.After(20 * time.Second); runtime.NumGoroutine() > before; {
		select {
		case <-tick.C:
		case <-limit:
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left over:\n%s", runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestP29SlowSocket: a client that reads nothing is left behind while another is told
// of every change, and is told why when it reads; it goes on by reconnect.
func TestP29SlowSocket(t *testing.T) {
	t.Parallel()
	h := newHosted(t)
	slow, quick := h.dial(t, "slow"), h.dial(t, "quick")
	body := strings.Repeat("x", 100_000)
	n := 150 // over what the network and the queue hold
	for i := range n {
		h.call(t, "task_add", fmt.Sprintf(`{"title":"%d","plan":"p1","body":"%s"}`, i, body))
		if _, data, err := quick.Read(t.Context()); err != nil || !strings.Contains(string(data), fmt.Sprintf(`"id":"t%d"`, i+1)) {
			t.Fatalf("change %d: %.200s, %v", i+1, data, err)
		}
	}
	var err error
	told := 0
	for ; err == nil && told <= n; told++ {
		if told < n { // else it was told of all, and will hear no more
			_, _, err = slow.Read(t.Context())
		}
	}
	if websocket.CloseStatus(err) != websocket.StatusTryAgainLater || told > n {
		t.Errorf("after %d messages the slow one is told %v", told-1, err)
	}
	again, _, err := websocket.Dial(t.Context(), h.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.CloseNow()
	again.SetReadLimit(-1)
	err = again.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"channel":"ahp-root://",
		"clientId":"slow","lastSeenServerSeq":%d,"subscriptions":["x-ahpd-plans://p1"]}}`, told))
	if err != nil {
		t.Fatal(err)
	}
	_, data, err := again.Read(t.Context())
	if got := strings.Count(string(data), `"x-ahpd-plans/taskAdded"`); err != nil || got != n-told+1 {
		t.Errorf("after %d of %d changes %d were sent again, %v", told-1, n, got, err)
	}
}
