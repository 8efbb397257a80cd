package cli

import (
	"encoding/json"
	"strings"
)

// mcpClient is one client and how its settings name a server of MCP.
type mcpClient struct {
	name  string
	file  string // where the settings are, for people
	stdio func(command string, args []string) (string, error)
	http  func(url string, token bool) (string, error)
}

// mcpClients are the clients whose settings are known, by the names of --client.
func mcpClients() []mcpClient {
	return []mcpClient{
		{"claude-code", ".mcp.json at the top of a project (or: claude mcp add-json tasks, with what stands behind \"tasks\":)",
			stdioJSON("mcpServers", ""), httpJSON("mcpServers", "url", "http", "Bearer ${GIT_TASKS_TOKEN}")},
		{"codex", "~/.codex/config.toml", codexStdio, codexHTTP},
		{"gemini", "~/.gemini/settings.json", stdioJSON("mcpServers", ""),
			httpJSON("mcpServers", "httpUrl", "", "Bearer $GIT_TASKS_TOKEN")},
		{"vscode", ".vscode/mcp.json of a project", stdioJSON("servers", "stdio"),
			httpJSON("servers", "url", "http", "Bearer ${input:git-tasks-token}")},
		{"cursor", "~/.cursor/mcp.json, or .cursor/mcp.json of a project", stdioJSON("mcpServers", ""),
			httpJSON("mcpServers", "url", "", "Bearer ${env:GIT_TASKS_TOKEN}")},
	}
}

// server is an entry of a client's settings in JSON.
type server struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// secret is what a client asks the person for, and then keeps.
type secret struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	Description string `json:"description"`
	Password    bool   `json:"password"`
}

func stdioJSON(key, kind string) func(string, []string) (string, error) {
	return func(command string, args []string) (string, error) {
		return indented(map[string]any{key: map[string]server{"tasks": {Type: kind, Command: command, Args: args}}})
	}
}

// httpJSON writes the address under the name that the client has for it, and the
// token as that client reads it from elsewhere: no settings hold a secret.
func httpJSON(key, urlKey, kind, bearer string) func(string, bool) (string, error) {
	return func(url string, token bool) (string, error) {
		s := server{Type: kind}
		if urlKey == "httpUrl" {
			s.HTTPURL = url
		} else {
			s.URL = url
		}
		all := map[string]any{}
		if token {
			s.Headers = map[string]string{"Authorization": bearer}
			if _, id, asked := strings.Cut(bearer, "${input:"); asked {
				all["inputs"] = []secret{{"promptString", strings.TrimSuffix(id, "}"), "token of git tasks token add", true}}
			}
		}
		all[key] = map[string]server{"tasks": s}
		return indented(all)
	}
}

func indented(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.String(), err
}

func codexStdio(command string, args []string) (string, error) {
	quotedArgs := make([]string, len(args))
	for i, arg := range args {
		quotedArgs[i] = tomlText(arg)
	}
	return "[mcp_servers.tasks]\ncommand = " + tomlText(command) + "\nargs = [" + strings.Join(quotedArgs, ", ") + "]\n", nil
}

func codexHTTP(url string, token bool) (string, error) {
	text := "[mcp_servers.tasks]\nurl = " + tomlText(url) + "\n"
	if token {
		text += "bearer_token_env_var = \"GIT_TASKS_TOKEN\"\n"
	}
	return text, nil
}

// tomlText is a text as TOML's basic strings have it: as JSON does, and DEL
// escaped as well.
func tomlText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""` // no text fails
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}
