package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// raw is a client that writes lines itself.
type raw struct {
	in    io.WriteCloser
	lines *bufio.Scanner
	ended chan error
}

func rawClient(ctx context.Context, s *tools.Store) *raw {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	c := &raw{in: in, lines: bufio.NewScanner(out), ended: make(chan error, 1)}
	c.lines.Buffer(nil, 32<<20)
	go func() { c.ended <- mcpserver.Serve(ctx, s, tools.Who{Person: "ana"}, serverIn, serverOut) }()
	return c
}

func (c *raw) send(t testing.TB, line string) {
	t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (c *raw) next(t testing.TB) string {
	t.Helper()
	if !c.lines.Scan() {
		t.Fatalf("no answer: %v", c.lines.Err())
	}
	return c.lines.Text()
}

const (
	meta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	start = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
)

func TestHostileLines(t *testing.T) {
	t.Parallel()
	c := rawClient(t.Context(), toolstest.New(t))
	c.send(t, start)
	c.next(t)
	for _, line := range []struct{ sent, answer string }{
		{`{`, `-32700`}, {`nonsense`, `-32700`}, {`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, `-32700`},
		{"\x00\xff", `-32700`}, {`null`, `-32600`}, {`5`, `-32600`}, {`[]`, `-32600`}, {`{}`, `-32600`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `-32600`},
		{`{"jsonrpc":"1.0","id":"q","method":"ping"}`, `"id":"q"`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, `-32600`},
		{strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), `-32700`},
		{`{"jsonrpc":"2.0","id":1,"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, `-32600`},
		{strings.Repeat("x", 17<<20), `16 MiB`},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `-32601`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, `-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, `-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, `-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, `unknown tool`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_list","_meta":5}}`, `-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_add"}}`, `title must be a non-empty string.`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_add","arguments":[]}}`, `expected an object.`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_add","arguments":"x"}}`, `expected an object.`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, `error`},
	} {
		c.send(t, line.sent)
		if got := c.next(t); !strings.Contains(got, line.answer) || !json.Valid([]byte(got)) {
			t.Errorf("%.80q was answered %s, want %s in it", line.sent, got, line.answer)
		}
	}
	c.send(t, "\n  \n\r\n"+`{"jsonrpc":"2.0","id":99,"method":"ping"}`+"\r")
	if got := c.next(t); !strings.Contains(got, `"id":99`) || strings.Contains(got, "error") {
		t.Errorf("after all of them a ping is answered %s", got)
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// door lets a test stop a store in the middle of a write.
type door struct {
	shut    atomic.Bool
	reached chan struct{} // once, when a write stands before the door
	open    chan struct{}
}

func (d *door) fault(string, string) error {
	if d.shut.Swap(false) {
		close(d.reached)
		<-d.open
	}
	return nil
}

func stopped(t *testing.T) (*tools.Store, *door) {
	d := &door{reached: make(chan struct{}), open: make(chan struct{})}
	d.shut.Store(true)
	return toolstest.Open(t, tools.Config{Path: repotest.New(t), Fault: d.fault}), d
}

func TestInputClosesInMidCall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(c *raw, cancel func()){
		"closed":    func(c *raw, _ func()) { c.in.Close() },
		"cancelled": func(_ *raw, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d := stopped(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c := rawClient(ctx, s)
			c.send(t, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"A"},`+meta+`}}`)
			<-d.reached
			end(c, cancel)
			close(d.open)
			if got := c.next(t); !strings.Contains(got, "t1 todo medium A") || !strings.Contains(got, `"id":7`) {
				t.Errorf("the call was answered %s", got)
			}
			want := ctx.Err()
			if err := <-c.ended; !errors.Is(err, want) {
				t.Errorf("Serve gave %v, want %v", err, want)
			}
			if c.lines.Scan() {
				t.Errorf("one more line: %s", c.lines.Text())
			}
		})
	}
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	s, d := stopped(t)
	c := rawClient(t.Context(), s)
	add := func(id, title string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"task_add","arguments":{"title":"` + title + `"},` + meta + `}}`
	}
	c.send(t, add("first", "A"))
	<-d.reached
	c.send(t, add("second", "B"))
	c.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"second","reason":"changed my mind",`+meta+`}}`)
	if got := c.next(t); !strings.Contains(got, `"id":"second"`) || strings.Contains(got, "t2") {
		t.Errorf("the cancelled call was answered %s", got)
	}
	close(d.open)
	if got := c.next(t); !strings.Contains(got, "t1 todo medium A") {
		t.Errorf("the first call was answered %s", got)
	}
	c.send(t, add("third", "C"))
	if got := c.next(t); !strings.Contains(got, "t2 todo medium C") {
		t.Errorf("the call after it was answered %s", got)
	}
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestOutputBreaks(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcpserver.Serve(t.Context(), s, tools.Who{}, serverIn, serverOut) }()
	out.Close()
	for range 3 { // the client goes on, deaf
		if _, err := io.WriteString(in, start+"\n"); err != nil {
			break
		}
	}
	in.Close()
	if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Serve gave %v, want the error of the output", err)
	}
}

func TestPanicIsAnswered(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, era := range eras {
		calls := 0
		session := inMemory(t, s, func(*mcp.CallToolRequest) (tools.Caller, error) {
			if calls++; calls == 1 {
				panic("a fault of ours")
			}
			return s.Caller(tools.Who{Person: "ana"})
		}, era)
		got := call(t, session, "task_list", `{}`)
		if !got.IsError || text(t, got) != "task_list failed; the server's log says why." {
			t.Errorf("%s: a panic was answered %q", era, text(t, got))
		}
		if got := text(t, call(t, session, "task_list", `{}`)); got != "No tasks match." {
			t.Errorf("%s: the call after it was answered %q", era, got)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, era := range eras {
		session := pipes(t, s, tools.Who{}, era)
		_, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "task_eat"})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: an unknown tool gave %v", era, err)
		}
		if got := text(t, call(t, session, "plan_list", `{}`)); got != "No plans match." {
			t.Errorf("%s: the call after it was answered %q", era, got)
		}
	}
}

// TestCallerIsRefused: an error of the door is a refusal of that one call.
func TestCallerIsRefused(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	got := call(t, pipes(t, s, tools.Who{Person: "<>"}, "2025-11-25"), "task_list", `{}`)
	if !got.IsError || text(t, got) != "--as must name somebody." {
		t.Errorf("a nameless caller was answered %q", text(t, got))
	}
}
