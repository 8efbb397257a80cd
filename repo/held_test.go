package repo_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// hold has a live process make and hold a file; the function it gives ends it.
func hold(t *testing.T, path string) func() {
	t.Helper()
	cmd := child(t, "hold", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("the holder said %q, %v", line, err)
	}
	return func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestP8OthersLocksThatDoNotConcernUs: a lock on what we never touch stops
// nothing, and stays (A14).
func TestP8OthersLocksThatDoNotConcernUs(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	for i, name := range []string{"index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/other.lock", "gc.pid"} {
		lock := filepath.Join(dir, name)
		if err := os.WriteFile(lock, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		mustPut(t, r, fmt.Sprintf("t%d.md", i), "x")
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("with %s a change took %v", name, took)
		}
		if _, err := os.Stat(lock); err != nil {
			t.Errorf("%s of somebody else is gone: %v", name, err)
		}
		os.Remove(lock)
	}
}

// TestP8BranchLockHeld: another's lock on the branch is waited for, named in
// the refusal, and left where it is.
func TestP8BranchLockHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(t *testing.T, lock string) (release func())
		says string
	}{
		"empty": {func(t *testing.T, lock string) func() {
			if err := os.WriteFile(lock, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(lock) }
		}, `\([0-3] s old\)`},
		"old": {func(t *testing.T, lock string) func() {
			if err := os.WriteFile(lock, []byte(strings.Repeat("0", 40)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			day := time.Now().Add(-24 * time.Hour)
			if err := os.Chtimes(lock, day, day); err != nil {
				t.Fatal(err)
			}
			return func() { os.Remove(lock) }
		}, `\(864[0-9][0-9] s old\)`},
		"held by a live process": {func(t *testing.T, lock string) func() { return hold(t, lock) }, `\([0-3] s old\)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repotest.New(t)
			r := repotest.Open(t, dir, repo.Options{})
			before := mustPut(t, r, "t1.md", "x").Commits[0]
			lock := filepath.Join(dir, "refs/heads/main.lock")
			release := c.make(t, lock)
			start := time.Now()
			_, err := r.Update(t.Context(), put("ana", "t2.md", "x"))
			if took := time.Since(start); took < time.Second || took > 3*time.Second {
				t.Errorf("the call was answered after %v", took)
			}
			says := regexp.MustCompile(`^refs/heads/main\.lock is held by another git process ` + c.says + `$`)
			if !repo.IsKind(err, repo.Held) || !says.MatchString(err.Error()) {
				t.Errorf("the call said: %v", err)
			}
			if _, err := os.Stat(lock); err != nil {
				t.Errorf("somebody else's lock is gone: %v", err)
			}
			if tip, err := r.Tip(); err != nil || tip.ID() != before {
				t.Errorf("the branch is at %v, %v", tip.ID(), err)
			}
			release()
			mustPut(t, r, "t2.md", "x")
			if left := leftovers(t, dir); len(left) > 0 {
				t.Errorf("there are still %q", left)
			}
		})
	}
}

// TestP8QueueBehindHeldLock: who comes while others wait for a lock does not
// wait for it all over again when it is its turn.
func TestP8QueueBehindHeldLock(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	lock := filepath.Join(dir, "refs/heads/main.lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(lock)
	var calls sync.WaitGroup
	for i := range 4 {
		r := repotest.Open(t, dir, repo.Options{})
		calls.Add(1)
		time.AfterFunc(time.Duration(i)*200*time.Millisecond, func() {
			defer calls.Done()
			start := time.Now()
			_, err := r.Update(t.Context(), put("ana", "t.md", "x"))
			if took := time.Since(start); !repo.IsKind(err, repo.Held) || took > 3*time.Second {
				t.Errorf("call %d was answered after %v: %v", i, took, err)
			}
		})
	}
	calls.Wait()
}

// TestP8BranchLockReleased: a lock that goes while it is waited for costs the
// wait and no more.
func TestP8BranchLockReleased(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "t1.md", "x")
	release := hold(t, filepath.Join(dir, "refs/heads/main.lock"))
	released := make(chan struct{})
	time.AfterFunc(200*time.Millisecond, func() {
		release()
		close(released)
	})
	start := time.Now()
	mustPut(t, r, "t2.md", "x")
	<-released
	if took := time.Since(start); took < 200*time.Millisecond || took > 2*time.Second {
		t.Errorf("the change took %v", took)
	}
}

// killedWithLock has a process killed while it holds the lock of a branch.
func killedWithLock(t *testing.T, dir, branch string) {
	t.Helper()
	r := repotest.Open(t, dir, repo.Options{Branch: branch})
	for n := 1; n < 100; n++ {
		child(t, "step", dir, branch, "put", repo.ID{}.String(), fmt.Sprint(n)).Run() // it is killed, that is the point
		if _, err := os.Stat(filepath.Join(dir, "refs/heads", branch+".lock")); err == nil {
			return
		}
		if err := r.Mend(t.Context()); err != nil { // so that each try has the same steps
			t.Fatal(err)
		}
	}
	t.Fatal("no step of a change leaves a lock")
}

// TestP8OwnLockOnAnotherBranch: who clears up after a dead process may be
// writing another branch than that one did.
func TestP8OwnLockOnAnotherBranch(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	mustPut(t, repotest.Open(t, dir, repo.Options{Branch: "a/side"}), "t1.md", "x")
	killedWithLock(t, dir, "a/side")
	mustPut(t, repotest.Open(t, dir, repo.Options{}), "t2.md", "x")
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("there are still %q", left)
	}
	mustPut(t, repotest.Open(t, dir, repo.Options{Branch: "a/side"}), "t3.md", "x")
}

// TestP8OwnLockOfTheDead: the lock a killed process of ours left is removed at
// once by the next writer; and a file that only looks like ours is not.
func TestP8OwnLockOfTheDead(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "t1.md", "x")
	lock := filepath.Join(dir, "refs/heads/main.lock")
	killedWithLock(t, dir, "main")
	start := time.Now()
	mustPut(t, r, "t2.md", "x")
	if took := time.Since(start); took > time.Second {
		t.Errorf("with a dead process's lock a change took %v", took)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("there are still %q", left)
	}
	// A dead process's ref file beside a lock that is another file: git made that one.
	own := filepath.Join(dir, "git-tasks", "ref.999999999.1.1")
	for _, path := range []string{own, lock} {
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Update(t.Context(), put("ana", "t3.md", "x")); !repo.IsKind(err, repo.Held) {
		t.Errorf("with another's lock beside a dead process's ref file: %v", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("another's lock is gone: %v", err)
	}
	if _, err := os.Stat(own); err == nil {
		t.Error("the dead process's ref file is still there")
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	mustPut(t, r, "t3.md", "x")
}
