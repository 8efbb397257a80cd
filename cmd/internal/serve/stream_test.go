package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

const (
	opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	listen  = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["x-ahpd-plans://p1"]},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`
)

// send makes a request whose answer is read by the test, with a header a
// "Name: value" each.
func send(t *testing.T, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append([]string{"Content-Type: application/json", "Accept: application/json, text/event-stream"}, headers...) {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// session opens a session and gives its id.
func session(t *testing.T, r *running, token string) string {
	t.Helper()
	resp := send(t, http.MethodPost, r.url+"/mcp", opening, "Authorization: Bearer "+token)
	id := resp.Header.Get("Mcp-Session-Id")
	io.Copy(io.Discard, resp.Body)
	if id == "" {
		t.Fatalf("no session was opened: %s", resp.Status)
	}
	send(t, http.MethodPost, r.url+"/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"Authorization: Bearer "+token, "Mcp-Session-Id: "+id, "Mcp-Protocol-Version: 2025-11-25")
	return id
}

// TestP28SessionsOfOneUser: of more sessions than one user may have the least used
// ends; nobody else's does.
func TestP28SessionsOfOneUser(t *testing.T) {
	t.Parallel()
	r := begin(t, users("ana", "bob"), nil)
	of := map[string][]string{"bob": {session(t, r, "token-of-bob")}}
	status := func(person, id string) int {
		t.Helper()
		return send(t, http.MethodPost, r.url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			"Authorization: Bearer token-of-"+person, "Mcp-Session-Id: "+id, "Mcp-Protocol-Version: 2025-11-25").StatusCode
	}
	throttle := time.NewTicker(15 * time.Millisecond) // two calls a session, and a hundred a second
	defer throttle.Stop()
	for i := range 66 {
		of["ana"] = append(of["ana"], session(t, r, "token-of-ana"))
		if i < 65 && status("ana", of["ana"][0]) != http.StatusOK { // it is used, and stays
			t.Fatalf("the first session has gone with the %dth", i+1)
		}
		<-throttle.C
		<-throttle.C
		<-throttle.C
	}
	for i, want := range map[int]int{0: 200, 1: 404, 2: 404, 3: 200, 65: 200} {
		if got := status("ana", of["ana"][i]); got != want {
			t.Errorf("session %d of ana is answered %d, want %d", i, got, want)
		}
	}
	if got := status("bob", of["bob"][0]); got != 200 {
		t.Errorf("the session of bob is answered %d", got)
	}
}

// TestP28StreamsOfOneUser: a user holds sixteen streams, and is told of the next;
// another one is not.
func TestP28StreamsOfOneUser(t *testing.T) {
	t.Parallel()
	st := users("ana", "bob")
	st.Roles = map[string][]string{"viewer": {"session:read"}}
	for i := range st.Users {
		st.Users[i].Roles = []string{"viewer"}
	}
	r := begin(t, st, nil)
	toolstest.Direct(t, toolstest.List{Store: r.store}, tools.Who{Person: "ana", Folder: "/srv"}, "plan_create", `{"title":"P"}`)
	open := func(person string) *http.Response {
		return send(t, http.MethodPost, r.url+"/mcp", listen, "Authorization: Bearer token-of-"+person,
			"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")
	}
	for i := range 16 {
		if resp := open("ana"); resp.StatusCode != 200 {
			t.Fatalf("stream %d is answered %s", i+1, resp.Status)
		}
	}
	resp := open("ana")
	said, _ := io.ReadAll(resp.Body)
	if want := "Too many requests: at most 16 streams may be open at once. Try again in a second.\n"; resp.StatusCode != 429 || string(said) != want {
		t.Errorf("one more is answered %s %q, want %q", resp.Status, said, want)
	}
	if resp := open("bob"); resp.StatusCode != 200 {
		t.Errorf("a stream of bob is answered %s", resp.Status)
	}
}

// TestP28RevokedStreamsEnd: when new settings take a user's token or grant away,
// what the user holds open ends, in either era; what others hold does not.
func TestP28RevokedStreamsEnd(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	write := func(users ...string) {
		text := `{"roles": {"viewer": ["session:read"]}, "users": [` + strings.Join(users, ", ") + `]}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	user := func(id, roles string) string {
		return fmt.Sprintf(`{"id": %q, "roles": [%s], "token": %q}`, id, roles, digestOf("token-of-"+id))
	}
	write(user("ana", `"viewer"`), user("bob", `"viewer"`), user("eve", `"viewer"`))
	st, err := tools.LoadSettings(file)
	if err != nil {
		t.Fatal(err)
	}
	hang := make(chan os.Signal)
	r := begin(t, st, func(c *serve.Config) {
		c.Reload, c.Settings = hang, func() (*tools.Settings, error) { return tools.LoadSettings(file) }
	})
	toolstest.Direct(t, toolstest.List{Store: r.store}, tools.Who{Person: "ana", Folder: "/srv"}, "plan_create", `{"title":"P"}`)
	streams := map[string]*bufio.Reader{}
	ids := map[string]string{}
	for _, person := range []string{"ana", "bob", "eve"} {
		token := "token-of-" + person
		ids[person] = session(t, r, token)
		old := []string{"Authorization: Bearer " + token, "Mcp-Session-Id: " + ids[person], "Mcp-Protocol-Version: 2025-11-25"}
		got := send(t, http.MethodGet, r.url+"/mcp", "", old...)
		streams[person+" with a session"] = bufio.NewReader(got.Body)
		subscribed := send(t, http.MethodPost, r.url+"/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x-ahpd-plans://p1"}}`, old...)
		io.Copy(io.Discard, subscribed.Body)
		got = send(t, http.MethodPost, r.url+"/mcp", listen, "Authorization: Bearer "+token,
			"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")
		stream := bufio.NewReader(got.Body)
		for said := ""; !strings.Contains(said, "acknowledged"); {
			if said, err = stream.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		streams[person+" without"] = stream
	}
	write(user("bob", `"viewer"`), user("eve", "")) // ana has gone, eve may not read any more
	hang <- syscall.SIGHUP
	r.log.await(t, "read again")
	toolstest.Direct(t, toolstest.List{Store: r.store}, tools.Who{Person: "bob", Folder: "/srv"}, "task_add", `{"title":"A","plan":"p1"}`)
	for name, stream := range streams {
		if !strings.HasPrefix(name, "bob") {
			if _, err := io.ReadAll(stream); err != nil { // it may have heard of the plan before
				t.Errorf("the stream of %s does not end: %v", name, err)
			}
			continue
		}
		for heard := false; !heard; {
			line, err := stream.ReadString('\n')
			if err != nil {
				t.Fatalf("the stream of %s ended: %v", name, err)
			}
			heard = strings.Contains(line, "resources/updated")
		}
	}
	for person, want := range map[string]int{"ana": 401, "bob": 200, "eve": 404} {
		resp := send(t, http.MethodPost, r.url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			"Authorization: Bearer token-of-"+person, "Mcp-Session-Id: "+ids[person], "Mcp-Protocol-Version: 2025-11-25")
		if resp.StatusCode != want {
			t.Errorf("the session of %s is answered %s, want %d", person, resp.Status, want)
		}
	}
}
