package cli

import "testing"

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
