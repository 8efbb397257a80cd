package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

// clientFile gives a client's settings as a person wrote them: what may stand at
// each place that install touches, beside it and in it.
func clientFile(t *rapid.T, client string) string {
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	if client == "codex" {
		return pick("model", "", "model = \"x\" # of mine\n") + pick("gap", "", "\n") +
			pick("other", "", "[mcp_servers.other]\ncommand = \"other\"\n", "[mcp_servers.tasks2]\nurl = \"http://127.0.0.1:1/mcp\"\n\n# the end\n")
	}
	key := map[string]string{"vscode": "servers", "opencode": "mcp"}[client]
	if key == "" {
		key = "mcpServers"
	}
	members := []string{
		pick("theme", "", `"theme": "dark" /* of mine */`, "// of mine\n  \"theme\": 1"),
		pick("servers", "", `"`+key+`": {}`, `"`+key+`": {"other": {"command": "other"}}`,
			`"`+key+`": { "other": {"url": "https://example.org", "headers": {"Authorization": "Bearer ${input:other}"}}, }`),
		pick("inputs", "", `"inputs": []`, `"inputs": [ {"id": "other", "type": "promptString"} ]`,
			`"inputs": [{"type": "pickString", "id": "git-tasks-token", "description": "of mine", "options": ["a", "b"]}]`,
			"\"inputs\": [\n    { \"id\": \"git-tasks-token\", \"type\": \"promptString\", \"password\": true },\n  ]"),
	}
	said := ""
	for _, m := range members {
		if m != "" && said != "" {
			said += ","
		}
		if m != "" {
			said += pick("apart", " ", "\n  ") + m
		}
	}
	return "{" + said + pick("close", "}", "\n}", "\n}\n", " } // the end\n")
}

// TestUninstallGivesBack: whatever a person has in a client's settings, an input of
// the name that ours has among it, comes back byte for byte.
func TestUninstallGivesBack(t *testing.T) {
	t.Parallel()
	files := map[string]string{"claude-code": ".mcp.json", "codex": ".codex/config.toml",
		"gemini": ".gemini/settings.json", "vscode": ".vscode/mcp.json", "cursor": ".cursor/mcp.json", "opencode": "opencode.json"}
	env := bench(t)
	env.Program = "/opt/git-tasks"
	rapid.Check(t, func(r *rapid.T) {
		client := rapid.SampledFrom(append(clients(), "vscode", "opencode")).Draw(r, "client")
		path := filepath.Join(env.Dir, files[client])
		before := []byte(clientFile(r, client))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, before, 0o600)
		}
		if err != nil {
			r.Fatal(err)
		}
		args := rapid.SampledFrom([][]string{nil, {"--url", "http://127.0.0.1:7433/mcp"}, {"--url", "https://example.org/mcp"}}).Draw(r, "args")
		try(t, r, env, append([]string{"install", client, "--project"}, args...)...)
		between, err := os.ReadFile(path)
		if err != nil || bytes.Equal(between, before) {
			r.Fatalf("%s: install changed nothing in\n%s\n%v", client, before, err)
		}
		said := try(t, r, env, "uninstall", client, "--project")
		after, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(after, before) {
			r.Fatalf("%s: %v\n%s\nbecame\n%s\nand then\n%s", client, err, before, between, after)
		}
		if stays, has := strings.Contains(said, "stays"), client == "vscode" && bytes.Contains(before, []byte(`"git-tasks-token"`)); stays != has {
			r.Fatalf("%s: uninstall from\n%s\nsays\n%s", client, between, said)
		}
	})
}

func try(t *testing.T, r *rapid.T, env cli.Env, args ...string) string {
	said, code := run(t, env, args...)
	if code != 0 {
		r.Fatalf("%s ended with %d:\n%s", fmt.Sprint(args), code, said)
	}
	return said
}
