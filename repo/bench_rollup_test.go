package repo_test

import (
	"fmt"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// BenchmarkRollUp makes the changes that make a roll-up due, one a batch, and rolls
// up, on top of a history of so many commits: it must not matter how long that is.
//
//	go test ./repo/ -run NONE -bench RollUp -benchtime 3x
func BenchmarkRollUp(b *testing.B) {
	for _, commits := range []int{100, 20_000} {
		b.Run(fmt.Sprintf("commits=%d", commits), func(b *testing.B) {
			dir := repotest.New(b)
			if err := repotest.Import(dir, "refs/heads/main", repo.Person{Name: "git-tasks"}, longHistory(commits)); err != nil {
				b.Fatal(err)
			}
			repotest.Git(b, dir, "config", "git-tasks.init", "no") // without the commit-graph, which is git's
			b.ResetTimer()
			const each = 20
			for i := range b.N {
				r := repotest.Open(b, dir, repo.Options{})
				for n := range each {
					if _, err := r.Update(b.Context(), put("ana", benchPath(n), fmt.Sprint(i, n))); err != nil {
						b.Fatal(err)
					}
				}
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
				if packs := r.Packs(); packs >= each {
					b.Fatalf("%d packs are left", packs)
				}
			}
			b.StopTimer()
			if got := repotest.Git(b, dir, "rev-list", "--count", "main"); got != strconv.Itoa(commits+each*b.N) {
				b.Errorf("%s commits", got)
			}
			repotest.Fsck(b, dir)
		})
	}
}

// longHistory changes one file of a hundred in each commit.
func longHistory(n int) iter.Seq[repo.Proposal] {
	return func(yield func(repo.Proposal) bool) {
		for i := range n {
			p := repo.Proposal{Author: repo.Person{Name: "ana"}, At: time.Unix(1_800_000_000, 0),
				Files: []repo.File{{Path: benchPath(i % 100), Data: benchText(i%100, i)}}}
			if !yield(p) {
				return
			}
		}
	}
}
