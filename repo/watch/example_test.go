package watch_test

import (
	"context"
	"fmt"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/repo/watch"
)

// Whoever follows a branch reads it once, and again after each signal: what
// moved in between is told by the next one.
func ExampleRef() {
	path, remove, err := repotest.InitExample()
	defer remove()
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := repo.Open(path, repo.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	moved, err := watch.Ref(ctx, r.Dir(), r.Ref())
	if err != nil {
		fmt.Println(err)
		return
	}
	receipt, err := r.Update(ctx, func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "ana", Mail: "ana@example.org"},
			Message: repo.Message{Subject: "t1 add: Fix login"}, Files: []repo.File{{Path: "tasks/t1.md", Data: []byte("Fix login\n")}}}}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range moved {
		tip, err := r.Tip()
		if err != nil {
			fmt.Println(err)
			return
		}
		if tip.ID() == receipt.Commits[0] { // else a signal of something before it
			fmt.Println("the branch has the commit")
			break
		}
	}
	// Output:
	// the branch has the commit
}
