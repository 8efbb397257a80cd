package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	repowatch "github.com/git-tasks/git-tasks/repo/watch"
)

// host starts git tasks serve on a free port, and gives what it prints on
// standard output until it answers: as many lines as are wanted.
func host(t *testing.T, env cli.Env, lines int, args ...string) (printed string) {
	t.Helper()
	out, in := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	var said bytes.Buffer
	env.Args = append([]string{"git-tasks", "serve", "--listen", "127.0.0.1:0"}, args...)
	env.Stdout, env.Stderr, env.Host, env.Now = in, &said, "desk.example.org", time.Now
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, env)
		in.Close()
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("the host ended with %d and said\n%s", code, said.String())
		}
	})
	for r := bufio.NewReader(out); lines > 0; lines-- {
		line, err := r.ReadString('\n')
		if err != nil {
			stop()
			t.Fatalf("the host printed only\n%s", printed)
		}
		printed += line
	}
	go io.Copy(io.Discard, out)
	return printed
}

// playServe compares what the README shows with what the host prints.
func playServe(t *testing.T, shown string) {
	env := home(t)
	_, want, _ := strings.Cut(shown, "\n")
	got := host(t, env, strings.Count(want, "\n"))
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(got)
	got = strings.ReplaceAll(strings.ReplaceAll(got, address, "127.0.0.1:7433"), env.Dir+"/", "/home/ana/")
	if got != want {
		t.Errorf("README.md shows\n%s\nand the host prints\n%s", want, got)
	}
}

// TestServeConnects: what stands in a client's file is what that client reads,
// with a user directory and without, and no token is in it.
func TestServeConnects(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{
		"Git-Tasks-As": `{}`, "Authorization": `{"users":[{"id":"ana","token":"sha256:` + strings.Repeat("0a", 32) + `"}]}`,
	} {
		env := home(t)
		file := filepath.Join(env.Dir, "settings.json")
		if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		documents := 0
		for line := range strings.Lines(host(t, env, 26, "--config", file)) {
			line = strings.TrimSpace(line)
			if args, ok := strings.CutPrefix(line, "git tasks "); ok {
				checkInstalls(t, env, strings.Fields(args), name)
			}
			if !strings.HasPrefix(line, "{") {
				continue
			}
			type servers map[string]struct {
				URL     string
				Headers map[string]string
			}
			var client struct {
				Servers    servers
				MCPServers servers `json:"mcpServers"`
			}
			if err := json.Unmarshal([]byte(line), &client); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			for _, s := range []servers{client.Servers, client.MCPServers} {
				for _, one := range s {
					if documents++; !strings.HasSuffix(one.URL, "/mcp") || len(one.Headers) != 1 || one.Headers[name] == "" {
						t.Errorf("%s gives %+v", line, one)
					}
				}
			}
		}
		if documents != 2 {
			t.Errorf("%d clients have a document, want 2", documents)
		}
	}
}

// checkInstalls runs a line that the host printed: the client's file then names the
// host, and the header by which it is told who calls, or the token.
func checkInstalls(t *testing.T, env cli.Env, args []string, header string) {
	t.Helper()
	file := map[string]string{"claude-code": ".claude.json", "codex": ".codex/config.toml", "gemini": ".gemini/settings.json",
		"vscode": ".config/Code/User/mcp.json", "cursor": ".cursor/mcp.json"}[args[1]]
	must(t, env, args...)
	data, err := os.ReadFile(filepath.Join(env.Dir, file))
	if err != nil {
		t.Fatal(err)
	}
	e, _ := entryOf(t, args[1], string(data))
	who := e.Headers[header] + e.HTTPHeaders[header]
	if header == "Authorization" {
		who += e.Bearer
	}
	if e.URL+e.HTTPURL != args[3] || who == "" || len(e.Headers)+len(e.HTTPHeaders) > 1 {
		t.Errorf("%q writes %s", args, data)
	}
}

// TestServeJSON: a program that starts a host reads where it is.
func TestServeJSON(t *testing.T) {
	t.Parallel()
	env := home(t)
	var at struct{ List, MCP, Health string }
	if err := json.Unmarshal([]byte(host(t, env, 1, "--json")), &at); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(at.Health)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if want := filepath.Join(env.Dir, ".local/share/git-tasks/records.git"); resp.StatusCode != 200 || at.List != want {
		t.Errorf("%+v, health %d; want the list %s", at, resp.StatusCode, want)
	}
}

// ask makes one call to the host of the list that the environment names, and
// prints what it is answered: the program ask of the scripts. It waits for the
// host to answer; the address of one that was killed stands in the file until
// the next one writes its own.
func ask() {
	send(func(address string) *http.Request { return question(address, os.Args[1], os.Args[2], os.Args[3:]) })
}

// fetch gets a path of the host, with headers, as a browser would.
func fetch() {
	send(func(address string) *http.Request {
		req, err := http.NewRequest(http.MethodGet, address+os.Args[1], nil)
		if err != nil {
			panic(err)
		}
		for _, h := range os.Args[2:] {
			name, value, _ := strings.Cut(h, ": ")
			if req.Header.Set(name, value); name == "Host" {
				req.Host = value
			}
		}
		return req
	})
}

// send waits for the host that the list names, makes a request of its address
// and prints the answer.
func send(request func(address string) *http.Request) {
	file := filepath.Join(os.Getenv("DATA"), "git-tasks", "host")
	for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); <-time.After(5 * time.Millisecond) {
		var at struct{ Address string }
		data, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(data, &at) != nil {
			continue
		}
		resp, err := http.DefaultClient.Do(request(at.Address))
		if err != nil {
			continue
		}
		defer resp.Body.Close()
		os.Stdout.WriteString(resp.Status + "\n")
		io.Copy(os.Stdout, resp.Body)
		return
	}
	panic("no host answers")
}

// follow follows a plan, with headers, and prints what it is told until the host
// ends the stream.
func follow() {
	send(func(address string) *http.Request {
		return message(address, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["x-ahpd-plans://`+os.Args[1]+`"]}`, os.Args[2:])
	})
}

// await waits until a file says something.
func await() {
	file, text := os.Args[1], os.Args[2]
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	changed, err := repowatch.Folder(ctx, filepath.Dir(file))
	if err != nil {
		panic(err)
	}
	for {
		said, err := os.ReadFile(file)
		if strings.Contains(string(said), text) {
			return
		}
		if _, more := <-changed; !more {
			panic(fmt.Sprintf("%s never said %q: %q, %v", file, text, said, err))
		}
	}
}

// question is a call of a tool.
func question(address, tool, input string, headers []string) *http.Request {
	return message(address, "tools/call", `"name":"`+tool+`","arguments":`+input, append(headers, "Mcp-Name: "+tool))
}

// message is a request as a client of 2026-07-28 makes it; a header is "Name:
// value".
func message(address, method, params string, headers []string) *http.Request {
	req, err := http.NewRequest(http.MethodPost, address+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+
		params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"ask","version":"1"}}}}`))
	if err != nil {
		panic(err)
	}
	for _, h := range append([]string{"Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, headers...) {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	return req
}
