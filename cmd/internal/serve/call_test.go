package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestCallIsTheToolsOwn asks the same of a host and of the list itself: answers
// and refusals are the same to the last field, but for the commit.
func TestCallIsTheToolsOwn(t *testing.T) {
	t.Parallel()
	who := tools.Who{Person: "ana", Session: "one", Folder: "/srv/work"}
	r := begin(t, nil, nil)
	alone := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: r.store.Now})
	caller, err := alone.Caller(who)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"plan_create", `{"title":"P","goal":"G","refs":["a"]}`}, {"task_add", `{"title":"A","plan":"p1","labels":["x","y"],"body":"B\n\nC"}`},
		{"task_set", `{"task":"t1","status":"doing"}`}, {"task_list", `{}`}, {"plan_show", `{"plan":"p1"}`}, {"plan_list", `{}`},
		{"task_set", `{"task":"t9"}`}, {"task_set", `{"task":"t1","status":"nope"}`}, {"task_add", `{title:x}`}, {"task_add", "{\"title\":\"\xff\"}"},
		{"task_add", ``}, {"task_add", `{"title":"x","plan":"p9"}`}, {"nope", `{}`}, {"task_list", `{"since":"nope"}`},
	} {
		got, ok, gotErr := serve.Call(t.Context(), r.store, who, "", c[0], []byte(c[1]))
		want, wantErr := tools.Call(t.Context(), alone, caller, c[0], json.RawMessage(c[1]))
		if !ok {
			t.Fatalf("no host makes the call %q", c)
		}
		if (got.Commit == "") != (want.Commit == "") || got.Text != want.Text || wantErr == nil && !alike(t, got.Records, want.Records) {
			t.Errorf("%q gets %+v, want %+v", c, got, want)
		}
		if (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q is refused with %v, want %v", c, gotErr, wantErr)
		}
		if wantErr != nil {
			g, w := tools.AsError(gotErr), tools.AsError(wantErr)
			if g.Code != w.Code || g.Message != w.Message || g.Next != w.Next {
				t.Errorf("%q is refused with %+v, want %+v", c, g, w)
			}
		}
	}
}

// alike compares records by what they are in a document, but for the times that
// two lists have each their own.
func alike(t *testing.T, got, want []any) bool {
	t.Helper()
	plain := func(records []any) (list []map[string]any) {
		text, err := json.Marshal(records)
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			for key, value := range one {
				if stamp, ok := value.(map[string]any); ok && stamp["at"] != nil {
					stamp["at"] = "then"
					one[key] = stamp
				}
			}
		}
		return list
	}
	return reflect.DeepEqual(plain(got), plain(want))
}

// strange is a program at the place of a host's socket, which does whatever it
// is told to with whoever comes.
func strange(t *testing.T, answer func(net.Conn)) *tools.Store {
	t.Helper()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t)})
	if err := os.MkdirAll(s.Side(), 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(s.Side(), "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answer(conn)
			conn.Close()
		}
	}()
	return s
}

// hold takes the lock of a host, as a process that serves the list does.
func hold(t *testing.T, s *tools.Store) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(s.Side(), "host"), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
}

// takeCall says welcome and reads the call, as a host does.
func takeCall(conn net.Conn) {
	lines := bufio.NewReader(conn)
	lines.ReadString('\n')
	conn.Write([]byte("ask\n"))
	lines.ReadString('\n')
}

// TestHostThatIsNone: whoever finds another program there, or a host of another
// version, goes by itself at once.
func TestHostThatIsNone(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(net.Conn){
		"closes": func(net.Conn) {}, "speaks MCP alone": func(c net.Conn) { c.Write([]byte("ok\n")) }, "rambles": func(c net.Conn) { c.Write([]byte("hello")) },
	} {
		s := strange(t, answer)
		hold(t, s)
		if _, ok, err := serve.Call(t.Context(), s, tools.Who{}, "", "task_add", []byte(`{"title":"x"}`)); ok || err != nil {
			t.Errorf("one that %s: %v, %v", name, ok, err)
		}
	}
}

// TestHostGoesInMidCall: what only reads is asked again here; a change is, too,
// where it is certain that it was not made, and else is said to be uncertain.
func TestHostGoesInMidCall(t *testing.T) {
	t.Parallel()
	call := func(s *tools.Store, tool string) (bool, error) {
		_, ok, err := serve.Call(t.Context(), s, tools.Who{}, "", tool, []byte(`{"title":"x"}`))
		return ok, err
	}
	held := strange(t, takeCall)
	hold(t, held)
	if ok, err := call(held, "task_list"); ok || err != nil {
		t.Errorf("a list of a host that went: %v, %v", ok, err)
	}
	if ok, err := call(held, "task_add"); !ok || tools.AsError(err).Code != tools.Unreachable {
		t.Errorf("a change, while somebody holds the list: %v, %v", ok, err)
	}
	killed := strange(t, takeCall)
	if ok, err := call(killed, "task_add"); ok || err != nil {
		t.Errorf("a change that a killed host did not make: %v, %v", ok, err)
	}
	var moved *tools.Store
	moved = strange(t, func(conn net.Conn) {
		takeCall(conn)
		toolstest.Direct(t, toolstest.List{Store: toolstest.Again(t, tools.Config{Path: moved.Dir()})}, tools.Who{}, "task_add", `{"title":"x"}`)
	})
	if ok, err := call(moved, "task_add"); !ok || tools.AsError(err).Code != tools.Unreachable {
		t.Errorf("a change that may have been made: %v, %v", ok, err)
	}
}

// TestP31CallIsCancelled: whoever waits for a host that does not answer can stop
// waiting.
func TestP31CallIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	hangs := strange(t, func(conn net.Conn) {
		takeCall(conn)
		stop()
		<-t.Context().Done()
	})
	hold(t, hangs)
	if _, ok, err := serve.Call(ctx, hangs, tools.Who{}, "", "task_add", []byte(`{"title":"x"}`)); !ok || !errors.Is(err, context.Canceled) {
		t.Errorf("a change at a host that hangs: %v, %v", ok, err)
	}
}
