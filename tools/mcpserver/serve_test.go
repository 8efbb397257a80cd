package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// door lets a test stop a store in the middle of a write, or let it fail.
type door struct {
	shut, broken, busy atomic.Bool
	held, open         chan struct{}
}

func newDoor() *door { return &door{held: make(chan struct{}), open: make(chan struct{})} }

func (d *door) fault(string, string) error {
	if d.shut.Swap(false) {
		close(d.held)
		<-d.open
	}
	if d.broken.Load() {
		return errDisk
	}
	if d.busy.Load() {
		return &repo.Error{Kind: repo.Busy, Text: "refs/heads/main was moved by others 64 times in a row"}
	}
	return nil
}

const start = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

func TestOutputBreaks(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.Serve(t.Context(), s, mcpserver.Client{Offered: tools.All()}, serverIn, serverOut)
	}()
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
		session := inMemory(t, s, func(*mcp.RequestExtra, mcp.Meta) (tools.Caller, error) {
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

// TestDeafClientWaits: a client that asks and does not read is not read any further
// than so many calls, and goes on when it reads; each call is answered once.
func TestDeafClientWaits(t *testing.T) {
	t.Parallel()
	const calls, padding = 90, 70 << 10 // more than a reader takes in one go
	synctest.Test(t, func(t *testing.T) {
		s := toolstest.New(t)
		serverIn, in := io.Pipe()
		out, serverOut := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- mcpserver.Serve(t.Context(), s, mcpserver.Client{Offered: tools.All()}, serverIn, serverOut)
		}()
		var said atomic.Int64
		go func() {
			defer in.Close()
			io.WriteString(in, start+"\n")
			for i := range calls {
				fmt.Fprintf(in, `{"jsonrpc":"2.0","id":"call %d","method":"tools/call","params":{"name":"task_list","arguments":{},"_meta":{"x":"%s"}}}`+"\n",
					i, strings.Repeat("x", padding))
				said.Add(1)
			}
		}()
		synctest.Wait()
		if n := said.Load(); n < 60 || n > 70 {
			t.Errorf("%d calls were read of a client that does not read, want about 64", n)
		}
		answered := map[string]int{}
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for len(answered) < calls+1 && lines.Scan() {
			var line struct{ ID any }
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			answered[fmt.Sprint(line.ID)]++
		}
		go io.Copy(io.Discard, out)
		if err := <-ended; err != nil || len(answered) != calls+1 {
			t.Errorf("%d calls were answered, %v", len(answered), err)
		}
	})
}
