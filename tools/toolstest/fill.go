package toolstest

import (
	"fmt"
	"iter"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// fillStep is how many tasks one commit of Fill adds.
const fillStep = 1000

// Fill gives an empty list at dir the tasks t1 to tn, a thousand a commit, all by
// ana at the start of the [Clock], as a host on localhost would have committed
// them. They are small and have no plan.
func Fill(t testing.TB, dir string, n int) {
	t.Helper()
	host := repo.Person{Name: "git-tasks", Mail: "git-tasks@localhost"}
	if err := repotest.Import(dir, "refs/heads/main", host, filled(n)); err != nil {
		t.Fatal(err)
	}
}

func filled(n int) iter.Seq[repo.Proposal] {
	return func(yield func(repo.Proposal) bool) {
		for first := 1; first <= n; first += fillStep {
			last := min(first+fillStep-1, n)
			p := repo.Proposal{Author: repo.Person{Name: "ana", Mail: "ana@localhost"}, At: start, Message: repo.Message{
				Subject: fmt.Sprintf("t%d to t%d add", first, last), Trailers: []repo.Trailer{{Key: "Tool", Value: "task_add"}}}}
			for i := first; i <= last; i++ {
				id := fmt.Sprintf("t%d", i)
				t := records.Task{ID: id, Title: fmt.Sprintf("Task number %d", i), Status: records.Todo,
					Created: &records.Stamp{At: start.Format("2006-01-02T15:04:05.000Z"), By: "ana"}}
				p.Files = append(p.Files, repo.File{Path: records.PathOf(id), Data: t.Encode()})
			}
			if last >= 10_000 { // from here on it is kept with the highest number
				p.Files = append(p.Files, repo.File{Path: "tasks/.highest", Data: fmt.Appendf(nil, "t%d\n", last)})
			}
			if !yield(p) {
				return
			}
		}
	}
}
