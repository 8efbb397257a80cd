package cli_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
)

var update = flag.Bool("update", false, "write what the scripts print into their expected files")

// TestMain lets the test binary be git-tasks in the scripts: the real Run, with
// a clock and a host name that the script sets.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ask": ask, "await": await, "fetch": fetch, "follow": follow, "git-tasks": func() {
		env := cli.OfProcess()
		env.Host = "desk.example.org"
		if at, err := time.Parse(time.RFC3339, os.Getenv("TEST_NOW")); err == nil {
			env.Now = func() time.Time { return at }
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(cli.Run(ctx, env))
	}})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	play(t, "testdata/script")
}

// play runs the scripts of a folder.
func play(t *testing.T, dir string) {
	t.Helper()
	bin, err := exec.LookPath("git-tasks")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, UpdateScripts: *update, Setup: func(env *testscript.Env) error {
		env.Setenv("BIN", filepath.Dir(bin))
		return setUp(t, env)
	}})
}

// setUp fences a script off, and checks at its end every repository that it left.
func setUp(t *testing.T, env *testscript.Env) error {
	if err := fence(env); err != nil {
		return err
	}
	vars := env.Vars
	env.Defer(func() {
		for _, dir := range lists(t, env.WorkDir) {
			check(t, dir, vars)
		}
	})
	return nil
}

// covered says, in a run that counts which statements are run, where a process that
// a test starts is to leave that; without it each would complain on standard error.
func covered() []string {
	if testing.CoverMode() == "" {
		return nil
	}
	return []string{"GOCOVERDIR=" + flag.Lookup("test.gocoverdir").Value.String()}
}

// fence keeps a script off from whoever runs it.
func fence(env *testscript.Env) error {
	env.Vars = append(env.Vars, covered()...)
	home := filepath.Join(env.WorkDir, "home")
	for name, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TZ": "UTC",
		"GORACE":   "atexit_sleep_ms=0", // else the race detector holds every command for a second
		"TEST_NOW": "2026-10-18T10:00:00Z", "DATA": filepath.Join(home, ".local/share/git-tasks/records.git"),
	} {
		env.Setenv(name, value)
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	config := "[user]\n\tname = ana\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
	return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644)
}

// lists finds every git directory that git-tasks has written beside.
func lists(t *testing.T, top string) []string {
	var found []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "git-tasks" {
			if _, err := os.Stat(filepath.Join(path, "..", "HEAD")); err == nil {
				found = append(found, filepath.Dir(path))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// check runs git-tasks check on the branches that lists are kept on.
func check(t *testing.T, dir string, vars []string) {
	for _, branch := range []string{"main", "tasks"} {
		git := exec.Command("git", "--git-dir="+dir, "rev-parse", "-q", "--verify", branch)
		git.Env = vars
		if git.Run() != nil || branch == "main" && !isBare(dir, vars) {
			continue
		}
		out, code := run(t, cli.Env{Environ: vars, Dir: dir}, "check", "--repo", dir, "--branch", branch)
		if code != 0 {
			t.Errorf("git-tasks check of %s, branch %s, ended with %d:\n%s", dir, branch, code, out)
		}
	}
}

func isBare(dir string, vars []string) bool {
	git := exec.Command("git", "--git-dir="+dir, "config", "core.bare")
	git.Env = vars
	out, err := git.Output()
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// run runs a command line in this process, and gives what it printed on both
// streams.
func run(t *testing.T, env cli.Env, args ...string) (printed string, code int) {
	t.Helper()
	var out bytes.Buffer
	env.Args = append([]string{"git-tasks"}, args...)
	env.Stdout, env.Stderr, env.Host = &out, &out, "desk.example.org"
	env.User = func() string { return "root" }
	if env.Now == nil {
		env.Now = time.Now
	}
	code = cli.Run(t.Context(), env)
	return out.String(), code
}
