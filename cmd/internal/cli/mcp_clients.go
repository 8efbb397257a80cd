package cli

import (
	"bytes"
	"encoding/json"
	"path"
	"runtime"
	"strings"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// mcpClient is one client, where its settings are, and how they name a server of
// MCP.
type mcpClient struct {
	name, called string
	format       install.Format
	user         place  // of the file that counts for whoever runs it
	project      string // the file that counts in a project, from the top of it
	key          string // that the servers stand under
	stdioType    string // what the entry of a program says it is; "" for nothing
	httpType     string // and that of an address
	urlKey       string
	bearer       string // how the token is read from elsewhere: no settings hold a secret
	look         string // what to do once the entry is there
	projectAsks  string // the same for the entry of a project
	ownList      string // what is to be known of the client's own list
	isList       bool   // it takes the program and its arguments as one list, and wants to be told that the entry counts

	hooks *hookFile // nil where its own list does not come by hooks
}

// place is a file below the home, or below a folder that a variable names.
type place struct {
	variable, inVariable string
	inHome               string
}

// serverName is the key of our entry in every client's settings.
const serverName = "tasks"

// headerAs is the header that names who calls a host without users.
const headerAs = "Git-Tasks-As"

// inputID is the client's own name for the token that it asks for.
const inputID = "git-tasks-token"

// mcpClients are the clients whose settings are known, by the names of --client.
func mcpClients() []mcpClient {
	return []mcpClient{
		{name: "claude-code", called: "Claude Code", format: install.JSON,
			user: place{"CLAUDE_CONFIG_DIR", ".claude.json", ".claude.json"}, project: ".mcp.json",
			key: "mcpServers", httpType: "http", urlKey: "url", bearer: "Bearer ${" + tokenVariable + "}",
			look: "start Claude Code anew; /mcp shows it", projectAsks: "Claude Code asks once whether the servers of a project may run",
			ownList: "its newer models have no list of their own; CLAUDE_CODE_ENABLE_TODO_TOOLS=1 brings it back, and these tools need none",
			hooks: &hookFile{user: place{"CLAUDE_CONFIG_DIR", "settings.json", ".claude/settings.json"}, project: ".claude/settings.json",
				events: []hookEvent{{"PreToolUse", "TodoWrite|TaskCreate|TaskUpdate|TaskGet|TaskList"}, {"PostToolBatch", ""}, {"SessionStart", ""}, {"UserPromptSubmit", ""}, {"Stop", ""}, {"SessionEnd", ""}}}},
		{name: "codex", called: "Codex", format: install.TOML,
			user: place{"CODEX_HOME", "config.toml", ".codex/config.toml"}, project: ".codex/config.toml",
			key: "mcp_servers", urlKey: "url",
			look: "start Codex anew; codex mcp list shows it", projectAsks: "Codex reads it in a project that it trusts",
			ownList: "its own update_plan is off unless config.toml has enabled = true under [tools.update_plan]",
			hooks: &hookFile{user: place{"CODEX_HOME", "hooks.json", ".codex/hooks.json"}, project: ".codex/hooks.json",
				events: []hookEvent{{"PreToolUse", "update_plan"}, {"PostToolUse", "update_plan"}, {"SessionStart", ""}, {"UserPromptSubmit", ""}, {"Stop", ""}},
				look:   "Codex runs the hooks once you trust them; /hooks shows them"}},
		{name: "gemini", called: "Gemini CLI", format: install.JSON,
			user: place{"GEMINI_CLI_HOME", ".gemini/settings.json", ".gemini/settings.json"}, project: ".gemini/settings.json",
			key: "mcpServers", urlKey: "httpUrl", bearer: "Bearer $" + tokenVariable,
			look:    "start Gemini CLI anew, in a folder that it trusts; gemini mcp list shows it",
			ownList: "its own write_todos is there for gemini-2 models alone, its tracker with experimental.taskTracker",
			hooks: &hookFile{user: place{"GEMINI_CLI_HOME", ".gemini/settings.json", ".gemini/settings.json"}, project: ".gemini/settings.json",
				events: []hookEvent{{"BeforeTool", "write_todos|tracker_.*"}, {"AfterTool", "write_todos|tracker_.*"}, {"SessionStart", ""}, {"BeforeAgent", ""}, {"AfterAgent", ""}, {"SessionEnd", ""}}}},
		{name: "opencode", called: "OpenCode", format: install.JSON,
			user: place{"XDG_CONFIG_HOME", "opencode/opencode.json", ".config/opencode/opencode.json"}, project: "opencode.json",
			key: "mcp", stdioType: "local", httpType: "remote", urlKey: "url", bearer: "Bearer {env:" + tokenVariable + "}", isList: true,
			look: "start OpenCode anew; opencode mcp list shows it",
			hooks: &hookFile{user: place{"XDG_CONFIG_HOME", "opencode/plugins/git-tasks.js", ".config/opencode/plugins/git-tasks.js"},
				project: ".opencode/plugins/git-tasks.js"}},
		{name: "vscode", called: "VS Code", format: install.JSON, user: codeUser(), project: ".vscode/mcp.json",
			key: "servers", stdioType: "stdio", httpType: "http", urlKey: "url", bearer: "Bearer ${input:" + inputID + "}",
			look: "in VS Code, MCP: List Servers starts it"},
		{name: "cursor", called: "Cursor", format: install.JSON,
			user: place{inHome: ".cursor/mcp.json"}, project: ".cursor/mcp.json",
			key: "mcpServers", urlKey: "url", bearer: "Bearer ${env:" + tokenVariable + "}",
			look: "in Cursor's settings, under MCP, see that it is on"},
	}
}

// codeUser is where VS Code keeps what counts in every folder.
func codeUser() place {
	if runtime.GOOS == "darwin" {
		return place{inHome: "Library/Application Support/Code/User/mcp.json"}
	}
	return place{"XDG_CONFIG_HOME", "Code/User/mcp.json", ".config/Code/User/mcp.json"}
}

// clientNamed gives a client by its name, nil for none.
func clientNamed(name string) *mcpClient {
	for _, one := range mcpClients() {
		if one.name == name {
			return &one
		}
	}
	return nil
}

func clientNames() []string {
	var names []string
	for _, one := range mcpClients() {
		names = append(names, one.name)
	}
	return names
}

// files says where the client's settings are, for people.
func (m *mcpClient) files() string {
	return path.Join("~", m.user.inHome) + ", or " + m.project + " of a project"
}

// server is the entry of a server as the clients read it.
type server struct {
	Type    string            `json:"type,omitempty"`
	Command startLine         `json:"command,omitzero"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Bearer  string            `json:"bearer_token_env_var,omitempty"`

	HTTPHeaders map[string]string `json:"http_headers,omitempty"` // what Codex calls Headers
	Enabled     bool              `json:"enabled,omitempty"`
}

// startLine is a program, or in OpenCode's settings a program with its arguments.
type startLine struct {
	program string
	args    []string // nil for a program alone
}

// MarshalJSON gives a text, or a list of texts.
func (s startLine) MarshalJSON() ([]byte, error) {
	if s.args == nil {
		return asJSON(s.program), nil
	}
	return asJSON(append([]string{s.program}, s.args...)), nil
}

// UnmarshalJSON reads either.
func (s *startLine) UnmarshalJSON(data []byte) error {
	var words []string
	if json.Unmarshal(data, &words) != nil || len(words) == 0 {
		return json.Unmarshal(data, &s.program)
	}
	s.program, s.args = words[0], words[1:]
	return nil
}

// secret is what a client asks the person for, and then keeps.
type secret struct {
	Type        string `json:"type"`
	ID          string `json:"id"`
	Description string `json:"description"`
	Password    bool   `json:"password"`
}

// stdio is the entry of a program.
func (m *mcpClient) stdio(command string, args []string) []install.Entry {
	s := server{Type: m.stdioType, Command: startLine{program: command}, Args: args}
	if m.isList {
		s.Command.args, s.Args, s.Enabled = args, nil, true
	}
	return []install.Entry{m.entry(s)}
}

// http is the entry of an address, and of what the client asks for it, the entry
// itself first. Who calls is said by a token, or else by a name, where there is one.
func (m *mcpClient) http(url string, token bool, as string) []install.Entry {
	s := server{Type: m.httpType, Enabled: m.isList}
	if m.urlKey == "httpUrl" {
		s.HTTPURL = url
	} else {
		s.URL = url
	}
	named := map[string]string{headerAs: as}
	switch {
	case !token && as == "":
	case !token && m.bearer == "":
		s.HTTPHeaders = named
	case !token:
		s.Headers = named
	case m.bearer == "":
		s.Bearer = tokenVariable
	default:
		s.Headers = map[string]string{"Authorization": m.bearer}
	}
	entries := []install.Entry{m.entry(s)}
	if token && m.asks() {
		entries = append(entries, m.question())
	}
	return entries
}

func (m *mcpClient) entry(s server) install.Entry {
	return install.Entry{Path: []string{m.key, serverName}, Value: asJSON(s)}
}

// asks reports whether the client asks for the token.
func (m *mcpClient) asks() bool { return strings.Contains(m.bearer, "${input:") }

// question is what the client asks.
func (m *mcpClient) question() install.Entry {
	return install.Entry{Path: []string{"inputs"}, By: "id",
		Value: asJSON(secret{"promptString", inputID, "token of git tasks token add", true})}
}

// text is a settings file that has the entries and nothing else.
func (m *mcpClient) text(entries []install.Entry) (string, error) {
	var file []byte
	for _, e := range entries {
		var err error
		if file, err = m.format.Add(file, e); err != nil {
			return "", err
		}
	}
	return string(file), nil
}

func asJSON(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return json.RawMessage("{}") // texts alone cannot fail
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
