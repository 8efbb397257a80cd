package mcpserver_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// hosted serves a store over HTTP until the test ends.
func hosted(t testing.TB, s *tools.Store) string {
	t.Helper()
	return hostedBehind(t, s, func(h http.Handler) http.Handler { return h })
}

// hostedBehind is hosted, with something in front that sees each request.
func hostedBehind(t testing.TB, s *tools.Store, front func(http.Handler) http.Handler) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(front(mcpserver.Handler(ctx, s)))
	t.Cleanup(func() {
		cancel()
		server.Close()
	})
	return server.URL
}

// spoken is a client of HTTP that sends headers of its own.
type spoken http.Header

func (h spoken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range h {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}

func headers(pairs ...string) spoken {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			h.Set(pairs[i], pairs[i+1])
		}
	}
	return spoken(h)
}

// dial connects the official client over HTTP.
func dial(t testing.TB, url, era string, h spoken) *mcp.ClientSession {
	t.Helper()
	session := client(t, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: h}}, era)
	t.Cleanup(func() { session.Close() })
	return session
}

// withTokens is a directory in which each user has a token, and so has mia, who
// has no role.
func withTokens(st *tools.Settings) *tools.Settings {
	if st == nil || len(st.Users) == 0 {
		return st
	}
	with := *st
	with.Users = append(slices.Clone(st.Users), tools.User{ID: "mia"})
	for i := range with.Users {
		with.Users[i].Token = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(tokenOf(with.Users[i].ID))))
	}
	return &with
}

func tokenOf(person string) string { return "the-token-of-" + person }

// TestCasesOverHTTP plays the cases that tell who is behind a call over HTTP:
// by token with a user directory, by header without one.
func TestCasesOverHTTP(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		for _, c := range toolstest.Cases() {
			number, _, _ := strings.Cut(c.Name, " ")
			if n, err := strconv.Atoi(number); err != nil || n < 56 || n > 70 {
				continue
			}
			c.Settings = withTokens(c.Settings)
			t.Run(era+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				url := ""
				f := front{era: era, sessions: map[tools.Who]*mcp.ClientSession{}, connect: func(s *tools.Store, who tools.Who) *mcp.ClientSession {
					if url == "" {
						url = hosted(t, s)
					}
					named, authorized := who.Person, ""
					if len(s.Settings().Users) > 0 {
						named = "somebody else" // says nothing where there is a directory
						if who.Person != "" {
							authorized = "Bearer " + tokenOf(who.Person)
						}
					}
					return dial(t, url, era, headers("Git-Tasks-As", named, "Authorization", authorized,
						"Git-Tasks-Session", who.Session, "Git-Tasks-Folder", who.Folder))
				}}
				toolstest.Play(t, c, f.call, false)
			})
		}
	}
}

// TestErasOverHTTP: clients of every version meet at one URL; the old have a
// session, the new have none, and none falls back.
func TestErasOverHTTP(t *testing.T) {
	t.Parallel()
	url := hosted(t, toolstest.New(t))
	for i, era := range versions {
		session := dial(t, url, era, headers("Git-Tasks-As", "ana"))
		if got := session.InitializeResult().ProtocolVersion; got != era {
			t.Errorf("a client of %s speaks %s", era, got)
		}
		if has := session.ID() != ""; has != (era < "2026") {
			t.Errorf("%s: a session is %v", era, has)
		}
		want := fmt.Sprintf("t%d todo medium A", i+1)
		if got := text(t, call(t, session, "task_add", `{"title":"A"}`)); got != want {
			t.Errorf("%s: %q, want %q", era, got, want)
		}
	}
}

// TestCallSaysItsSession: what stands in a call's _meta goes before the header.
func TestCallSaysItsSession(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		session := dial(t, hosted(t, toolstest.New(t)), era,
			headers("Git-Tasks-As", "ana", "Git-Tasks-Session", "one", "Git-Tasks-Folder", "/one"))
		for _, c := range []struct {
			meta mcp.Meta
			want string
		}{
			{nil, "ahp-session:/one /one"},
			{mcp.Meta{"git-tasks/session": "two"}, "ahp-session:/two /one"},
			{mcp.Meta{"git-tasks/folder": "/two"}, "ahp-session:/one /two"},
			{mcp.Meta{"git-tasks/folder": "", "git-tasks/session": ""}, " "},
			{mcp.Meta{"git-tasks/session": 2}, "_meta git-tasks/session must be a string."},
		} {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Meta: c.meta, Name: "task_add",
				Arguments: json.RawMessage(`{"title":"A"}`)})
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Records []struct{ Session, Folder string }
				Error   struct{ Message string }
			}
			decode(t, result, &got)
			said := got.Error.Message
			if len(got.Records) == 1 {
				said = got.Records[0].Session + " " + got.Records[0].Folder
			}
			if said != c.want {
				t.Errorf("%s %v: %q, want %q", era, c.meta, said, c.want)
			}
		}
	}
}

// post sends a message by hand.
func post(t testing.TB, url, body string, h spoken) (status int, header http.Header, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := (&http.Client{Transport: h}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(data)
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	url := hosted(t, toolstest.New(t))
	for _, era := range eras {
		status, _, _ := post(t, url, start+strings.Repeat(" ", 4<<20), headers("Mcp-Protocol-Version", era))
		if status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: a body that is too long is answered %d", era, status)
		}
	}
}

// TestP28Depth: a body that is nested too deep does not take the process down.
func TestP28Depth(t *testing.T) {
	t.Parallel()
	url := hosted(t, toolstest.New(t))
	deep := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_list","arguments":` +
		strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + `}}`
	for _, era := range eras {
		status, _, answer := post(t, url, deep, headers("Mcp-Protocol-Version", era))
		if status != http.StatusBadRequest || !strings.Contains(answer, "must be one JSON-RPC message") {
			t.Errorf("%s: %d %.200s", era, status, answer)
		}
	}
}

// TestSessionIsItsUsers: a session that ana's token opened is not bob's.
func TestSessionIsItsUsers(t *testing.T) {
	t.Parallel()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t),
		Settings: withTokens(&tools.Settings{Users: []tools.User{{ID: "ana"}, {ID: "bob"}}})})
	url := hosted(t, s)
	session := dial(t, url, "2025-11-25", headers("Authorization", "Bearer "+tokenOf("ana")))
	for authorization, want := range map[string]int{"Bearer " + tokenOf("bob"): 403, "": 403, "Bearer " + tokenOf("eve"): 401} {
		h := headers("Mcp-Session-Id", session.ID(), "Mcp-Protocol-Version", "2025-11-25", "Authorization", authorization)
		if status, _, _ := post(t, url, `{"jsonrpc":"2.0","id":7,"method":"ping"}`, h); status != want {
			t.Errorf("%q in the session of ana is answered %d, want %d", authorization, status, want)
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete} { // her stream, and its end
			req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept", "text/event-stream")
			req.Header.Set("Last-Event-ID", "_0")
			resp, err := (&http.Client{Transport: h}).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Body.Close(); resp.StatusCode != want {
				t.Errorf("%s by %q of the session of ana is answered %d, want %d", method, authorization, resp.StatusCode, want)
			}
		}
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Errorf("the session of ana has gone: %v", err)
	}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// TestP25TokenAppearsNowhere: a token, right or wrong, is in no answer and in no
// log, wherever a client puts it.
func TestP25TokenAppearsNowhere(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir,
		Settings: withTokens(&tools.Settings{Users: []tools.User{{ID: "ana"}}}),
		Log:      slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	url := hosted(t, s)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_list","arguments":{},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`
	const wrong = "canary-5f1c"
	for _, c := range []struct {
		query, authorization string
		status               int
	}{
		{"", "Bearer " + tokenOf("ana"), 200},
		{"", "bearer  " + tokenOf("ana"), 200},
		{"", "Bearer " + wrong, 401},
		{"", "Basic " + wrong, 401},
		{"", wrong, 401},
		{"", "Bearer " + wrong + " " + tokenOf("ana"), 401},
		{"?token=" + wrong, "", 200},
		{"/" + wrong, "", 200},
	} {
		status, header, answer := post(t, url+c.query, list, headers("Authorization", c.authorization,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "task_list"))
		if status != c.status {
			t.Errorf("%s %q is answered %d, want %d: %s", c.query, c.authorization, status, c.status, answer)
		}
		if want := header.Get("WWW-Authenticate") == `Bearer realm="tasks"`; want != (status == 401) {
			t.Errorf("%q: WWW-Authenticate is %q", c.authorization, header["Www-Authenticate"])
		}
		for _, token := range []string{wrong, tokenOf("ana")} {
			if said := fmt.Sprint(header, answer, log.String()); strings.Contains(said, token) {
				t.Errorf("%s %q: a token is in what the server says: %s", c.query, c.authorization, said)
			}
		}
	}
	if !strings.Contains(log.String(), "a token was refused") {
		t.Errorf("the log says nothing of a refusal: %s", log.String())
	}
}

// TestEndClosesStreams: clients of both eras hold a stream; when the host ends,
// they do not hold it up, and a new request is refused.
func TestEndClosesStreams(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(mcpserver.Handler(ctx, toolstest.New(t)))
	for _, era := range eras {
		call(t, dial(t, server.URL, era, headers("Git-Tasks-As", "ana")), "task_list", `{}`)
	}
	cancel()
	if status, _, answer := post(t, server.URL, start, nil); status != http.StatusServiceUnavailable {
		t.Errorf("a request after the end is answered %d %s", status, answer)
	}
	server.Close() // waits for every stream
}
