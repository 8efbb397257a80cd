package repo_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// What a small pack holds, the pack made of it holds, also where a large one
// holds it too: another program may be taking that one away, having left out
// what it saw under a .keep of ours.
func TestRollUpKeepsWhatLiesTwice(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	var files []string
	for i := range 400 {
		files = append(files, fmt.Sprintf("%d/file", i), fmt.Sprintf("large %d", i))
	}
	mustPut(t, r, files...)
	twice := mustPut(t, r, "same", "twice\n")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, dir, "repack", "-adq")
	large, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.idx"))
	if err != nil || len(large) != 1 {
		t.Fatalf("after git repack there are %v, %v", large, err)
	}
	blob := repotest.Git(t, dir, "rev-parse", twice.Commits[0].String()+":same")
	r = repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "same", "twice\n", "again", "twice\n")
	for i := range 40 {
		mustPut(t, r, "other", fmt.Sprint(i))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(large[0]); err != nil {
		t.Fatalf("the large pack was to stay: %v", err)
	}
	if packs := packsOf(t, dir); packs > 32 {
		t.Fatalf("%d packs: none was rolled up", packs)
	}
	indexes, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.idx"))
	if err != nil {
		t.Fatal(err)
	}
	for _, idx := range indexes {
		if idx == large[0] {
			continue
		}
		if held := repotest.Git(t, dir, "verify-pack", "-v", idx); strings.Contains(held, blob) {
			return
		}
	}
	t.Errorf("the blob %s lies in the large pack alone", blob)
}

// A pack that somebody marked is neither read into the new one nor removed.
func TestRollUpLeavesMarkedPacks(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "first", "x")
	mine, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	if err != nil || len(mine) != 1 {
		t.Fatal(mine, err)
	}
	keep := strings.TrimSuffix(mine[0], ".pack") + ".keep"
	if err := os.WriteFile(keep, []byte("a person's own\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		mustPut(t, r, "other", fmt.Sprint(i))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine[0]); err != nil {
		t.Error(err)
	}
	if packs := packsOf(t, dir); packs > 32 {
		t.Errorf("%d packs: none was rolled up", packs)
	}
}

// While somebody's git gc is at work no pack goes away, and a gc.pid that a dead
// one left stands in nobody's way.
func TestRollUpWaitsForGC(t *testing.T) {
	t.Parallel()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text  string
		waits bool
	}{
		"alive":           {fmt.Sprintf("%d %s", os.Getpid(), host), true},
		"dead":            {fmt.Sprintf("%d %s", dead.Process.Pid, host), false},
		"another machine": {"1 elsewhere.example.org", true},
		"torn":            {"", false},
	} {
		dir := repotest.New(t)
		if err := os.WriteFile(filepath.Join(dir, "gc.pid"), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		r := repotest.Open(t, dir, repo.Options{})
		for i := range 40 {
			mustPut(t, r, "other", fmt.Sprint(i))
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if waited := packsOf(t, dir) == 40; waited != c.waits {
			t.Errorf("%s: %d packs of 40", name, packsOf(t, dir))
		}
	}
}

// A roll-up may be killed between any two files that it removes: the next writer
// ends what it began, and nothing is missing at any time.
func TestRollUpKilledBetweenRemovals(t *testing.T) {
	t.Parallel()
	gone := errors.New("killed")
	for n := range 3 {
		dir := repotest.New(t)
		removed := 0
		r := repotest.Open(t, dir, repo.Options{Fault: func(op, path string) error {
			if op != "unlink" || !strings.Contains(path, "objects/pack/pack-") || strings.HasSuffix(path, ".keep") {
				return nil
			}
			if removed++; removed > n+1 {
				return gone
			}
			return nil
		}})
		for i := range 17 {
			mustPut(t, r, "other", fmt.Sprint(i))
		}
		if err := r.Close(); !errors.Is(err, gone) {
			t.Fatalf("the roll-up ended with %v", err)
		}
		repotest.Git(t, dir, "fsck", "--full", "--strict")
		mustPut(t, repotest.Open(t, dir, repo.Options{}), "other", "at last")
		repotest.Git(t, dir, "rev-list", "--objects", "main")
		noLeftovers(t, dir, "after the next change")
	}
}
