package repo_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// looks are what git programs that only read ask, and what a whole answer is.
var looks = []struct {
	command string
	whole   *regexp.Regexp
}{
	{"rev-parse --verify tasks^{tree}", regexp.MustCompile(`^[0-9a-f]{40}$`)},
	{"for-each-ref", regexp.MustCompile(`^[0-9a-f]{40} commit\trefs/heads/main\n[0-9a-f]{40} commit\trefs/heads/tasks$`)},
	{"cat-file -p tasks", regexp.MustCompile(`^tree [0-9a-f]{40}\n(?s:.+)$`)},
}

// TestP5ReadersNeverSeeHalfAState: whatever git reads while two writers of ours,
// pack-refs and another program move the branch, it is a state of before or
// after a change, with every object that it needs.
func TestP5ReadersNeverSeeHalfAState(t *testing.T) {
	t.Parallel()
	const readers, every, fsckEvery = 2, 10, 20 // a write each so many reads, so that history stays in bounds
	dir, one := beside(t)
	two := repotest.Open(t, dir, repo.Options{Branch: "tasks"})
	c := newCrowd(t, dir, one)
	due := make(chan int, 4)
	var reading, writing sync.WaitGroup
	for r := range readers {
		reading.Go(func() {
			for i := r; i < tenth(10_000); i += readers {
				if i/readers%fsckEvery == 0 {
					c.fsck()
				} else {
					c.look(i / readers % len(looks))
				}
				if i%every == 0 {
					due <- i
				}
			}
		})
	}
	var ours, packs, theirs atomic.Int64
	for k, r := range []*repo.Repo{one, two} {
		writing.Go(func() {
			for i := range due {
				if _, err := r.Update(t.Context(), put("ana", fmt.Sprintf("ours/%d.md", k), fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
				ours.Add(1)
			}
		})
	}
	writing.Go(func() {
		for range due {
			if _, err := c.git(dir, "pack-refs", "--all"); err != nil && !repotest.Transient(err) {
				t.Error(err)
			}
			packs.Add(1)
		}
	})
	go func() { reading.Wait(); close(due) }()
	for i := range due {
		repotest.Foreign(t, one.Dir(), "refs/heads/tasks", "bob", fmt.Sprintf("foreign %d", i), repo.File{Path: "theirs.md", Data: fmt.Append(nil, i)})
		theirs.Add(1)
	}
	writing.Wait()
	if ours.Load() == 0 || packs.Load() == 0 || theirs.Load() == 0 {
		t.Errorf("beside the readers there were %d changes of ours, %d of theirs, and refs were packed %d times", ours.Load(), theirs.Load(), packs.Load())
	}
}

func (c *crowd) look(n int) {
	got, err := c.git(c.dir, strings.Fields(looks[n].command)...)
	if err != nil || !looks[n].whole.MatchString(got) {
		c.t.Errorf("git %s: %q, %v", looks[n].command, got, err)
	}
}

var anyID = regexp.MustCompile(`[0-9a-f]{40}`)

// fsck wants every object that a ref needs to be there. It lists what the packs
// hold when it begins, so what it misses may have come after that; then it has
// to be there now.
func (c *crowd) fsck() {
	got, err := c.git(c.dir, "fsck", "--connectivity-only", "--no-reflogs", "--no-dangling", "--no-progress")
	if err == nil && got == "" {
		return
	}
	missed := anyID.FindAllString(fmt.Sprint(got, err), -1)
	for _, id := range missed {
		if _, gone := c.git(c.dir, "cat-file", "-e", id); gone != nil {
			c.t.Errorf("git fsck misses %s, and so does git cat-file: %v", id, gone)
		}
	}
	if len(missed) == 0 {
		c.t.Errorf("git fsck: %q, %v", got, err)
	}
}
