package cli

import (
	"errors"
	"strings"
	"testing"
)

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

// TestWordsOfOthers: what another program calls done, or rm, is answered with the
// command that does it, which is there and takes what it is said with; and no such
// word is a command here.
func TestWordsOfOthers(t *testing.T) {
	t.Parallel()
	for _, parent := range []string{"", "plan"} {
		for word := range others {
			typed := strings.Fields(parent + " " + word + " t1")
			f := &front{}
			l := arrange(program(f.app()), typed)
			var said *hinted
			if !errors.As(l.err, &said) {
				t.Errorf("git tasks %s is no unknown command: %v", strings.Join(typed, " "), l.err)
				continue
			}
			does, _, ok := strings.Cut(strings.TrimPrefix(said.hint, "git tasks "), " is for that")
			if !ok {
				if parent == "" {
					t.Errorf("%s is answered %q", word, said.hint)
				}
				continue // plans have no such command
			}
			if again := arrange(program(f.app()), strings.Fields(does)); again.err != nil || again.help {
				t.Errorf("%s is answered %q: %v", word, said.hint, again.err)
			}
			if strings.Contains(does, "ID") {
				t.Errorf("%s is answered %q, without the id", word, said.hint)
			}
		}
	}
}
