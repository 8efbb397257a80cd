package repo_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestInitByManyProcesses: one makes it, all can use it.
func TestInitByManyProcesses(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(path string) error{
		"new":          func(string) error { return nil },
		"empty folder": func(path string) error { return os.MkdirAll(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a path with spaces", "records.git")
			if err := prepare(path); err != nil {
				t.Fatal(err)
			}
			repotest.Fsck(t, path)
			var all sync.WaitGroup
			var mu sync.Mutex
			made := 0
			for range 16 {
				cmd := child(t, "init", path)
				all.Go(func() {
					out, err := cmd.CombinedOutput()
					if err != nil {
						t.Errorf("%v: %s", err, out)
					}
					mu.Lock()
					defer mu.Unlock()
					if string(out) == "true\n" {
						made++
					}
				})
			}
			all.Wait()
			if made != 1 {
				t.Errorf("%d processes made the repository", made)
			}
			entries, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(entries) != 1 {
				t.Errorf("beside the repository lie %v, %v", entries, err)
			}
			if info, err := os.Stat(path); err != nil || name == "empty folder" && info.Mode().Perm() != 0o700 {
				t.Errorf("the folder is %v, %v", info.Mode(), err)
			}
			r := repotest.Open(t, path, repo.Options{})
			mustPut(t, r, "t1.md", "x")
			if got := repotest.Git(t, path, "show", "main:t1.md"); got != "x" {
				t.Errorf("git shows %q", got)
			}
			if got := repotest.Git(t, path, "rev-parse", "--is-bare-repository"); got != "true" {
				t.Errorf("bare: %s", got)
			}
		})
	}
}

// TestInitAgain adds what lacks, from many processes at once, and changes
// nothing that is there.
func TestInitAgain(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	for _, key := range []string{"gc.auto", "receive.fsckObjects", "core.fsync"} {
		repotest.Git(t, dir, "config", "--unset", key)
	}
	repotest.Git(t, dir, "config", "receive.denyDeletes", "false")
	repotest.Git(t, dir, "config", "person.own", "value")
	var all sync.WaitGroup
	for range 16 {
		cmd := child(t, "init", dir)
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != "false\n" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	for key, want := range map[string]string{"gc.auto": "0", "receive.fsckObjects": "true", "core.fsync": "all",
		"receive.denyDeletes": "false", "person.own": "value", "core.bare": "true"} {
		if got := repotest.Git(t, dir, "config", "--get-all", key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	before := everything(t, dir)
	if made, err := repo.Init(dir); made || err != nil {
		t.Errorf("once more: %v, %v", made, err)
	}
	if everything(t, dir) != before {
		t.Error("a repository that lacked nothing was changed")
	}
}

// TestInitRefused leaves alone what it did not make.
func TestInitRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, path string)
		says    string
	}{
		"bare repository of others": {func(t *testing.T, path string) { repotest.Git(t, ".", "init", "-q", "--bare", path) }, "git-tasks did not make"},
		"working folder of others":  {func(t *testing.T, path string) { repotest.Git(t, ".", "init", "-q", path) }, "git-tasks did not make"},
		"files":                     {func(t *testing.T, path string) { writeFiles(t, path, "a/b", "x") }, "holds other files"},
		"a file HEAD":               {func(t *testing.T, path string) { writeFiles(t, path, "HEAD", "x") }, "there is no git repository"},
		"a file":                    {func(t *testing.T, path string) { writeFiles(t, filepath.Dir(path), filepath.Base(path), "x") }, "not a directory"},
		"below a file":              {func(t *testing.T, path string) { writeFiles(t, filepath.Dir(path), "file", "x") }, "is not a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			path := filepath.Join(parent, "there")
			c.prepare(t, path)
			if name == "below a file" {
				path = filepath.Join(parent, "file", "records.git")
			}
			before := everything(t, parent)
			made, err := repo.Init(path)
			if made || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v; want %q", made, err, c.says)
			}
			if everything(t, parent) != before {
				t.Error("something was changed")
			}
		})
	}
}

// TestNewBranchBesideOthers: git knows no branch that is a folder of another.
func TestNewBranchBesideOthers(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		dir := repotest.New(t)
		mustPut(t, repotest.Open(t, dir, repo.Options{Branch: "a/b"}), "t.md", "x")
		if packed {
			repotest.Git(t, dir, "pack-refs", "--all")
		}
		for _, branch := range []string{"a", "a/b/c"} {
			r := repotest.Open(t, dir, repo.Options{Branch: branch})
			if _, err := r.Update(t.Context(), put("ana", "t.md", "x")); err == nil {
				t.Errorf("packed %v: branch %s was made beside a/b", packed, branch)
			}
		}
		mustPut(t, repotest.Open(t, dir, repo.Options{Branch: "a/c"}), "t.md", "x")
		if got := repotest.Git(t, dir, "for-each-ref", "--format=%(refname)"); got != "refs/heads/a/b\nrefs/heads/a/c" {
			t.Errorf("packed %v: the refs are\n%s", packed, got)
		}
		if left := leftovers(t, dir); len(left) > 0 {
			t.Errorf("there are still %q", left)
		}
	}
	// Folders that branches left are no branches.
	dir := repotest.New(t)
	for _, folder := range []string{"refs/heads/a/b/c", "logs/refs/heads/a/b"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mustPut(t, repotest.Open(t, dir, repo.Options{Branch: "a"}), "t.md", "x")
	if got := repotest.Git(t, dir, "show", "a:t.md"); got != "x" {
		t.Errorf("git shows %q", got)
	}
}

// What Configure adds goes again, byte for byte, and what others wrote between it
// stays in its section.
func TestUnconfigure(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, "config"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	was := read()
	add := []string{"core.hooksPath=hooks", "receive.procReceiveRefs=refs/heads/main", "receive.procReceiveRefs=refs/for"}
	if err := repo.Configure(dir, add...); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if changed, err := repo.Unconfigure(dir, add...); err != nil || changed != want || read() != was {
			t.Errorf("changed is %v, %v, want %v; the settings are\n%s\nwant\n%s", changed, err, want, read(), was)
		}
	}
	if err := repo.Configure(dir, add...); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, dir, "config", "core.bigFileThreshold", "1m")
	repotest.Git(t, dir, "config", "receive.maxInputSize", "2m")
	repotest.Git(t, dir, "config", "--replace-all", "core.hooksPath", "elsewhere")
	if _, err := repo.Unconfigure(dir, add...); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"core.bigFileThreshold": "1m", "receive.maxInputSize": "2m", "core.hooksPath": "elsewhere", "receive.fsckObjects": "true"} {
		if got, err := repo.Setting(dir, key); err != nil || len(got) != 1 || got[0] != want || repotest.Git(t, dir, "config", key) != want {
			t.Errorf("%s is %q, %v, want %s, in\n%s", key, got, err, want, read())
		}
	}
	if got, err := repo.Setting(dir, "receive.procReceiveRefs"); err != nil || len(got) > 0 {
		t.Errorf("receive.procReceiveRefs is %q, %v", got, err)
	}
}
