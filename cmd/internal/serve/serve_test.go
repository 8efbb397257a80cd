package serve_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// log is what a host said, and wakes whoever waits for a word of it.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newLog() *log { return &log{more: make(chan struct{}, 1)} }

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until the log holds a text.
func (l *log) await(t *testing.T, text string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !strings.Contains(l.String(), text) {
		select {
		case <-l.more:
		case <-limit:
			t.Fatalf("the log never said %q:\n%s", text, l)
		}
	}
}

// running is a host that answers.
type running struct {
	url   string
	dir   string
	store *tools.Store
	log   *log
	stop  func() error // and what Run gave
}

// begin starts a host on a list of its own; when the test ends it is stopped.
func begin(t testing.TB, st *tools.Settings, change func(*serve.Config)) *running {
	t.Helper()
	r := &running{dir: repotest.New(t), log: newLog()}
	r.store = toolstest.Open(t, tools.Config{Path: r.dir, Settings: st,
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	cfg := serve.Config{Store: r.store, Listen: "127.0.0.1:0", Ready: func(address string) error {
		ready <- address
		return nil
	}}
	if change != nil {
		change(&cfg)
	}
	go func() { ended <- serve.Run(ctx, cfg) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("the host ended with %v", err)
		}
	})
	select {
	case r.url = <-ready:
	case err := <-ended:
		cancel()
		ended <- nil
		t.Fatalf("the host did not start: %v", err)
	}
	return r
}

func digestOf(token string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(token))) }

func users(names ...string) *tools.Settings {
	st := &tools.Settings{}
	for _, name := range names {
		st.Users = append(st.Users, tools.User{ID: name, Token: digestOf("token-of-" + name)})
	}
	return st
}

const addTask = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_add","arguments":{"title":"A"},"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`

// ask makes a request by hand, as curl does: a header is "Name: value".
func ask(t *testing.T, method, url, body string, headers ...string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append([]string{"Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: task_add"}, headers...) {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func healthOf(t *testing.T, url string) serve.Health {
	t.Helper()
	status, answer := ask(t, http.MethodGet, url+"/healthz", "")
	var h serve.Health
	if err := json.Unmarshal([]byte(answer), &h); err != nil || status != http.StatusOK {
		t.Fatalf("/healthz is answered %d %s: %v", status, answer, err)
	}
	return h
}

func TestCallAndHealth(t *testing.T) {
	t.Parallel()
	r := begin(t, &tools.Settings{Options: tools.Options{SweepAfterDays: 30}}, nil)
	if h := healthOf(t, r.url); h.Commit != "" || h.Unreadable != 0 || h.Started.IsZero() || h.Version == "" {
		t.Errorf("the health of an empty list is %+v", h)
	}
	if status, answer := ask(t, http.MethodPost, r.url+"/mcp", addTask, "Git-Tasks-As: ana"); status != 200 || !strings.Contains(answer, "t1 todo medium A") {
		t.Fatalf("a call is answered %d %s", status, answer)
	}
	if by := repotest.Git(t, r.dir, "log", "-1", "--format=%an", "main"); by != "ana" {
		t.Errorf("the commit is by %s", by)
	}
	tip := repotest.Foreign(t, r.dir, "refs/heads/main", "eve", "x", repo.File{Path: "tasks/t2.md", Data: []byte("no record")})
	if h := healthOf(t, r.url); h.Commit != tip || h.Commits != 2 || h.Unreadable != 1 || h.Packs != 1 {
		t.Errorf("the health is %+v, want the second commit %s, one pack and one unreadable file", h, tip)
	}
	for path, want := range map[string]string{"/": "/mcp speaks", "/mcp/": "not found", "/healthz/x": "not found"} {
		if status, said := ask(t, http.MethodGet, r.url+path, ""); status != 404 || !strings.Contains(said, want) {
			t.Errorf("%s is answered %d %s, want 404 and %q", path, status, said, want)
		}
	}
}

// TestSweepIsTold: the last look of the sweep stands in the health.
func TestSweepIsTold(t *testing.T) {
	t.Parallel()
	r := begin(t, &tools.Settings{Options: tools.Options{SweepAfterDays: 30}}, nil)
	limit := time.After(10 * time.Second)
	for healthOf(t, r.url).Swept == nil {
		select {
		case <-limit:
			t.Fatal("the host never looked")
		default:
		}
	}
}

// TestP26Addresses: nobody but this machine is let in where nobody is known.
func TestP26Addresses(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for listen, want := range map[string]string{
		"127.0.0.1:0": "", "localhost:0": "", "127.0.0.2:0": "",
		"0.0.0.0:0": "lets others in", ":0": "lets others in", "[::]:0": "lets others in", "192.0.2.1:0": "lets others in",
		"desk.example.org:0": "lets others in", "localhost.example.org:0": "lets others in", "0:0": "lets others in",
		"7433": "must be HOST:PORT", "": "must be HOST:PORT", "127.0.0.1:http": "must be HOST:PORT", "127.0.0.1:70000": "must be HOST:PORT",
	} {
		err := serve.Run(ended, serve.Config{Store: s, Listen: listen})
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || tools.AsError(err).Code != tools.Invalid {
			t.Errorf("--listen %q gave %v, want %q", listen, err, want)
		}
	}
}

func TestPortIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	err = serve.Run(t.Context(), serve.Config{Store: toolstest.New(t), Listen: taken.Addr().String()})
	want := "cannot listen on " + taken.Addr().String() + ": bind: address already in use; --listen 127.0.0.1:0 takes a free port"
	if err == nil || err.Error() != want || tools.AsError(err).Code != tools.Conflict {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestP9OneHost: the second host of a repository, by whatever path, names the
// first; when that has gone the next one serves.
func TestP9OneHost(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	link := filepath.Join(t.TempDir(), "link.git")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{r.dir, link} {
		err := serve.Run(t.Context(), serve.Config{Store: toolstest.Again(t, tools.Config{Path: dir}), Listen: "127.0.0.1:0"})
		want := fmt.Sprintf("a host serves this list already: process %d at %s, since ", os.Getpid(), r.url)
		if err == nil || !strings.HasPrefix(err.Error(), want) || tools.AsError(err).Code != tools.Held {
			t.Errorf("a second host got %v, want %s", err, want)
		}
	}
	if info, err := os.Stat(filepath.Join(r.dir, "git-tasks", "host")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the lock is %v, %v", info.Mode(), err)
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := serve.Run(ended, serve.Config{Store: toolstest.Again(t, tools.Config{Path: r.dir}), Listen: "127.0.0.1:0"}); err != nil {
		t.Errorf("the next host: %v", err)
	}
}

// TestReload: what a signal brings is in force for the next call; what cannot be
// read is not.
func TestReload(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hang := make(chan os.Signal)
	r := begin(t, nil, func(c *serve.Config) {
		c.Reload, c.Settings = hang, func() (*tools.Settings, error) { return tools.LoadSettings(file) }
	})
	as := "Authorization: Bearer token-of-ana"
	if status, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, as); status != 200 {
		t.Errorf("without a directory a token is answered %d", status)
	}
	write(`{"users":[{"id":"bob","token":"` + digestOf("token-of-bob") + `"}]}`)
	hang <- syscall.SIGHUP
	r.log.await(t, "read again")
	if status, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, as); status != 401 {
		t.Errorf("the token of nobody is answered %d", status)
	}
	write(`{"users":`)
	hang <- syscall.SIGHUP
	r.log.await(t, "the old ones stand")
	if !strings.Contains(r.log.String(), "config.json:1: must be JSON") {
		t.Errorf("the log does not say what is wrong:\n%s", r.log)
	}
	if status, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, "Authorization: Bearer token-of-bob"); status != 200 {
		t.Errorf("after settings that cannot be read bob is answered %d", status)
	}
}

// TestStopWithOpenStreams: clients that hold streams and connections do not hold
// the host up.
func TestStopWithOpenStreams(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	toolstest.Direct(t, toolstest.List{Store: r.store}, tools.Who{Folder: "/srv/work"}, "plan_create", `{"title":"P"}`)
	silent, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, session := range streams(t, r.url) {
		defer session.Close()
	}
	began := time.Now()
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("the host took %v to stop", took)
	}
}
