package repo_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

var testTime = time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)

// put proposes one commit with the files given as path, content, path, content.
func put(by string, pairs ...string) repo.EditFunc {
	return func(*repo.Snapshot) ([]repo.Proposal, error) {
		p := repo.Proposal{Author: repo.Person{Name: by, Mail: by + "@example.org"}, At: testTime,
			Message: repo.Message{Subject: "put " + pairs[0]}}
		for i := 0; i < len(pairs); i += 2 {
			p.Files = append(p.Files, repo.File{Path: pairs[i], Data: []byte(pairs[i+1])})
		}
		return []repo.Proposal{p}, nil
	}
}

func mustPut(t *testing.T, r *repo.Repo, pairs ...string) repo.Receipt {
	t.Helper()
	receipt, err := r.Update(t.Context(), put("ana", pairs...))
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

func TestUpdateAndRead(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	first := mustPut(t, r, "tasks/t1.md", "one\n")
	mustPut(t, r, "tasks/1/t100.md", "hundred\n", "plans/p1.md", "plan\n")
	_, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "bob"}, At: testTime,
			Message: repo.Message{Subject: "drop"}, Files: []repo.File{{Path: "tasks/1/t100.md"}}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(tip.FS(), "tasks/t1.md", "plans/p1.md"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(tip.FS(), "tasks/1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder whose last file went: %v", err)
	}
	if got := repotest.Git(t, dir, "show", "main:tasks/t1.md"); got != "one" {
		t.Errorf("git shows %q", got)
	}
	if got := repotest.Git(t, dir, "log", "--format=%an <%ae> %s %aI %cn"); got != strings.TrimSpace(`
bob <> drop 2026-10-18T10:00:00+00:00 git-tasks
ana <ana@example.org> put tasks/1/t100.md 2026-10-18T10:00:00+00:00 git-tasks
ana <ana@example.org> put tasks/t1.md 2026-10-18T10:00:00+00:00 git-tasks`) {
		t.Errorf("git log:\n%s", got)
	}
	changed, err := tip.Changed(first.Commits[0])
	if err != nil || !slices.Equal(changed, []string{"plans/p1.md"}) {
		t.Errorf("changed since the first commit: %q, %v", changed, err)
	}
	if got := repotest.Git(t, dir, "reflog", "show", "--format=%gs", "main"); got != "drop\nput tasks/1/t100.md\nput tasks/t1.md" {
		t.Errorf("reflog:\n%s", got)
	}
}

func TestBatchKeepsOneCommitACall(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	refused := errors.New("refused")
	var calls sync.WaitGroup
	for i := range 64 {
		calls.Go(func() {
			receipt, err := r.Update(t.Context(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
				if i%8 == 7 {
					return nil, refused
				}
				return put(fmt.Sprintf("w%d", i), fmt.Sprintf("tasks/t%d.md", i), "x")(tip)
			})
			if i%8 == 7 != errors.Is(err, refused) || i%8 != 7 && len(receipt.Commits) != 1 {
				t.Errorf("call %d: %v, %v", i, receipt, err)
			}
		})
	}
	calls.Wait()
	if got := strings.Fields(repotest.Git(t, dir, "log", "--format=%an", "main")); len(got) != 56 {
		t.Errorf("%d commits, want 56", len(got))
	}
	for line := range strings.SplitSeq(repotest.Git(t, dir, "log", "--name-only", "--format=", "main"), "\n") {
		if !strings.HasPrefix(line, "tasks/t") {
			t.Errorf("a commit holds %q", line)
		}
	}
}

func TestUpdateWithdrawn(t *testing.T) {
	t.Parallel()
	r := repotest.Open(t, repotest.New(t), repo.Options{})
	inside, release := make(chan struct{}), make(chan struct{})
	go r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		close(inside)
		<-release
		return nil, nil
	})
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := make(chan error)
	started := make(chan struct{})
	go func() {
		close(started)
		_, err := r.Update(ctx, put("ana", "a", "b"))
		cancelled <- err
	}()
	<-started
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("a call withdrawn while it waited: %v", err)
	}
	close(release)
	if tip, err := r.Tip(); err != nil || !tip.ID().IsZero() {
		t.Errorf("the branch moved: %v, %v", tip.ID(), err)
	}
}
