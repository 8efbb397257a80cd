package repo_test

import (
	"context"
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

// beside makes a repository of a person's with main checked out and one commit
// on the branch tasks.
func beside(t *testing.T) (dir string, r *repo.Repo) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "code")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, dir, "init", "-q", "-b", "main")
	repotest.Fsck(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, dir, "add", "main.go")
	repotest.Git(t, dir, "commit", "-q", "-m", "code")
	r = repotest.Open(t, dir, repo.Options{Branch: "tasks"})
	mustPut(t, r, "tasks/t0.md", "0")
	return dir, r
}

// crowd is several parties at work on one repository, and what was
// acknowledged to any of them on the branch.
type crowd struct {
	t     *testing.T
	dir   string
	r     *repo.Repo
	env   []string
	mu    sync.Mutex
	acked []string
}

func newCrowd(t *testing.T, dir string, r *repo.Repo) *crowd {
	return &crowd{t: t, dir: dir, r: r, env: repotest.Env(t)}
}

func (c *crowd) git(dir string, args ...string) (string, error) {
	return repotest.Run(dir, c.env, "", "git", args...)
}

func (c *crowd) ack(commit string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked = append(c.acked, commit)
}

// update makes n changes through the write door, from four callers.
func (c *crowd) update(n int) {
	var callers sync.WaitGroup
	for k := range 4 {
		callers.Go(func() {
			for i := k; i < n; i += 4 {
				receipt, err := c.r.Update(c.t.Context(), put("ana", fmt.Sprintf("ours/%d/%d.md", i/100, i), "x"))
				if err != nil {
					c.t.Errorf("change %d: %v", i, err)
					return
				}
				c.ack(receipt.Commits[0].String())
			}
		})
	}
	callers.Wait()
}

// push commits n times in a clone and pushes each commit until it is taken.
func (c *crowd) push(n int) {
	clone := filepath.Join(c.t.TempDir(), "clone")
	if _, err := c.git(c.dir, "clone", "-q", "-b", "tasks", c.dir, clone); err != nil {
		c.t.Error(err)
		return
	}
	for i := range n {
		for tries := 0; ; tries++ {
			steps := [][]string{{"fetch", "-q", "origin", "tasks"}, {"reset", "-q", "--hard", "FETCH_HEAD"},
				{"commit", "-q", "--allow-empty", "-m", fmt.Sprintf("push %d", i)}}
			for _, args := range steps {
				if _, err := c.git(clone, args...); err != nil {
					c.t.Error(err)
					return
				}
			}
			_, err := c.git(clone, "push", "-q", "origin", "HEAD:tasks")
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "rejected") && !repotest.Transient(err) || tries > 1000 {
				c.t.Error(err)
				return
			}
		}
		head, err := c.git(clone, "rev-parse", "HEAD")
		if err != nil {
			c.t.Error(err)
		}
		c.ack(head)
	}
}

// foreign commits n times by commit-tree and update-ref. It runs on the test's
// own goroutine.
func (c *crowd) foreign(n int) {
	for i := range n {
		file := repo.File{Path: fmt.Sprintf("theirs/%d.md", i), Data: []byte("y")}
		c.ack(repotest.Foreign(c.t, c.r.Dir(), "refs/heads/tasks", "bob", fmt.Sprintf("foreign %d", i), file))
	}
}

// person commits on the branch that is checked out.
func (c *crowd) person(n int) {
	for i := 0; i < n; {
		_, err := c.git(c.dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("code %d", i))
		if err == nil {
			i++
		} else if !repotest.Transient(err) {
			c.t.Error(err)
			return
		}
	}
}

// loop runs git commands in turn until ctx ends, at least once each.
func (c *crowd) loop(ctx context.Context, commands ...string) {
	for {
		for _, command := range commands {
			if _, err := c.git(c.dir, strings.Fields(command)...); err != nil && !repotest.Transient(err) {
				c.t.Error(err)
				return
			}
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// reader starts a process of ours that reads all the time; the function it
// gives ends it and says how often it did.
func startReader(t *testing.T, dir, branch string) func() int {
	t.Helper()
	cmd := child(t, "reader", dir, branch)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() int {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the reader: %v: %s", err, errs.String())
			return 0
		}
		n, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if err != nil {
			t.Error(err)
		}
		return n
	}
}

// stands checks that every acknowledged commit is an ancestor of the tip.
func (c *crowd) stands(want int) {
	c.t.Helper()
	list, err := c.git(c.dir, "rev-list", "tasks")
	if err != nil {
		c.t.Fatal(err)
	}
	on := map[string]bool{}
	for line := range strings.SplitSeq(list, "\n") {
		on[line] = true
	}
	for _, commit := range c.acked {
		if !on[commit] {
			c.t.Errorf("commit %s was acknowledged and is not on the branch", commit)
		}
	}
	if len(c.acked) != want {
		c.t.Errorf("%d commits were acknowledged, want %d", len(c.acked), want)
	}
	if len(on) != want+1 {
		c.t.Errorf("%d commits are on the branch, want %d", len(on), want+1)
	}
}

func runs() int {
	if whole() {
		return 10
	}
	return 1
}

// TestP4ForeignWriters has everybody write at once: we, another program, a
// clone that pushes, and the person on another branch, while refs and objects
// are repacked; nobody's commit may be lost and no reader may fail.
//
// gc --prune=now is not among the commands: it takes the loose objects of
// other git programs that are not done, which is git's own affair.
func TestP4ForeignWriters(t *testing.T) {
	t.Parallel()
	for run := range runs() {
		t.Run(strconv.Itoa(run), func(t *testing.T) {
			n := tenth(300)
			dir, r := beside(t)
			c := newCrowd(t, dir, r)
			stopReader := startReader(t, dir, "tasks")
			ctx, stop := context.WithCancel(t.Context())
			var writers, loops sync.WaitGroup
			defer func() { // also where a foreign commit ends the test
				stop()
				writers.Wait()
				loops.Wait()
			}()
			loops.Go(func() { c.loop(ctx, "pack-refs --all", "repack -a -d -q", "gc -q") })
			loops.Go(func() {
				c.loop(ctx, "rev-parse --verify tasks^{tree}", "for-each-ref", "rev-list --objects --quiet tasks")
			})
			writers.Go(func() { c.update(n) })
			writers.Go(func() { c.push(n / 10) })
			writers.Go(func() { c.person(n) })
			c.foreign(n)
			writers.Wait()
			stop()
			loops.Wait()
			reads := stopReader()
			if reads == 0 {
				t.Error("the reader read nothing")
			}
			t.Logf("%d reads of the whole tip", reads)
			c.stands(2*n + n/10)
			if got := repotest.Git(t, dir, "rev-list", "--count", "main"); got != strconv.Itoa(n+1) {
				t.Errorf("main has %s commits, want %d", got, n+1)
			}
		})
	}
}

// TestP12GarbageCollected has git throw away what it can while we write and
// read: what is not yet held by a ref, old packs, loose refs.
func TestP12GarbageCollected(t *testing.T) {
	t.Parallel()
	for run := range runs() {
		t.Run(strconv.Itoa(run), func(t *testing.T) {
			n := tenth(300)
			dir, r := beside(t)
			c := newCrowd(t, dir, r)
			stopReader := startReader(t, dir, "tasks")
			ctx, stop := context.WithCancel(t.Context())
			var loops sync.WaitGroup
			loops.Go(func() { c.loop(ctx, "gc -q --prune=now", "worktree prune", "prune --expire=now") })
			loops.Go(func() { c.loop(ctx, "pack-refs --all", "rev-parse --verify tasks^{tree}", "for-each-ref") })
			c.update(n)
			if _, err := readAll(r); err != nil {
				t.Error(err)
			}
			stop()
			loops.Wait()
			reads := stopReader()
			if reads == 0 {
				t.Error("the reader read nothing")
			}
			t.Logf("%d reads of the whole tip", reads)
			c.stands(n)
		})
	}
}

// TestP10CreatedAndDeleted: while git makes and deletes the branch, a reader
// meets the one or the other, never damage.
func TestP10CreatedAndDeleted(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	id := mustPut(t, repotest.Open(t, dir, repo.Options{}), "t.md", "x").Commits[0].String()
	env := repotest.Env(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range tenth(1000) {
			for _, args := range [][]string{{"update-ref", "refs/heads/come/and/go", id}, {"update-ref", "-d", "refs/heads/come/and/go"}} {
				if _, err := repotest.Run(dir, env, "", "git", args...); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	r := repotest.Open(t, dir, repo.Options{Branch: "come/and/go"})
	there, gone := 0, 0
	for {
		select {
		case <-done:
			if there == 0 || gone == 0 {
				t.Errorf("the branch was met %d times and missed %d times", there, gone)
			}
			return
		default:
		}
		tip, err := r.Tip()
		if err != nil {
			<-done
			t.Fatal(err)
		}
		if tip.ID().IsZero() {
			gone++
		} else {
			there++
		}
	}
}
