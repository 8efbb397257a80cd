package repo_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestMovedUnderTwoTurns: another program moves the branch under a change, and
// again under the one whose edit was run ahead of it. Both land all the same.
func TestMovedUnderTwoTurns(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	mustPut(t, repotest.Open(t, dir, repo.Options{}), "a", "x")
	var moves int
	var once, told sync.Once
	ahead := make(chan struct{})
	second := make(chan error, 1)
	var r *repo.Repo
	r = repotest.Open(t, dir, repo.Options{Fault: func(op, path string) error {
		switch {
		case op == "create" && strings.Contains(path, "objects/pack"):
			once.Do(func() { // the first is being written: the next is run ahead of its tip
				go func() {
					_, err := r.Update(t.Context(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
						told.Do(func() { close(ahead) })
						return put("bob", "c", "x")(tip)
					})
					second <- err
				}()
				<-ahead
			})
		case op == "link" && moves < 3: // the first turn once, and the second, which is stale then
			if moves++; moves != 2 {
				repotest.Foreign(t, dir, "refs/heads/main", "mia", "beside", repo.File{Path: "mia", Data: []byte{byte('0' + moves)}})
			}
		}
		return nil
	}})
	mustPut(t, r, "b", "x")
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	if got := repotest.Git(t, dir, "log", "--format=%an", "main"); got != "bob\nmia\nana\nmia\nana" {
		t.Errorf("the branch is by\n%s", got)
	}
}
