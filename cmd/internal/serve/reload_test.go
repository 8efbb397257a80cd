package serve_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestReloadByAProcess: once whoever changed the settings is told that the host
// goes by them it does; a process of another version or branch is told too, and why
// it does not where it does not.
func TestReloadByAProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "config.json"), filepath.Join(dir, "link.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	r := begin(t, nil, func(c *serve.Config) {
		c.SettingsFile, c.Settings = file, func() (*tools.Settings, error) { return tools.LoadSettings(file) }
	})
	tell := func(file string) (bool, error) {
		return serve.Reload(t.Context(), toolstest.Again(t, tools.Config{Path: r.dir, Branch: "tasks"}), "", file)
	}
	status := func() int {
		code, _ := ask(t, http.MethodPost, r.url+"/mcp", addTask, "Authorization: Bearer token-of-ana")
		return code
	}
	for _, user := range []string{"ana", "bob", "ana"} {
		write(`{"users":[{"id":"` + user + `","token":"` + digestOf("token-of-"+user) + `"}]}`)
		by := file
		if user == "bob" {
			by = link
		}
		if ok, err := tell(by); !ok || err != nil {
			t.Fatalf("the host was told: %v, %v", ok, err)
		}
		if want := map[string]int{"ana": 200, "bob": 401}[user]; status() != want {
			t.Errorf("with %s in the settings ana is answered %d, want %d", user, status(), want)
		}
	}
	write(`{"users":`)
	if ok, err := tell(file); !ok || err == nil || !strings.Contains(err.Error(), "config.json:1: must be JSON") || tools.AsError(err).Code != tools.Invalid {
		t.Errorf("settings that cannot be read: %v, %v", ok, err)
	}
	other := filepath.Join(dir, "other.json")
	if err := os.WriteFile(other, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if ok, err := tell(other); !ok || err == nil || err.Error() != "it reads its settings from "+file || tools.AsError(err).Code != tools.Conflict {
		t.Errorf("another file: %v, %v", ok, err)
	}
	if status() != 200 {
		t.Errorf("the settings in force are no longer those that could be read: %d", status())
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if ok, err := tell(file); ok || err != nil {
		t.Errorf("a host that has stopped: %v, %v", ok, err)
	}
}
