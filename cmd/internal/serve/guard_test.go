package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// streams opens a client of each era, each with a stream on which it hears of p1.
func streams(t *testing.T, url string) (sessions []*mcp.ClientSession) {
	t.Helper()
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url + "/mcp"},
			&mcp.ClientSessionOptions{ProtocolVersion: era})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "x-ahpd-plans://p1"}); err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, session)
	}
	return sessions
}

// TestA20P27WebPages: whatever a web page can have a browser send gets 403, on
// every route, and changes nothing.
func TestA20P27WebPages(t *testing.T) {
	t.Parallel()
	r := begin(t, users("ana"), nil)
	port := r.url[strings.LastIndex(r.url, ":"):]
	for _, path := range []string{"/mcp", "/ahp", "/healthz", "/", "/records.git/info/refs", "/mcp/../healthz"} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS"} {
			for _, header := range []string{
				"Host: evil.example", "Host: evil.example" + port, "Host: 127.0.0.1.nip.io" + port, "Host: localhost.evil.example",
				"Host: 0.0.0.0" + port, "Host: 192.0.2.1" + port, "Host: [::1]evil", "Host: localhost.", "Host: 127.1",
				"Origin: https://evil.example", "Origin: null", "Origin: http://localhost.evil.example", "Origin: http://localhost:1",
				"Origin: http://127.0.0.1", "Origin: " + r.url + "/", "Origin: file://127.0.0.1" + port, "Origin: ",
				"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
			} {
				status, answer := ask(t, method, r.url+path, addTask, header, "Authorization: Bearer token-of-ana")
				if status != http.StatusForbidden {
					t.Errorf("%s %s with %s is answered %d %s", method, path, header, status, answer)
				}
			}
		}
	}
	if got := repotest.Git(t, r.dir, "for-each-ref"); got != "" {
		t.Errorf("a web page made %s", got)
	}
}

// TestP27OwnNames: the host is reached by the names that are this machine's, from
// its own pages, and never says that others may read an answer.
func TestP27OwnNames(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	port := r.url[strings.LastIndex(r.url, ":"):]
	for _, header := range []string{"Host: localhost", "Host: localhost" + port, "Host: [::1]" + port, "Host: 127.0.0.1", "Origin: " + r.url} {
		if status, answer := ask(t, http.MethodPost, r.url+"/mcp", addTask, header); status != 200 {
			t.Errorf("%s is answered %d %s", header, status, answer)
		}
	}
	for _, body := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"} {
		if status, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, "Content-Type: "+body); status != http.StatusUnsupportedMediaType {
			t.Errorf("a body of %s is answered %d", body, status)
		}
	}
	resp, err := http.Get(r.url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	for name := range resp.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer has %s", name)
		}
	}
	if status, _ := ask(t, http.MethodPost, r.url+"/healthz", ""); status != http.StatusMethodNotAllowed {
		t.Errorf("a POST to /healthz is answered %d", status)
	}
}

// TestNamesOfTheMachine: where others may come in, the host answers to the names
// that it was given and to the address that they came by.
func TestNamesOfTheMachine(t *testing.T) {
	t.Parallel()
	r := begin(t, users("ana"), func(c *serve.Config) { c.Listen, c.Names = "0.0.0.0:0", []string{"desk.example.org"} })
	url := "http://127.0.0.1" + r.url[strings.LastIndex(r.url, ":"):]
	for host, want := range map[string]int{"desk.example.org": 200, "127.0.0.1": 200, "0.0.0.0": 403, "192.0.2.1": 403, "evil.example": 403} {
		if status, _ := ask(t, http.MethodGet, url+"/healthz", "", "Host: "+host); status != want {
			t.Errorf("Host %s is answered %d, want %d", host, status, want)
		}
	}
}

// TestP26NobodyFromElsewhere: on an address that others reach, a call needs the
// token of a user, also from this machine; on this machine's own it needs none.
func TestP26NobodyFromElsewhere(t *testing.T) {
	t.Parallel()
	add := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"A"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for listen, want := range map[string][3]int{ // no token, one that is not known, a user's
		"0.0.0.0:0": {401, 401, 200}, "127.0.0.1:0": {200, 401, 200},
	} {
		r := begin(t, users("ana"), func(c *serve.Config) { c.Listen = listen })
		url := "http://127.0.0.1" + r.url[strings.LastIndex(r.url, ":"):]
		for i, token := range []string{"", "a-guess", "token-of-ana"} {
			head := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: task_add"}
			if token != "" {
				head = append(head, "Authorization: Bearer "+token)
			}
			if status, answer := ask(t, http.MethodPost, url+"/mcp", add, head...); status != want[i] {
				t.Errorf("%s, token %q: %d, want %d: %s", listen, token, status, want[i], answer)
			}
		}
	}
}

// TestP28CallsOfOneUser: a user who calls too often is told so; another one is
// not held up, and a guess of tokens is counted too.
func TestP28CallsOfOneUser(t *testing.T) {
	t.Parallel()
	r := begin(t, users("ana", "bob"), nil)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, token := range []string{"token-of-ana", "a-guess"} {
		refused := ""
		for i := 0; refused == "" && i < 2000; i++ {
			if status, answer := ask(t, http.MethodPost, r.url+"/mcp", ping, "Authorization: Bearer "+token); status == http.StatusTooManyRequests {
				refused = answer
			}
		}
		if want := "Too many requests: one user may call 100 times a second. Try again in a second.\n"; refused != want {
			t.Errorf("%s is answered %q, want %q", token, refused, want)
		}
	}
	if status, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, "Authorization: Bearer token-of-bob"); status != 200 {
		t.Errorf("bob is answered %d", status)
	}
}

// TestP28SlowHeaders: clients that never end a header are let go after five
// seconds, and hold nobody up meanwhile.
func TestP28SlowHeaders(t *testing.T) {
	t.Parallel()
	if os.Getenv("GIT_TASKS_TEST_FULL") == "" {
		t.Skip("it waits five seconds; GIT_TASKS_TEST_FULL=1 runs it")
	}
	r := begin(t, nil, nil)
	slow := make([]net.Conn, 500)
	for i := range slow {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "POST /mcp HTTP/1.1\r\nHost: loc")
		slow[i] = conn
	}
	began := time.Now()
	healthOf(t, r.url)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("beside slow clients /healthz took %v", took)
	}
	for _, conn := range slow {
		conn.SetReadDeadline(began.Add(20 * time.Second))
		if _, err := io.ReadAll(conn); err != nil {
			t.Fatalf("a slow client is still connected: %v", err)
		}
	}
}

// TestP28BodyLimit: a body that is announced or sent longer than the limit ends
// with 413, and the next client is served.
func TestP28BodyLimit(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n")
	go func() {
		for range 100 {
			if _, err := fmt.Fprintf(conn, "10000\r\n%s\r\n", strings.Repeat(" ", 1<<16)); err != nil {
				return
			}
		}
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body without an end is answered %d, %v", resp.StatusCode, err)
	}
	if h := healthOf(t, r.url); h.Started.IsZero() {
		t.Errorf("the health is %+v", h)
	}
}
