package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
)

// socket opens a WebSocket at a host, with headers such as "Origin: x", and gives
// the status that it was refused with.
func socket(t *testing.T, url string, headers ...string) (*websocket.Conn, int) {
	t.Helper()
	h, host := http.Header{}, ""
	for _, one := range headers {
		name, value, _ := strings.Cut(one, ": ")
		if name == "Host" {
			host = value
		} else {
			h.Set(name, value)
		}
	}
	conn, resp, err := websocket.Dial(t.Context(), url+"/ahp", &websocket.DialOptions{HTTPHeader: h, Host: host})
	if err != nil {
		if resp == nil {
			t.Fatal(err)
		}
		return nil, resp.StatusCode
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { conn.CloseNow() })
	return conn, resp.StatusCode
}

// say sends a message, and gives the next one that comes.
func say(t *testing.T, conn *websocket.Conn, message string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
	_, data, err := conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["1.1.0"],"clientId":"me"}}`

func subscribe(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"x-ahpd-plans://p%d"}}`, n)
}

// closing gives the code and the reason that a connection is closed with.
func closing(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return err.Error()
		}
	}
}

// TestP27WebPagesOpenNoSocket: a page opens no WebSocket, by another origin or by a
// name of its own, whatever token it has; nothing but a WebSocket is answered there.
func TestP27WebPagesOpenNoSocket(t *testing.T) {
	t.Parallel()
	r := begin(t, users("ana"), nil)
	port := r.url[strings.LastIndex(r.url, ":"):]
	for _, header := range []string{
		"Origin: https://evil.example", "Origin: null", "Origin: http://localhost.evil.example" + port, "Origin: http://localhost" + port,
		"Origin: ws://127.0.0.1" + port, "Host: evil.example" + port, "Host: localhost.", "Sec-Fetch-Site: cross-site",
	} {
		if _, status := socket(t, r.url, header, "Authorization: Bearer token-of-ana"); status != http.StatusForbidden {
			t.Errorf("a WebSocket with %s is answered %d", header, status)
		}
	}
	if conn, status := socket(t, r.url, "Origin: "+r.url, "Authorization: Bearer token-of-ana"); conn == nil {
		t.Errorf("one of our own origin is answered %d", status)
	}
	if _, status := socket(t, r.url, "Authorization: Bearer wrong"); status != http.StatusUnauthorized {
		t.Errorf("one with a wrong token is answered %d", status)
	}
	for _, method := range []string{"GET", "POST"} {
		if status, answer := ask(t, method, r.url+"/ahp", "", "Authorization: Bearer token-of-ana"); status != http.StatusUpgradeRequired {
			t.Errorf("%s without an upgrade is answered %d %s", method, status, answer)
		}
	}
}

// TestP28Channels: one user holds 16 connections, one connection follows 64 channels,
// takes frames of 1 MiB, and a user calls 100 times a second, on however many
// connections; another user is not held up.
func TestP28Channels(t *testing.T) {
	t.Parallel()
	st := users("ana", "bob")
	st.Roles = map[string][]string{"reader": {"session:read"}}
	for i := range st.Users {
		st.Users[i].Roles = []string{"reader"}
	}
	r := begin(t, st, nil)
	for i := range 65 {
		input := fmt.Sprintf(`{"title":"%d","scope":{"kind":"bot","bot":"b"}}`, i)
		if _, err := tools.Call(t.Context(), r.store, r.store.HostCaller(), "plan_create", json.RawMessage(input)); err != nil {
			t.Fatal(err)
		}
	}
	var conns []*websocket.Conn
	for range 16 {
		conn, status := socket(t, r.url, "Authorization: Bearer token-of-ana")
		if conn == nil {
			t.Fatalf("a connection is answered %d", status)
		}
		conns = append(conns, conn)
	}
	if _, status := socket(t, r.url, "Authorization: Bearer token-of-ana"); status != tools.Busy.Status() {
		t.Errorf("the seventeenth connection is answered %d", status)
	}
	bob, _ := socket(t, r.url, "Authorization: Bearer token-of-bob")
	say(t, bob, hello)
	for i := range 65 {
		answer := say(t, bob, subscribe(i+1))
		if full := strings.Contains(answer, "follows at most 64 channels"); full != (i == 64) || !full && !strings.Contains(answer, `"fromSeq"`) {
			t.Errorf("subscription %d is answered %s", i+1, answer)
		}
	}
	refused := false
	for i := 0; !refused && i < 500; i++ { // 16 calls at a time
		for _, conn := range conns {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(hello)); err != nil {
				t.Fatal(err)
			}
		}
		for _, conn := range conns {
			_, data, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			refused = refused || strings.Contains(string(data), "one user may call 100 times a second")
		}
	}
	if !refused {
		t.Error("8000 calls were all answered")
	}
	if answer := say(t, bob, subscribe(1)); !strings.Contains(answer, `"fromSeq"`) {
		t.Errorf("another user is answered %s", answer)
	}
	big := `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"channel":"ahp-root://","_meta":{"x":"` + strings.Repeat("x", 1<<20) + `"}}}`
	if err := bob.Write(t.Context(), websocket.MessageText, []byte(big)); err != nil {
		t.Fatal(err)
	}
	if why := closing(t, bob); !strings.Contains(why, "StatusMessageTooBig") {
		t.Errorf("a frame of over 1 MiB is answered with %s", why)
	}
}

// TestChannelsEnd: a client is told that the settings changed what it may do, and
// that the host stops, within its second.
func TestChannelsEnd(t *testing.T) {
	t.Parallel()
	st := users("ana", "bob")
	reload := make(chan os.Signal)
	r := begin(t, st, func(cfg *serve.Config) {
		cfg.Reload, cfg.Settings = reload, func() (*tools.Settings, error) { return users("bob"), nil }
	})
	ana, _ := socket(t, r.url, "Authorization: Bearer token-of-ana")
	bob, _ := socket(t, r.url, "Authorization: Bearer token-of-bob")
	nobody, _ := socket(t, r.url)
	for _, conn := range []*websocket.Conn{ana, bob, nobody} {
		say(t, conn, hello)
	}
	reload <- os.Interrupt
	if why := closing(t, ana); !strings.Contains(why, "what you may do here has changed") {
		t.Errorf("ana is told %s", why)
	}
	start := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- r.stop() }()
	for name, conn := range map[string]*websocket.Conn{"bob": bob, "nobody": nobody} {
		if why := closing(t, conn); !strings.Contains(why, "the host is stopping") {
			t.Errorf("%s is told %s", name, why)
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	t.Logf("it stopped in %v", time.Since(start))
}

// sayTokens puts tokens wherever a client of a WebSocket can, but where what it says
// is to be said back, and gives all answers.
func sayTokens(t *testing.T, url, right, wrong string) (said string) {
	t.Helper()
	for _, header := range []string{"Authorization: Bearer " + wrong, "Authorization: " + wrong, "Cookie: token=" + right} {
		if conn, status := socket(t, url, header); conn != nil {
			said += say(t, conn, hello)
		} else if status != http.StatusUnauthorized {
			t.Errorf("a WebSocket is answered %d", status)
		}
	}
	conn, _ := socket(t, url)
	authenticate := `{"jsonrpc":"2.0","id":1,"method":"authenticate","params":{"channel":"ahp-root://","resource":"x-git-tasks://list","token":"TOKEN"}}`
	for _, message := range []string{
		hello, strings.Replace(authenticate, "TOKEN", wrong, 1), strings.Replace(authenticate, "TOKEN", right, 1),
		strings.Replace(authenticate, "x-git-tasks://list", right, 1), strings.Replace(authenticate, `"TOKEN"`, `["`+right+`"]`, 1),
		`{"jsonrpc":"2.0","id":2,"method":"` + right + `","params":{"channel":"ahp-root://"}}`, `{"jsonrpc":"2.0","id":["` + right + `"]}`,
		`{"jsonrpc":"2.0","id":3,"method":"listSessions","params":{"channel":"ahp-root://","cursor":"` + right + `"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"channel":"` + right + `"}}`, right,
	} {
		said += say(t, conn, message)
	}
	if strings.Count(said, `"result":{}`) != 1 {
		t.Errorf("not one token was taken: %s", said)
	}
	return said
}
