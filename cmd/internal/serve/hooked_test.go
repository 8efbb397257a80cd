package serve_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// hears waits for a message that holds all of the parts.
func hears(t *testing.T, conn *websocket.Conn, parts ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var said []string
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			t.Fatalf("%v, and nothing of %q in\n%s", err, parts, strings.Join(said, "\n"))
		}
		said = append(said, string(data))
		missing := 0
		for _, part := range parts {
			if !strings.Contains(string(data), part) {
				missing++
			}
		}
		if missing == 0 {
			return
		}
	}
}

// TestHooksFeedTheTodoCall: what hooks, processes of their own, report of a session
// reaches those who follow it: the session, its title, its turns, and in a turn the
// todo list call of what its harness says of its list.
func TestHooksFeedTheTodoCall(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	hook := toolstest.Again(t, tools.Config{Path: r.dir})
	caller, err := hook.Caller(tools.Who{Person: "claude", Session: "one"})
	if err != nil {
		t.Fatal(err)
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	conn, _ := socket(t, r.url)
	say(t, conn, hello)
	say(t, conn, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"ahp-root://"}}`)

	ok(hook.ReportSession(t.Context(), tools.Session{Session: "one", Title: "Parser"}))
	hears(t, conn, "root/sessionAdded", `"ahp-session:/one"`, `"Parser"`)
	chat := "ahp-chat://default/" + base64.RawURLEncoding.EncodeToString([]byte("ahp-session:/one"))
	ok(conn.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":3,"method":"subscribe","params":{"channel":%q}}`, chat)))
	hears(t, conn, `"id":3`, `"result"`)

	ok(hook.ReportTurn(t.Context(), "one", "/w", "turn-1"))
	hears(t, conn, "chat/turnStarted", "turn-1")
	_, err = hook.PlanUpdate(t.Context(), caller, translate.Update{Session: "one", Tool: "TodoWrite",
		List: []translate.Entry{{Text: "Read", Status: "completed"}, {Text: "Write", Status: "pending"}}})
	ok(err)
	hears(t, conn, "chat/toolCallContentChanged", "turn-1", "- [x] Read", "- [ ] Write")
	ok(hook.ReportTurn(t.Context(), "one", "/w", ""))
	hears(t, conn, "chat/toolCallComplete", "turn-1")
	hears(t, conn, "chat/turnComplete", "turn-1")
	ok(hook.ReportSession(t.Context(), tools.Session{Session: "one", Title: "Lexer"}))
	hears(t, conn, "root/sessionSummaryChanged", `"Lexer"`)
	ok(hook.ReportSession(t.Context(), tools.Session{Session: "one", Ended: true}))
	hears(t, conn, "root/sessionRemoved", `"ahp-session:/one"`)
}
