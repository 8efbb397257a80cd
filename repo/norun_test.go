package repo_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestP19NothingOfTheRepositoryRuns gives a repository every hook and setting
// that makes git run a command, and goes through all that we do with it, git's
// own repack and fsck included.
func TestP19NothingOfTheRepositoryRuns(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	ran := repotest.Traps(t, dir)
	r := repotest.Open(t, dir, repo.Options{})
	for i := range 40 {
		mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i+1), "x\n", ".gitattributes", "* filter=x diff=x merge=x\n")
	}
	if err := r.Fsck(t.Context()); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack")); err != nil || len(packs) >= 40 {
		t.Errorf("no roll-up ran: %d packs, %v", len(packs), err)
	}
	for _, name := range ran() {
		t.Errorf("%s ran", name)
	}
}
