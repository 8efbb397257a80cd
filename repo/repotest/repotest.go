package repotest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
)

// Env is the environment for every process that a test starts: home and
// settings in an empty folder of the test, the clock's zone fixed, git as
// nobody configured it. More variables may be appended.
func Env(t testing.TB) []string {
	t.Helper()
	return fenced(t.TempDir())
}

// fenced is the environment with a home that may be made there.
func fenced(home string) []string {
	env := []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=ana", "GIT_AUTHOR_EMAIL=ana@example.org",
		"GIT_COMMITTER_NAME=ana", "GIT_COMMITTER_EMAIL=ana@example.org",
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "XDG_"), name == "HOME", name == "TZ", name == "LC_ALL":
		default:
			env = append(env, v)
		}
	}
	return env
}

// New makes a bare repository in a folder of the test.
func New(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "records.git")
	if _, err := repo.Init(dir); err != nil {
		t.Fatal(err)
	}
	Fsck(t, dir)
	return dir
}

// Fsck makes the end of the test check that git finds nothing wrong in dir.
func Fsck(t testing.TB, dir string) {
	t.Cleanup(func() {
		if _, err := os.Stat(dir); err != nil {
			return
		}
		r, err := repo.Open(dir, repo.Options{Branch: "no-branch-of-any-test"})
		if err != nil {
			t.Errorf("opening %s for git fsck: %v", dir, err)
			return
		}
		if err := r.Fsck(context.Background()); err != nil { // the test's own context has ended
			t.Error(err)
		}
	})
}

// Open opens a repository and closes it when the test ends.
func Open(t testing.TB, dir string, o repo.Options) *repo.Repo {
	t.Helper()
	r, err := repo.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Git runs git in dir and gives what it printed, without the last newline.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := TryGit(t, dir, "", args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TryGit is Git with standard input, and with an error instead of a failed
// test; the error holds what git said.
func TryGit(t testing.TB, dir, stdin string, args ...string) (string, error) {
	t.Helper()
	return Run(dir, Env(t), stdin, "git", args...)
}

// Run runs a command in dir with exactly the environment given.
func Run(dir string, env []string, stdin, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		err = &commandError{strings.Join(append([]string{name}, args...), " "), errs.String(), err}
	}
	return strings.TrimSuffix(out.String(), "\n"), err
}

// commandError is a command that failed: what it was, what it said on standard
// error, and how it ended.
type commandError struct {
	command, stderr string
	err             error
}

// Error gives the command, its end, and what it said.
func (e *commandError) Error() string {
	return e.command + ": " + e.err.Error() + "\n" + e.stderr
}

// Unwrap gives how the command ended.
func (e *commandError) Unwrap() error { return e.err }

// Start starts a command in dir with the environment of Env, in a process group
// of its own, and kills all of the group when the test ends before it does.
func Start(t testing.TB, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, Env(t)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	return cmd
}
