package repo_test

import (
	"errors"
	"fmt"
	"io/fs"
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

// stepCheck looks at a repository after a change of one file was disturbed.
type stepCheck struct {
	dir, path string
	old       repo.ID
	what      string
}

// landed says whether the branch has the new state, and fails the test when it
// has neither that nor the old one.
func (s stepCheck) landed(t *testing.T) bool {
	t.Helper()
	r := repotest.Open(t, s.dir, repo.Options{})
	defer r.Close()
	tip, err := r.Tip()
	if err != nil {
		t.Fatalf("%s: %v", s.what, err)
	}
	if tip.ID() == s.old {
		return false
	}
	data, err := fs.ReadFile(tip.FS(), s.path)
	if err != nil || string(data) != s.path {
		t.Fatalf("%s: the branch moved, and the file is %q, %v", s.what, data, err)
	}
	changed, err := tip.Changed(s.old)
	if err != nil || len(changed) != 1 {
		t.Fatalf("%s: the branch moved, and %q changed, %v", s.what, changed, err)
	}
	for c, err := range tip.Log() {
		if err != nil || len(c.Parents) > 1 || len(c.Parents) == 1 && c.Parents[0] != s.old || len(c.Parents) == 0 && !s.old.IsZero() {
			t.Fatalf("%s: the new tip is %v, %v", s.what, c, err)
		}
		break
	}
	return true
}

// goesOn makes another change by another process and looks for leftovers.
func (s stepCheck) goesOn(t *testing.T) {
	t.Helper()
	out, err := child(t, "update", s.dir, "main", "next.md").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "answered") {
		t.Fatalf("%s: the next process's change: %s, %v", s.what, out, err)
	}
	if left := leftovers(t, s.dir); len(left) > 0 {
		t.Fatalf("%s: after the next write there are still %q", s.what, left)
	}
	r := repotest.Open(t, s.dir, repo.Options{})
	defer r.Close()
	if err := r.Fsck(t.Context()); err != nil {
		t.Fatalf("%s: %v", s.what, err)
	}
}

func tipOf(t *testing.T, dir string) repo.ID {
	t.Helper()
	tip, err := repotest.Open(t, dir, repo.Options{}).Tip()
	if err != nil {
		t.Fatal(err)
	}
	return tip.ID()
}

// TestP2KilledAtEveryStep kills a process before every file call of a change,
// the first, the second, until one goes through.
func TestP2KilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, state := range refStates {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			from := stateBefore(t, state)
			old := tipOf(t, from)
			for n := 1; ; n++ {
				s := stepCheck{copyOf(t, from), "new.md", old, fmt.Sprintf("killed before call %d", n)}
				out, err := child(t, "step", s.dir, "main", s.path, fmt.Sprint(n)).CombinedOutput()
				answered := strings.HasPrefix(string(out), "answered")
				landed := s.landed(t)
				if answered && !landed || !answered && len(out) > 0 {
					t.Fatalf("%s: it said %q, and the change is there: %v", s.what, out, landed)
				}
				s.goesOn(t)
				if err == nil {
					if n < 15 {
						t.Errorf("a change makes only %d file calls", n-1)
					}
					return
				}
			}
		})
	}
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
	for _, state := range refStates {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			from := stateBefore(t, state)
			old := tipOf(t, from)
			for n, hit := 1, true; hit; n++ {
				for i, reason := range reasons {
					for _, lasts := range []bool{false, true} {
						// A plain run takes each step once, by turns once or for good.
						if whole() || i == n%len(reasons) && lasts == (n%2 == 0) {
							hit = failedStep(t, from, old, &fault{n: n, lasts: lasts, err: reason})
						}
					}
				}
			}
		})
	}
}

// failedStep makes one change with a fault and says whether it was met.
func failedStep(t *testing.T, from string, old repo.ID, f *fault) bool {
	t.Helper()
	s := stepCheck{dir: copyOf(t, from), path: "new.md", old: old}
	reason := f.err
	r := repotest.Open(t, s.dir, repo.Options{Fault: f.ask})
	receipt, err := r.Update(t.Context(), put("ana", s.path, s.path))
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
	if whole() || f.n%3 == 0 {
		s.goesOn(t)
	}
	return hit != ""
}
