package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// servesRepo names the repository that the test binary serves, as a process of its
// own, in place of running tests.
const servesRepo = "GIT_TASKS_TEST_HOST"

func TestMain(m *testing.M) {
	if dir := os.Getenv(servesRepo); dir != "" {
		if err := hostProcess(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	m.Run()
}

// hostProcess serves a repository until the process is killed, with the settings
// beside it, and logs all there is to say.
func hostProcess(dir string) error {
	st, err := tools.LoadSettings(filepath.Join(filepath.Dir(dir), "config.json"))
	if err != nil {
		return err
	}
	s, err := tools.Open(tools.Config{Path: dir, Settings: st,
		Log: slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		return err
	}
	defer s.Close()
	return serve.Run(context.Background(), serve.Config{Store: s, Listen: "127.0.0.1:0", Ready: func(address string) error {
		_, err := fmt.Println(address, os.Getpid())
		return err
	}})
}

// process is a host of its own.
type process struct {
	*exec.Cmd
	url    string
	pid    int // of the host, which another program may have started
	stderr strings.Builder
}

// startProcess starts a host on a repository, by a command that its own is put
// behind.
func startProcess(t *testing.T, dir string, by ...string) *process {
	t.Helper()
	command := append(by, os.Args[0])
	p := &process{Cmd: exec.Command(command[0], command[1:]...)}
	p.Env = append(os.Environ(), servesRepo+"="+dir, "GOTRACEBACK=all")
	p.Stderr = &p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	if _, err := fmt.Fscan(bufio.NewReader(out), &p.url, &p.pid); err != nil {
		p.Process.Kill()
		p.Wait()
		t.Fatalf("the host did not start: %v\n%s", err, &p.stderr)
	}
	return p
}

// TestP25CanaryInNothingThatIsSaid puts a token, and a wrong one, wherever a client
// can, and looks for them in each answer, the log, the history, the files beside
// the repository, what others see of the process, and what it says when it dies.
func TestP25CanaryInNothingThatIsSaid(t *testing.T) {
	t.Parallel()
	const canary = "canary-81f6"
	right, wrong := canary+"-right", canary+"-wrong"
	dir := repotest.New(t)
	settings := fmt.Sprintf(`{"roles": {"viewer": ["session:read"]}, "users": [{"id": "ana", "roles": ["viewer"], "token": %q}]}`, digestOf(right))
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, dir)
	as := []string{"Authorization: Bearer " + right}
	newer := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: task_add"}
	body := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	for _, c := range []struct {
		method, path, body string
		headers            []string
		want               int
	}{
		{"POST", "/mcp", addTask, append(newer, as...), 200},
		{"POST", "/mcp", addTask, append(newer, "Authorization: Bearer "+wrong), 401},
		{"POST", "/mcp", addTask, append(newer, "Authorization: Basic "+wrong), 401},
		{"POST", "/mcp", addTask, append(newer, "Authorization: "+wrong), 401},
		{"POST", "/mcp", addTask, append(newer, "Cookie: token="+right, "Proxy-Authorization: Bearer "+wrong, "X-Api-Key: "+right), 200},
		{"POST", "/mcp?access_token=" + right, addTask, newer, 200},
		{"POST", "/mcp/" + right, addTask, newer, 404},
		{"GET", "//healthz?token=" + right, "", nil, 404},
		{"GET", "/healthz?token=" + right, "", as, 200},
		{"POST", "/healthz?token=" + right, "", as, 405},
		{"GET", "/mcp", "", append(newer, as...), 405},
		{"POST", "/mcp", body("tools/call", `["`+right+`"]`), as, 400},
		{"POST", "/mcp", body("tools/call", `{"name":{"token":"`+right+`"}}`), as, 400},
		{"POST", "/mcp", body("tools/call", `{"name":"task_add","arguments":"`+right+`"}`), as, 200},
		{"POST", "/mcp", body("tools/call", `{"name":"task_add","arguments":{"title":{"token":"`+right+`"}}}`), as, 200},
		{"POST", "/mcp", body("no/such", `{"token":"`+right+`"}`), as, 200},
		{"POST", "/mcp", `{"token":"` + right + `"}`, as, 400},
		{"POST", "/mcp", right, as, 400},
		{"POST", "/mcp", opening, append([]string{"Mcp-Session-Id: " + right}, as...), 404},
		{"POST", "/mcp", opening, append([]string{"Origin: http://" + wrong}, as...), 403},
	} {
		resp := send(t, c.method, p.url+c.path, c.body, c.headers...)
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != c.want {
			t.Errorf("%s %s %.60s %q is answered %s %s, want %d", c.method, c.path, c.body, c.headers, resp.Status, answer, c.want)
		}
		if said := fmt.Sprint(resp.Header) + string(answer); strings.Contains(said, canary) {
			t.Errorf("%s %s %.60s %q is answered with a token: %s", c.method, c.path, c.body, c.headers, said)
		}
	}
	if said := sayTokens(t, p.url, right, wrong); strings.Contains(said, canary) {
		t.Errorf("a WebSocket is answered with a token: %s", said)
	}
	send(t, http.MethodPost, p.url+"/mcp", listen, append(as, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen")...) // is open when it dies
	for _, name := range []string{"cmdline", "environ"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.pid, name))
		if err != nil {
			t.Logf("what others see of a process is not looked at: %v", err)
		}
		if strings.Contains(string(data), canary) {
			t.Errorf("the token is in the process's %s", name)
		}
	}
	p.Process.Signal(syscall.SIGQUIT)
	p.Wait()
	if said := p.stderr.String(); !strings.Contains(said, "a token was refused") || !strings.Contains(said, "goroutine ") {
		t.Errorf("the process did not log, or did not say how it died:\n%s", said)
	} else if strings.Contains(said, canary) {
		t.Errorf("what the process said has a token:\n%s", said)
	}
	if history := repotest.Git(t, dir, "log", "--all", "-p", "--format=raw"); !strings.Contains(history, "title: A") || strings.Contains(history, canary) {
		t.Errorf("the history has a token, or no task:\n%s", history)
	}
	searchFiles(t, dir, canary)
}

// searchFiles looks for a text in every file below a folder.
func searchFiles(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			t.Errorf("%s has a token", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
