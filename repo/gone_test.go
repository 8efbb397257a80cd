package repo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestGoneRepository moves a repository away behind an open one: nothing is
// made at its place, nothing reads as an empty list, and back at its place it
// goes on.
func TestGoneRepository(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	before := mustPut(t, r, "tasks/t1.md", "one\n")
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Tip(); !repo.IsKind(err, repo.Missing) {
		t.Errorf("reading: %v", err)
	}
	if _, err := r.Update(t.Context(), put("ana", "tasks/t2.md", "two\n")); !repo.IsKind(err, repo.Missing) {
		t.Errorf("writing: %v", err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was made at the repository's place: %v", err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	after := mustPut(t, r, "tasks/t2.md", "two\n")
	if after.Before != before.Commits[0] {
		t.Errorf("the next change stands on %s, want %s", after.Before, before.Commits[0])
	}
}

// TestDamagedIsNotMissing takes a part of a repository away: opening and making
// it both name the damage.
func TestDamagedIsNotMissing(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"HEAD", "objects", "refs"} {
		dir := filepath.Join(t.TempDir(), "records.git")
		if _, err := repo.Init(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, part)); err != nil {
			t.Fatal(err)
		}
		if _, err := repo.Open(dir, repo.Options{}); !repo.IsKind(err, repo.Damaged) || !strings.Contains(err.Error(), part) {
			t.Errorf("opening without %s: %v", part, err)
		}
		if made, err := repo.Init(dir); made || !repo.IsKind(err, repo.Damaged) {
			t.Errorf("init without %s: %v, %v", part, made, err)
		}
		if left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*new*")); err != nil || len(left) > 0 {
			t.Errorf("init without %s left %v, %v", part, left, err)
		}
	}
}

// TestGivenUpPackStays lets git repack while a try that is to fail holds
// objects that history has too. git leaves objects out of the packs it makes
// when a pack with a .keep holds them, so that pack must not be deleted.
func TestGivenUpPackStays(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	mustPut(t, repotest.Open(t, dir, repo.Options{}), "a", "again\n", "b", "one\n")
	repotest.Foreign(t, dir, "refs/heads/main", "eve", "without a", repo.File{Path: "a"})
	raced := false
	r := repotest.Open(t, dir, repo.Options{Fault: func(op, path string) error {
		if !raced && op == "link" && strings.HasSuffix(path, "main.lock") {
			raced = true
			repotest.Git(t, dir, "repack", "-adq")
			repotest.Foreign(t, dir, "refs/heads/main", "eve", "moved", repo.File{Path: "c", Data: []byte("x\n")})
		}
		return nil
	}})
	mustPut(t, r, "a", "again\n")
	repotest.Git(t, dir, "repack", "-adq")
	if !raced {
		t.Fatal("no try failed")
	}
	for _, object := range []string{"main~3:a", "main:a", "main:c"} {
		if _, err := repotest.TryGit(t, dir, "", "cat-file", "-e", object); err != nil {
			t.Errorf("%s is lost: %v", object, err)
		}
	}
}

// TestLockWaitIsGivenUp ends a call whose caller does not wait any more for
// another process of ours.
func TestLockWaitIsGivenUp(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	lock, err := os.OpenFile(filepath.Join(dir, "git-tasks", "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error)
	go func() {
		_, err := r.Update(ctx, put("ana", "a", "b"))
		answered <- err
	}()
	cancel()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("a call given up: %v", err)
	}
	if tip, err := r.Tip(); err != nil || !tip.ID().IsZero() {
		t.Errorf("the branch moved: %v", err)
	}
}

// TestFsckBesideWriters finds nothing wrong in a list that is being written.
func TestFsckBesideWriters(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		w, err := repo.Open(dir, repo.Options{})
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := w.Update(context.Background(), put("bob", "tasks/t1.md", fmt.Sprint(n))); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 10 {
		if err := r.Fsck(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-done
}
