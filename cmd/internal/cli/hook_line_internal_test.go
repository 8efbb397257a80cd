package cli

import (
	"strings"
	"testing"
)

// TestIsOurLine: ours is what install writes for any list, and nothing that merely
// runs the same.
func TestIsOurLine(t *testing.T) {
	t.Parallel()
	f := &front{env: Env{Program: "/opt/it's here/tasks"}}
	client := clientNamed("claude-code")
	for line, want := range map[string]bool{
		hookLine([]string{"/opt/it's here/tasks", "--as=a b", "hook", "claude-code"}):           true,
		hookLine([]string{"/old/git-tasks", "--repo", "/it's", "--as=", "hook", "claude-code"}): true,
		"git-tasks --repo '/a b' --branch x --config /c hook claude-code":                       true,
		"git tasks --as=pilot hook claude-code":                                                 true,
		"git-tasks hook claude-code":                                                            true,
		"git-tasks hook codex":                                                                  false,
		"git-tasks hook claude-code || true":                                                    false,
		"cd /srv && git-tasks hook claude-code":                                                 false,
		"/srv/git-tasks-log hook claude-code":                                                   false,
		"'/srv/git-tasks'; other hook claude-code":                                              false,
		"git-tasks --repo hook claude-code":                                                     false,
		"git-tasks --as=$USER hook claude-code":                                                 false,
		"git-tasks list hook claude-code":                                                       false,
		"":                                                                                      false,
		"'":                                                                                     false,
	} {
		if got := f.isOurLine(client, line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestIsPlugin: a plugin for any program and list is ours, and nothing near it.
func TestIsPlugin(t *testing.T) {
	t.Parallel()
	client := clientNamed("opencode")
	plugin := func(command string) string { return strings.Replace(pluginText, "COMMAND", command, 1) }
	fine := plugin(`["/moved/program","--repo","/a b","--as=mia","hook","opencode"]`)
	for text, want := range map[string]bool{
		fine: true,
		plugin(`["git-tasks","hook","opencode"]`): true,
		fine + "\n":        false,
		"// mine\n" + fine: false,
		strings.Replace(fine, "session.idle", "session.busy", 1): false,
		plugin(`["git-tasks", "hook","opencode"]`):               false,
		plugin(`["git-tasks","hook","codex"]`):                   false,
		plugin(`[]; mine(["git-tasks","hook","opencode"])`):      false,
		pluginMark + "\n": false,
		"":                false,
	} {
		if got := isPlugin(client, []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
