package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestP25TokenIsKeptAsAHashAlone looks for a token in everything that is printed
// and written after the one line that shows it.
func TestP25TokenIsKeptAsAHashAlone(t *testing.T) {
	t.Parallel()
	env := bench(t)
	first, rest, _ := strings.Cut(must(t, env, "token", "add", "ana", "--role", "approver"), "\n")
	if len(first) != 43 {
		t.Fatalf("the token is %q", first)
	}
	env.Environ = append(env.Environ, "GIT_TASKS_TOKEN="+first)
	printed := rest
	for _, line := range [][]string{
		{"token", "list"}, {"token", "list", "--json"}, {"token", "add", "ana"}, {"doctor"}, {"add", "A"}, {"approve", "t1"},
		{"log", "--json"}, {"show", "t1", "--log"}, {"check"}, {"token", "revoke", "eve"}, {"help"}, {"token", "revoke", "ana"},
	} {
		out, _ := run(t, env, line...)
		printed += out
	}
	if strings.Contains(printed, first) {
		t.Errorf("the token was printed again:\n%s", printed)
	}
	err := filepath.WalkDir(env.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), first) {
			t.Errorf("%s has the token", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
