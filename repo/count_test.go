package repo_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestCount counts from commit to commit what git counts as a whole, also where
// history was rewritten in between.
func TestCount(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	counted, at := 0, repo.ID{}
	count := func(want int) {
		t.Helper()
		tip, err := r.Tip()
		if err != nil {
			t.Fatal(err)
		}
		more, err := r.Count(t.Context(), at, tip.ID())
		if counted, at = counted+more, tip.ID(); err != nil || counted != want {
			t.Errorf("%d commits are counted, want %d; %v", counted, want, err)
		}
	}
	count(0)
	mustPut(t, r, "a.md", "1")
	mustPut(t, r, "a.md", "2")
	count(2)
	count(2)
	mustPut(t, r, "a.md", "3")
	mustPut(t, r, "a.md", "4")
	count(4)
	repotest.Git(t, dir, "update-ref", "refs/heads/main", "main~3")
	mustPut(t, r, "b.md", "1")
	count(2)
}
