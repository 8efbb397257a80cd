package cli

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"init", "add", "set", "list", "show", "approve", "review", "log",
		"plan", "check", "sweep", "call", "mcp"}
	for word, want := range map[string]string{
		"lsit": "list", "lgo": "log", "shwo": "show", "ad": "add", "a": "add", "app": "approve", "approval": "approve",
		"listing": "list", "chekc": "check", "sweeep": "sweep", "plans": "plan",
		"nope": "", "xyz": "", "up": "", "": "", "remove": "", "--": "", "日本": "", "delete": "",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("%q is taken for %q, want %q", word, got, want)
		}
	}
}
