package repo_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// refStates are the ways a branch can lie in a repository before a change.
var refStates = []string{"loose", "packed", "unborn"}

// stateBefore makes a repository with the branch in one of the refStates, for
// copies to be made of.
func stateBefore(t *testing.T, state string) string {
	t.Helper()
	dir := repotest.New(t)
	if state == "unborn" {
		return dir
	}
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "older.md", "older")
	mustPut(t, r, "old.md", "old")
	if state == "packed" {
		repotest.Git(t, dir, "pack-refs", "--all")
	}
	return dir
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.git")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func tipOf(t *testing.T, dir string) repo.ID {
	t.Helper()
	tip, err := repotest.Open(t, dir, repo.Options{}).Tip()
	if err != nil {
		t.Fatal(err)
	}
	return tip.ID()
}

// eachChange plays every change on every state that it can come upon; a plain run
// lands pushes on one.
func eachChange(t *testing.T, play func(t *testing.T, c change, from string, old, pushed repo.ID)) {
	for _, state := range refStates {
		for _, c := range changes {
			if c.merges && state == "unborn" || c.pushes && state != "loose" && !whole() {
				continue // nothing is there to merge with, or it is left to a whole run
			}
			t.Run(state+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				from := stateBefore(t, state)
				old := tipOf(t, from)
				play(t, c, from, old, c.bring(t, from))
			})
		}
	}
}

// TestP2KilledAtEveryStep kills a process before every file call of a change,
// the first, the second, until one goes through.
func TestP2KilledAtEveryStep(t *testing.T) {
	t.Parallel()
	eachChange(t, func(t *testing.T, c change, from string, old, pushed repo.ID) {
		for n := 1; ; n++ {
			s := stepCheck{dir: copyOf(t, from), change: c, old: old, pushed: pushed, what: fmt.Sprintf("killed before call %d", n)}
			out, err := child(t, "step", s.dir, "main", c.name, pushed.String(), fmt.Sprint(n)).CombinedOutput()
			answered := strings.HasPrefix(string(out), "answered")
			landed := s.landed(t)
			if answered && !landed || !answered && len(out) > 0 {
				t.Fatalf("%s: it said %q, and the change is there: %v", s.what, out, landed)
			}
			if whole() || !c.pushes || n%3 == 0 {
				s.goesOn(t)
			}
			if err == nil {
				least := 15
				if c.name == "take" { // which has no pack to write
					least = 10
				}
				if n < least {
					t.Errorf("a change makes only %d file calls", n-1)
				}
				return
			}
		}
	})
}

// fault fails the n-th file call, and those after it when it lasts.
type fault struct {
	mu    sync.Mutex
	n     int
	lasts bool
	err   error
	calls int
	hit   string // the first call that failed
}

func (f *fault) ask(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.err == nil || f.calls < f.n || f.calls > f.n && !f.lasts {
		return nil
	}
	if f.hit == "" {
		f.hit = op + " " + filepath.Base(path)
	}
	return f.err
}

// end mends the disk and says what failed first.
func (f *fault) end() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = nil
	return f.hit
}

// TestP2FailedAtEveryStep lets every file call of a change fail, once and from
// then on. The answer must agree with the branch, and all go on afterwards.
func TestP2FailedAtEveryStep(t *testing.T) {
	t.Parallel()
	reasons := []error{syscall.ENOSPC, syscall.EIO, syscall.EMFILE}
	eachChange(t, func(t *testing.T, c change, from string, old, pushed repo.ID) {
		for n, hit := 1, true; hit; n++ {
			for i, reason := range reasons {
				for _, lasts := range []bool{false, true} {
					// A plain run takes each step once, by turns once or for good; the
					// whole of it is for the change that all others are made of.
					if whole() && !c.pushes || i == n%len(reasons) && (whole() || lasts == (n%2 == 0)) {
						s := stepCheck{change: c, old: old, pushed: pushed}
						hit = failedStep(t, from, s, &fault{n: n, lasts: lasts, err: reason})
					}
				}
			}
		}
	})
}

// failedStep makes one change with a fault and says whether it was met.
func failedStep(t *testing.T, from string, s stepCheck, f *fault) bool {
	t.Helper()
	s.dir = copyOf(t, from)
	reason := f.err
	r := repotest.Open(t, s.dir, repo.Options{Fault: f.ask})
	receipt, err := r.Update(t.Context(), s.edit(s.pushed))
	hit := f.end()
	s.what = fmt.Sprintf("call %d (%s) failed with %v, from then on: %v", f.n, hit, reason, f.lasts)
	landed := s.landed(t)
	switch {
	case err == nil && !landed, err != nil && landed != repo.IsKind(err, repo.Unconfirmed):
		t.Fatalf("%s: answered %v, %v, and the change is there: %v", s.what, receipt, err, landed)
	case err != nil && !errors.Is(err, reason):
		t.Fatalf("%s: the answer does not give the reason: %v", s.what, err)
	case hit == "" && err != nil:
		t.Fatalf("%s: nothing failed, and the answer is %v", s.what, err)
	}
	if _, err := r.Update(t.Context(), put("ana", "again.md", "again")); err != nil {
		t.Fatalf("%s: the next change in the same process: %v", s.what, err)
	}
	if left := leftovers(t, s.dir); len(left) > 0 {
		t.Fatalf("%s: after the next write of the same process there are still %q", s.what, left)
	}
	r.Close()
	if whole() && !s.pushes || f.n%3 == 0 {
		s.goesOn(t)
	}
	return hit != ""
}
