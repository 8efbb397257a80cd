package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// The parts of a plain call, which the cases change one at a time.
const (
	plainMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"git-tasks/session":"s1"}`
	plainBody = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"A"},"_meta":` + plainMeta + `}}`
)

// said is a request with the headers of a plain call, but for those that are named.
func said(body string, change ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "task_add", headerAs: "ana"} {
		r.Header.Set(name, value)
	}
	for i := 0; i < len(change); i += 2 {
		if r.Header.Del(change[i]); change[i+1] != "" {
			r.Header.Set(change[i], change[i+1])
		}
	}
	return r
}

// swapped is the plain body with one thing in place of another.
func swapped(old, next string) string { return strings.Replace(plainBody, old, next, 1) }

// plainCases are requests, and whether they are answered without the SDK.
var plainCases = []struct {
	name    string
	request func() *http.Request
	plain   bool
}{
	{"plain", func() *http.Request { return said(plainBody) }, true},
	{"white space around it", func() *http.Request { return said(" \n" + plainBody + "\r\n\t") }, true},
	{"an id of text", func() *http.Request { return said(swapped(`"id":7`, `"id":"a<b\"c"`)) }, true},
	{"no client", func() *http.Request {
		return said(swapped(`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},`, ""))
	}, true},
	{"what a client can do", func() *http.Request {
		return said(swapped(`Capabilities":{}`, `Capabilities":{"roots":{"listChanged":true},"elicitation":{},"sampling":{}}`))
	}, true},
	{"accepts in another order", func() *http.Request { return said(plainBody, "Accept", "text/event-stream,application/json") }, true},
	{"a refusal", func() *http.Request { return said(swapped(`{"title":"A"}`, `{"title":"<b>&\u2028"," x":1}`)) }, true},
	{"a title with signs", func() *http.Request { return said(swapped(`{"title":"A"}`, `{"title":"<b> & é"}`)) }, true},
	{"a key twice", func() *http.Request { return said(swapped(`"id":7`, `"id":8,"id":7`)) }, true},
	{"a parameter twice", func() *http.Request {
		return said(swapped(`"name":"task_add"`, `"name":"task_list","name":"task_add"`))
	}, true},
	{"arguments twice", func() *http.Request {
		return said(swapped(`"arguments":{"title":"A"}`, `"arguments":{"title":"B","note":"n"},"arguments":{"title":"A"}`))
	}, true},
	{"an argument twice", func() *http.Request { return said(swapped(`{"title":"A"}`, `{"title":"B","title":"A"}`)) }, true},
	{"a word of the client twice", func() *http.Request {
		return said(swapped(`"git-tasks/session":"s1"`, `"git-tasks/session":"s2","git-tasks/session":"s1"`))
	}, true},
	{"the name in escapes", func() *http.Request { return said(swapped(`"task_add"`, `"task\u005fadd"`)) }, true},
	{"a large id", func() *http.Request { return said(swapped(`"id":7`, `"id":9223372036854775807`)) }, false},
	{"an id that is too large", func() *http.Request { return said(swapped(`"id":7`, `"id":92233720368547758070`)) }, false},
	{"a log level", func() *http.Request {
		return said(swapped(`"git-tasks/session"`, `"io.modelcontextprotocol/logLevel":"debug","git-tasks/session"`))
	}, true},
	{"a progress token", func() *http.Request {
		return said(swapped(`"git-tasks/session"`, `"progressToken":7,"git-tasks/session"`))
	}, true},
	{"a progress token of another form", func() *http.Request {
		return said(swapped(`"git-tasks/session"`, `"progressToken":{},"git-tasks/session"`))
	}, true},
	{"abilities that the SDK knows", func() *http.Request {
		return said(swapped(`Capabilities":{}`, `Capabilities":{"roots":null,"extensions":{"a/b":1},"experimental":[]}`))
	}, false},
	{"a session that is no text", func() *http.Request { return said(swapped(`"s1"`, `1`)) }, true},

	{"nothing", func() *http.Request { return said("") }, false},
	{"no JSON", func() *http.Request { return said(plainBody[1:]) }, false},
	{"two messages", func() *http.Request { return said(plainBody + plainBody) }, false},
	{"a batch", func() *http.Request { return said("[" + plainBody + "]") }, false},
	{"no version of JSON-RPC", func() *http.Request { return said(swapped(`"jsonrpc":"2.0",`, "")) }, false},
	{"another version of JSON-RPC", func() *http.Request { return said(swapped(`"2.0"`, `"1.0"`)) }, false},
	{"a notification", func() *http.Request { return said(swapped(`"id":7,`, "")) }, false},
	{"an id that is null", func() *http.Request { return said(swapped(`"id":7`, `"id":null`)) }, false},
	{"an id that is no whole number", func() *http.Request { return said(swapped(`"id":7`, `"id":7.5`)) }, false},
	{"another method", func() *http.Request { return said(swapped(`tools/call`, `tools/list`)) }, false},
	{"one key more", func() *http.Request { return said(swapped(`"id":7`, `"id":7,"result":{}`)) }, false},
	{"one parameter more", func() *http.Request {
		return said(swapped(`"name":"task_add"`, `"name":"task_add","requestState":"x"`))
	}, false},
	{"a key in other letters", func() *http.Request { return said(swapped(`"params"`, `"Params"`)) }, false},
	{"no arguments", func() *http.Request { return said(swapped(`"arguments":{"title":"A"},`, "")) }, false},
	{"arguments that are null", func() *http.Request { return said(swapped(`{"title":"A"}`, `null`)) }, false},
	{"arguments that are a list", func() *http.Request { return said(swapped(`{"title":"A"}`, `["A"]`)) }, false},
	{"a tool that is unknown", func() *http.Request { return said(swapped(`"task_add"`, `"task_none"`), "Mcp-Name", "task_none") }, false},
	{"another tool in the header", func() *http.Request { return said(plainBody, "Mcp-Name", "task_list") }, false},
	{"no tool in the header", func() *http.Request { return said(plainBody, "Mcp-Name", "") }, false},
	{"another method in the header", func() *http.Request { return said(plainBody, "Mcp-Method", "tools/list") }, false},
	{"no method in the header", func() *http.Request { return said(plainBody, "Mcp-Method", "") }, false},
	{"another version in the header", func() *http.Request { return said(plainBody, "Mcp-Protocol-Version", "2027-01-01") }, false},
	{"another version in the body", func() *http.Request { return said(swapped("2026-07-28", "2026-07-29")) }, false},
	{"no version in the body", func() *http.Request {
		return said(swapped(`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, ""))
	}, false},
	{"no abilities", func() *http.Request { return said(swapped(`"io.modelcontextprotocol/clientCapabilities":{},`, "")) }, false},
	{"abilities that are null", func() *http.Request { return said(swapped(`Capabilities":{}`, `Capabilities":null`)) }, false},
	{"abilities of another form", func() *http.Request {
		return said(swapped(`Capabilities":{}`, `Capabilities":{"roots":{"listChanged":1}}`))
	}, false},
	{"a client of another form", func() *http.Request { return said(swapped(`"version":"1"`, `"version":1`)) }, false},
	{"a client that is null", func() *http.Request { return said(swapped(`{"name":"x","version":"1"}`, `null`)) }, false},
	{"no UTF-8", func() *http.Request { return said(swapped(`"A"`, "\"A\xff\"")) }, false},
	{"too deep", func() *http.Request {
		return said(swapped(`"A"`, strings.Repeat("[", 1001)+strings.Repeat("]", 1001)))
	}, false},
	{"another type", func() *http.Request { return said(plainBody, "Content-Type", "text/plain") }, false},
	{"accepts no stream", func() *http.Request { return said(plainBody, "Accept", "application/json") }, false},
	{"goes on with a stream", func() *http.Request { return said(plainBody, "Last-Event-ID", "1") }, false},
	{"a name that is not this host's", func() *http.Request {
		r := said(plainBody)
		return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, loopbackAddr{}))
	}, false},
}

// loopbackAddr is where a host listens that is reached from its own machine alone.
type loopbackAddr struct{}

func (loopbackAddr) Network() string { return "tcp" }
func (loopbackAddr) String() string  { return "127.0.0.1:7433" }

// TestPlain answers requests as the SDK answers them, to the byte: those that are
// plain without it, and no others.
func TestPlain(t *testing.T) {
	t.Parallel()
	for _, c := range plainCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, plain := answerTo(t, c.request(), false)
			want, _ := answerTo(t, c.request(), true)
			if got != want {
				t.Errorf("answered %s\nby the SDK %s", got, want)
			}
			if plain != c.plain {
				t.Errorf("answered without the SDK is %v, want %v", plain, c.plain)
			}
		})
	}
}

// answerTo gives the answer to a request of a host with an empty list, and whether
// it came without the SDK.
func answerTo(t *testing.T, r *http.Request, bySDK bool) (answer string, plain bool) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	at := time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)
	h := Handler(ctx, toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: func() time.Time { return at }})).(*web)
	for name, call := range h.calls {
		h.calls[name] = func(ctx context.Context, req *mcp.CallToolRequest) *mcp.CallToolResult {
			plain = true
			return call(ctx, req)
		}
	}
	if bySDK {
		h.calls = nil
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var b strings.Builder
	fmt.Fprintln(&b, w.Code)
	w.Header().Write(&b)
	b.Write(w.Body.Bytes())
	return b.String(), plain
}

// TestPlainSchemas: the SDK holds arguments to headers where a schema says so, and
// plain calls would pass by that.
func TestPlainSchemas(t *testing.T) {
	for _, tool := range tools.All() {
		if schema, err := json.Marshal(tool.Schema()); err != nil || strings.Contains(string(schema), "x-mcp-header") {
			t.Errorf("%s: %v, or its schema names headers", tool.Name, err)
		}
	}
}
