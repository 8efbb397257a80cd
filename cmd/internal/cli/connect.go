package cli

import (
	"strings"
)

// tokenVariable is where the clients that are connected to a host look for the
// token of whoever runs them.
const tokenVariable = "GIT_TASKS_TOKEN"

// client is a program that speaks MCP, and how it is told of a host.
type client struct {
	key   string // that git tasks install knows it by
	name  string
	file  string // where the lines go; "" is a shell
	lines string // URL stands for the address, WHO for the line that says who calls
	token string // that line where the host has a user directory
	named string // and where it has none
}

func clients() []client {
	const bearer = "Authorization: Bearer "
	return []client{
		{"claude-code", "Claude Code", "", `claude mcp add --transport http tasks URL --header "WHO"`,
			bearer + "$" + tokenVariable, "Git-Tasks-As: claude"},
		{"codex", "Codex", "~/.codex/config.toml", "[mcp_servers.tasks]\nurl = \"URL\"\nWHO",
			`bearer_token_env_var = "` + tokenVariable + `"`, `http_headers = { "Git-Tasks-As" = "codex" }`},
		{"gemini", "Gemini CLI", "", `gemini mcp add --scope user --transport http --header "WHO" tasks URL`,
			bearer + "$" + tokenVariable, "Git-Tasks-As: gemini"},
		{"vscode", "VS Code", ".vscode/mcp.json", `{"servers": {"tasks": {"type": "http", "url": "URL", "headers": {WHO`,
			`"Authorization": "Bearer ${input:token}"}}}, "inputs": [{"type": "promptString", "id": "token", "description": "Token for tasks", "password": true}]}`,
			`"Git-Tasks-As": "vscode"}}}}`},
		{"cursor", "Cursor", "~/.cursor/mcp.json", `{"mcpServers": {"tasks": {"url": "URL", "headers": {WHO}}}}`,
			`"Authorization": "Bearer ${env:` + tokenVariable + `}"`, `"Git-Tasks-As": "cursor"`},
	}
}

// connect gives the lines that connect the client to the host at url, the command
// that does it first: with a token where the host has a user directory, else by a
// name. config is the settings file that the host was named, "" for none.
func (c client) connect(url string, directory bool, config string) []string {
	who, install := c.named, "git tasks install "+c.key+" --url "+url
	if directory {
		who = c.token
	} else {
		install += " --as " + strings.TrimSuffix(c.key, "-code")
	}
	if config != "" {
		install += " --config " + quoted(config)
	}
	either := "or"
	if c.file != "" {
		either = "or in " + c.file
	}
	lines := []string{install, either + ":"}
	for _, line := range strings.Split(strings.NewReplacer("URL", url, "WHO", who).Replace(c.lines), "\n") {
		lines = append(lines, "  "+line)
	}
	return lines
}
