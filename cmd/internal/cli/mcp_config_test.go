package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// entry is what any of the clients' settings may say of a server.
type entry struct {
	Type, Command, URL, HTTPURL string
	Args                        []string
	Headers                     map[string]string
	Bearer                      string            `json:"bearer_token_env_var"`
	HTTPHeaders                 map[string]string `json:"http_headers"`
}

// entryOf reads the one server in what is printed for a client; secrets says
// what the client is to ask for.
func entryOf(t *testing.T, client, text string) (e entry, secrets string) {
	t.Helper()
	if client == "codex" {
		text = tomlAsJSON(t, text)
	}
	var all struct {
		McpServers, Servers map[string]entry
		Inputs              []struct {
			Type, ID, Description string
			Password              bool
		}
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&all); err != nil {
		t.Fatalf("%s: %v:\n%s", client, err, text)
	}
	servers := all.McpServers
	if client == "vscode" {
		servers = all.Servers
	}
	if len(servers) != 1 || len(all.McpServers)+len(all.Servers) != 1 {
		t.Fatalf("%s gets %s", client, text)
	}
	for _, in := range all.Inputs {
		secrets += in.ID
	}
	return servers["tasks"], secrets
}

// tomlAsJSON says as JSON what Codex reads.
func tomlAsJSON(t *testing.T, text string) string {
	t.Helper()
	var all struct {
		Servers map[string]any `toml:"mcp_servers" json:"mcpServers"`
	}
	err := toml.Unmarshal([]byte(text), &all)
	data, jsonErr := json.Marshal(all)
	if err != nil || jsonErr != nil {
		t.Fatalf("codex gets %s: %v, %v", text, err, jsonErr)
	}
	return string(data)
}

// stdoutOf gives what a command prints as data.
func stdoutOf(t *testing.T, env cli.Env, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	env.Args, env.Stdout, env.Stderr = append([]string{"git-tasks"}, args...), &out, io.Discard
	env.Host, env.User = "desk.example.org", func() string { return "root" }
	if code := cli.Run(t.Context(), env); code != 0 {
		t.Fatalf("%q ended with %d", args, code)
	}
	return out.String()
}

func clients() []string { return []string{"claude-code", "codex", "gemini", "vscode", "cursor"} }

// TestMcpConfigStartsThisProgram starts the server as each client would from
// what is printed for it, in another folder and without this environment.
func TestMcpConfigStartsThisProgram(t *testing.T) {
	t.Parallel()
	for _, client := range clients() {
		env := bench(t)
		env.Program = `/opt/a "b"/git-tasks`
		must(t, env, "init", "my list.git")
		e, _ := entryOf(t, client, stdoutOf(t, env, "mcp", "config", "--client", client, "--repo", "my list.git", "--as", ""))
		if e.Command != env.Program || e.URL+e.HTTPURL != "" || (e.Type == "stdio") != (client == "vscode") {
			t.Errorf("%s gets %+v", client, e)
		}
		if want := []string{"mcp", "--repo", filepath.Join(env.Dir, "my list.git"), "--as="}; !slices.Equal(e.Args, want) {
			t.Errorf("%s gets the arguments %q, want %q", client, e.Args, want)
		}
		elsewhere := bench(t)
		elsewhere.Stdin = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
		if got := must(t, elsewhere, e.Args...); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("%s gets the answer %s", client, got)
		}
	}
}

// TestMcpConfigOfAURL: each client reads the token from where it can, and none
// is printed.
func TestMcpConfigOfAURL(t *testing.T) {
	t.Parallel()
	const far, near = "https://tasks.example.org/mcp?a=1&b=2", "http://127.0.0.1:7777/mcp"
	bearers := map[string]string{
		"claude-code": "Bearer ${GIT_TASKS_TOKEN}", "gemini": "Bearer $GIT_TASKS_TOKEN",
		"vscode": "Bearer ${input:git-tasks-token}", "cursor": "Bearer ${env:GIT_TASKS_TOKEN}",
	}
	env := bench(t)
	env.Environ = append(env.Environ, "GIT_TASKS_TOKEN=canary")
	for _, client := range clients() {
		text := stdoutOf(t, env, "mcp", "config", "--client", client, "--url", far)
		e, secrets := entryOf(t, client, text)
		if strings.Contains(text, "canary") || e.URL+e.HTTPURL != far || e.Command != "" || (e.HTTPURL != "") != (client == "gemini") {
			t.Errorf("%s gets %s", client, text)
		}
		if e.Headers["Authorization"] != bearers[client] || (e.Bearer == "GIT_TASKS_TOKEN") != (client == "codex") ||
			(secrets == "git-tasks-token") != (client == "vscode") {
			t.Errorf("%s reads the token of %s", client, text)
		}
		e, secrets = entryOf(t, client, stdoutOf(t, env, "mcp", "config", "--client", client, "--url", near))
		if e.URL+e.HTTPURL != near || len(e.Headers)+len(e.HTTPHeaders) != 1 || e.Bearer+secrets != "" ||
			e.Headers["Git-Tasks-As"]+e.HTTPHeaders["Git-Tasks-As"] != "ana" {
			t.Errorf("without users %s is to send %+v", client, e)
		}
	}
	must(t, env, "token", "add", "ana")
	if e, _ := entryOf(t, "cursor", stdoutOf(t, env, "mcp", "config", "--client", "cursor", "--url", near)); len(e.Headers) != 1 {
		t.Errorf("with users cursor is to send %+v", e)
	}
}
