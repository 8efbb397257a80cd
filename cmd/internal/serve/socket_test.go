package serve_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

const talk = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"by the socket"}}}
`

// TestSocket: a process is served through the host, as whoever it was started
// for, and is answered to the end though it has said all.
func TestSocket(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	who := tools.Who{Person: "ana", Session: "one", Folder: "/srv/work"}
	conn := serve.Dial(toolstest.Again(t, tools.Config{Path: r.dir}), who, "", "")
	if conn == nil {
		t.Fatal("there is no socket")
	}
	var out bytes.Buffer
	if err := serve.Relay(t.Context(), conn, strings.NewReader(talk), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "t1 todo medium by the socket") || strings.Count(got, "\n") != 2 {
		t.Errorf("the host said\n%s", got)
	}
	if by := repotest.Git(t, r.dir, "log", "-1", "--format=%an %(trailers:key=Session,valueonly)", "main"); strings.TrimSpace(by) != "ana ahp-session:/one" {
		t.Errorf("the commit is by %q", by)
	}
}

// TestSocketOffersCore: a process that asks for the core tools is offered those alone.
func TestSocketOffersCore(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	conn := serve.Dial(r.store, tools.Who{Person: "ana"}, serve.CoreTools, "")
	if conn == nil {
		t.Fatal("there is no socket")
	}
	var out bytes.Buffer
	open, _, _ := strings.Cut(talk, `{"jsonrpc":"2.0","id":2`)
	if err := serve.Relay(t.Context(), conn, strings.NewReader(open+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, `"inputSchema"`) != len(serve.Offered(serve.CoreTools)) || strings.Contains(got, `"name":"plan_create"`) || !strings.Contains(got, "todo_write") {
		t.Errorf("the host offers\n%s", got)
	}
}

// TestP26Socket: the socket is its user's alone.
func TestP26Socket(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	info, err := os.Stat(filepath.Join(r.dir, "git-tasks", "socket"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v; want 0600", info.Mode(), err)
	}
}

// TestNoSocketForIt: where no host serves the branch, a process goes by itself.
func TestNoSocketForIt(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	if conn := serve.Dial(toolstest.Again(t, tools.Config{Path: r.dir, Branch: "tasks"}), tools.Who{}, "", ""); conn != nil {
		t.Error("the host of main takes a process of tasks")
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if conn := serve.Dial(r.store, tools.Who{}, "", ""); conn != nil {
		t.Error("a host that has stopped takes a process")
	}
}

// TestHostGoes: a process whose host stops is told, though it has more to say;
// one that says nothing does not hold the host up.
func TestHostGoes(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	silent, err := net.Dial("unix", filepath.Join(r.dir, "git-tasks", "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	conn := serve.Dial(r.store, tools.Who{}, "", "")
	if conn == nil {
		t.Fatal("there is no socket")
	}
	in, _ := io.Pipe()
	relayed := make(chan error, 1)
	go func() { relayed <- serve.Relay(t.Context(), conn, in, io.Discard) }()
	began := time.Now()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 1800*time.Millisecond { // less than it waits for a word
		t.Errorf("the host took %v to stop", took)
	}
	if err := <-relayed; err == nil || err.Error() != "the host has gone" {
		t.Errorf("a process whose host stopped got %v", err)
	}
}
