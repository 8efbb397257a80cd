package cli_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo/smarthttp"
)

// TestP25CloneKeepsNoToken clones and pushes by HTTP with the token of a variable,
// and looks for it in all that the clone holds.
func TestP25CloneKeepsNoToken(t *testing.T) {
	t.Parallel()
	env := home(t)
	must(t, env, "add", "one")
	const token = "sesame-open-sesame"
	dir := filepath.Join(env.Dir, ".local/share/git-tasks/records.git")
	server := httptest.NewServer(smarthttp.New(smarthttp.Config{Dir: dir, Environ: env.Environ, Agent: "git-tasks/test",
		Settings: []string{"core.hooksPath=" + filepath.Join(dir, "hooks")},
		Authorize: func(r *http.Request, _ bool) ([]string, error) {
			if _, given, _ := r.BasicAuth(); given != token {
				return nil, &smarthttp.Error{Status: http.StatusUnauthorized, Text: "who are you?"}
			}
			return nil, nil
		}}))
	t.Cleanup(server.Close)
	list := server.URL + "/records.git"
	env.Environ = append(env.Environ, "GIT_TERMINAL_PROMPT=0", "GIT_TASKS_TOKEN=wrong")
	env.Program = programOf(t)
	if said, code := run(t, env, "clone", list); code != 1 {
		t.Errorf("a wrong token ended with %d and said %s", code, said)
	}
	env.Environ = append(env.Environ, "GIT_TASKS_TOKEN="+token)
	must(t, env, "clone", list, "mine")
	shell(t, env, `cd mine && test "$(git config remote.origin.push)" = HEAD:refs/for/main
sed -i.bak 's/title: one/title: two/' tasks/t1.md && rm tasks/t1.md.bak
git commit -qam mine && git push -q origin HEAD:refs/heads/main`)
	for _, key := range []string{"uninstall", "install"} {
		mine := env
		mine.Dir = filepath.Join(env.Dir, "mine")
		must(t, mine, key, "clone")
	}
	shell(t, env, "cd mine && git fetch -q")
	if got := must(t, env, "list"); !strings.Contains(got, "two") {
		t.Errorf("the list is %s", got)
	}
	files := 0
	err := filepath.WalkDir(filepath.Join(env.Dir, "mine"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if files++; strings.Contains(string(data), token) {
			t.Errorf("%s holds the token", path)
		}
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}
