package repo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestP12CollectedAcrossTheMove has a gc begin before the pack of a change is
// there and end after the branch has moved, at every step of the change.
func TestP12CollectedAcrossTheMove(t *testing.T) {
	t.Parallel()
	dir, _ := beside(t)
	env := repotest.Env(t)
	acked, step := 0, 3
	if whole() {
		step = 1
	}
	for n := 1; ; n += step {
		var gc sync.WaitGroup
		calls := 0
		r := repotest.Open(t, dir, repo.Options{Branch: "tasks", Fault: func(string, string) error {
			if calls++; calls == n {
				// All that gc does, before this call; and one that goes on beside the rest.
				for _, command := range []string{"repack -A -d -q --unpack-unreachable=now", "prune --expire=now", "pack-refs --all"} {
					if _, err := repotest.Run(dir, env, "", "git", strings.Fields(command)...); err != nil && !repotest.Transient(err) {
						t.Error(err)
					}
				}
				gc.Go(func() {
					if _, err := repotest.Run(dir, env, "", "git", "gc", "-q", "--prune=now"); err != nil && !repotest.Transient(err) {
						t.Error(err)
					}
				})
			}
			return nil
		}})
		mustPut(t, r, fmt.Sprintf("tasks/gc%d.md", n), "x")
		acked++
		gc.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		files, err := readAll(repotest.Open(t, dir, repo.Options{Branch: "tasks"}))
		if err != nil || len(files) != acked+1 {
			t.Fatalf("after gc at call %d: %d files, want %d, %v", n, len(files), acked+1, err)
		}
		if calls < n {
			break
		}
	}
}

// TestP12PackedBeforeItIsSynced has git pack the refs between the move of the
// branch and the sync of its folder, which git then removes.
func TestP12PackedBeforeItIsSynced(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	env := repotest.Env(t)
	packed := 0
	r := repotest.Open(t, dir, repo.Options{Branch: "a/b", Fault: func(op, path string) error {
		if _, err := os.Stat(filepath.Join(dir, "refs/heads/a/b")); err != nil || op != "fsync" || path != filepath.Join(dir, "refs/heads/a") {
			return nil
		}
		packed++
		_, err := repotest.Run(dir, env, "", "git", "pack-refs", "--all", "--prune")
		return err
	}})
	for i := range 3 {
		id := mustPut(t, r, fmt.Sprintf("t%d.md", i), "x").Commits[0]
		if _, err := os.Stat(filepath.Join(dir, "refs/heads/a")); err == nil {
			t.Error("git left the folder: nothing was tried")
		}
		if got := repotest.Git(t, dir, "rev-parse", "a/b"); got != id.String() {
			t.Errorf("the branch is at %s, want %s", got, id)
		}
	}
	if packed != 3 {
		t.Errorf("refs were packed %d times", packed)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("there are still %q", left)
	}
}

// TestA11LongOpen keeps a repository open while others repack it: nobody using
// it may notice.
func TestA11LongOpen(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	for i := range 10 {
		mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i), "x")
		repotest.Foreign(t, dir, "refs/heads/main", "bob", "foreign", repo.File{Path: "theirs.md", Data: fmt.Append(nil, i)})
		if i%3 == 0 {
			repotest.Git(t, dir, "gc", "-q", "--prune=now")
		}
		files, err := readAll(r)
		if err != nil || len(files) != i+2 || files["theirs.md"] != strconv.Itoa(i) {
			t.Fatalf("round %d: %d files, %v", i, len(files), err)
		}
	}
	if got := repotest.Git(t, dir, "rev-list", "--count", "main"); got != "20" {
		t.Errorf("%s commits, want 20", got)
	}
}
