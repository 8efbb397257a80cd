package repo_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// batchCallers is how many callers wait while the one before them is served.
const batchCallers = 24

// waiting tells when the door has put its call into the queue: only then does
// the call wait for its context.
type waiting struct {
	context.Context
	once   *sync.Once
	queued *sync.WaitGroup
}

func (w waiting) Done() <-chan struct{} {
	w.once.Do(w.queued.Done)
	return w.Context.Done()
}

// batched makes one change, and while its edit runs queues batchCallers others,
// which so become one batch. allWait is called when they do; answered is told of
// each answer, by any goroutine.
func batched(r *repo.Repo, prefix string, allWait func(), answered func(path string, receipt repo.Receipt, err error)) {
	var all, queued sync.WaitGroup
	begun, release := make(chan struct{}), make(chan struct{})
	call := func(ctx context.Context, path string, edit repo.EditFunc) {
		receipt, err := r.Update(ctx, edit)
		answered(path, receipt, err)
	}
	first := prefix + "/first.md"
	var once sync.Once
	all.Go(func() {
		call(noContext(), first, func(tip *repo.Snapshot) ([]repo.Proposal, error) {
			once.Do(func() { close(begun); <-release })
			return put("ana", first, first)(tip)
		})
	})
	<-begun
	queued.Add(batchCallers)
	for i := range batchCallers {
		path := fmt.Sprintf("%s/%d.md", prefix, i)
		all.Go(func() { call(waiting{noContext(), new(sync.Once), &queued}, path, put("ana", path, path)) })
	}
	queued.Wait()
	allWait()
	close(release)
	all.Wait()
}

// childBatch kills itself before file call n after all callers wait, and says of
// each commit where its file is, after the answer.
func childBatch(dir, n string) error {
	var mu sync.Mutex
	last, calls, counting := 0, 0, false
	if _, err := fmt.Sscan(n, &last); err != nil {
		return err
	}
	r, err := repo.Open(dir, repo.Options{Fault: func(string, string) error {
		mu.Lock()
		defer mu.Unlock()
		if counting {
			calls++
		}
		if calls == last {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	var failed error
	batched(r, "b", func() { mu.Lock(); counting = true; mu.Unlock() }, func(path string, receipt repo.Receipt, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
			return
		}
		fmt.Printf("%s %s\n", path, receipt.Commits[0])
	})
	return failed
}

// TestP1KilledInABatch kills a process before every file call of a batch of many
// callers: what one of them was told is there for good, and of what none was told
// each change is there whole or not at all.
func TestP1KilledInABatch(t *testing.T) {
	t.Parallel()
	from := stateBefore(t, "loose")
	old := tipOf(t, from)
	steps, inBatch := 0, 0
	for n := 1; ; n++ {
		dir := copyOf(t, from)
		out, err := child(t, "batch", dir, fmt.Sprint(n)).Output()
		acked := map[string]string{}
		for line := range strings.Lines(string(out)) {
			path, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
			acked[path] = commit
		}
		r := repotest.Open(t, dir, repo.Options{})
		checkRound(t, r, old, acked)
		if landed := commitsSince(t, r, old); landed > 1 && len(acked) <= 1 {
			inBatch++
		}
		mustPut(t, r, "after.md", "x")
		noLeftovers(t, dir, fmt.Sprintf("killed before call %d", n))
		r.Close()
		if err == nil {
			if len(acked) != batchCallers+1 {
				t.Errorf("%d of %d callers were answered", len(acked), batchCallers+1)
			}
			break
		}
		steps = n
	}
	if steps < 25 || inBatch == 0 {
		t.Errorf("%d kills, %d of them between the move of a batch and its answers", steps, inBatch)
	}
}

func commitsSince(t *testing.T, r *repo.Repo, old repo.ID) int {
	t.Helper()
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for c, err := range tip.Log() {
		if err != nil {
			t.Fatal(err)
		}
		if c.ID == old {
			break
		}
		n++
	}
	return n
}

// TestP2FailedInABatch lets every file call of a batch fail, once or from then on.
// Every caller's answer must agree with the branch.
func TestP2FailedInABatch(t *testing.T) {
	t.Parallel()
	from := stateBefore(t, "loose")
	for n, hit := 1, true; hit; n++ {
		f := &fault{n: n, lasts: n%2 == 0, err: syscall.EIO}
		dir := copyOf(t, from)
		counting := make(chan struct{})
		r := repotest.Open(t, dir, repo.Options{Fault: func(op, path string) error {
			select {
			case <-counting:
				return f.ask(op, path)
			default:
				return nil
			}
		}})
		var mu sync.Mutex
		answers := map[string]error{}
		batched(r, "b", func() { close(counting) }, func(path string, _ repo.Receipt, err error) {
			mu.Lock()
			defer mu.Unlock()
			answers[path] = err
		})
		what := f.end()
		hit = what != ""
		tip, err := r.Tip()
		if err != nil {
			t.Fatal(err)
		}
		for path, answer := range answers {
			data, err := fs.ReadFile(tip.FS(), path)
			there := err == nil && string(data) == path
			if there != (answer == nil || repo.IsKind(answer, repo.Unconfirmed)) {
				t.Fatalf("call %d (%s) failed: %s was answered %v and is there: %v", n, what, path, answer, there)
			}
		}
		mustPut(t, r, "after.md", "x")
		noLeftovers(t, dir, what)
		r.Close()
	}
}
