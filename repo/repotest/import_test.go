package repotest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestImport compares an imported history with the same proposals through the
// write door: to the last bit, wherever it begins.
func TestImport(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_800_000_000, 0)
	committer := repo.Person{Name: "git-tasks", Mail: "git-tasks@localhost"}
	var proposals []repo.Proposal
	for i := range 30 {
		p := repo.Proposal{Author: repo.Person{Name: "ana b", Mail: "ana@example.org"}, At: at, Message: repo.Message{
			Subject: fmt.Sprintf("t%d: from %d", i, i), Trailers: []repo.Trailer{{Key: "Tool", Value: "task_add"}}}}
		p.Files = append(p.Files, repo.File{Path: fmt.Sprintf("tasks/%d/t%d.md", i%7, i), Data: []byte(strings.Repeat("x\n", i))})
		if i%10 == 9 {
			p.Files = append(p.Files, repo.File{Path: fmt.Sprintf("tasks/%d/t%d.md", (i-2)%7, i-2)})
		}
		proposals = append(proposals, p)
	}
	imported, written := repotest.New(t), repotest.New(t)
	for _, part := range [][]repo.Proposal{proposals[:12], proposals[12:12], proposals[12:]} {
		err := repotest.Import(imported, "refs/heads/main", committer, func(yield func(repo.Proposal) bool) {
			for _, p := range part {
				if !yield(p) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r := repotest.Open(t, written, repo.Options{Committer: committer, Now: func() time.Time { return at }})
	if _, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) { return proposals, nil }); err != nil {
		t.Fatal(err)
	}
	got, want := repotest.Git(t, imported, "rev-parse", "main"), repotest.Git(t, written, "rev-parse", "main")
	if got != want {
		t.Errorf("imported %s, written %s:\n%s", got, want, repotest.Git(t, imported, "log", "--stat", "main"))
	}
}

// TestImportFails gives what git says of a stream that it cannot read.
func TestImportFails(t *testing.T) {
	t.Parallel()
	err := repotest.Import(repotest.New(t), "refs/heads/main", repo.Person{Name: "a"}, func(yield func(repo.Proposal) bool) {
		yield(repo.Proposal{Files: []repo.File{{Path: "a\nb"}}})
	})
	if err == nil || !strings.Contains(err.Error(), "git fast-import") {
		t.Errorf("got %v", err)
	}
}
