package tools_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestHistoryIsWhatGitTells compares the history of records that were moved,
// merged, removed, or never had an id with what git finds by their name.
func TestHistoryIsWhatGitTells(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Again(t, tools.Config{Path: dir})
	text := func(id string) []byte { return []byte("---\nid: " + id + "\ntitle: " + id + "\nstatus: todo\n---\n") }
	foreign := func(files ...repo.File) { repotest.Foreign(t, dir, "refs/heads/main", "mia", "by hand", files...) }
	note := func(id, text string) {
		t.Helper()
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_set", `{"task":"`+id+`","note":"`+text+`"}`)
		if got.Code != "" {
			t.Fatal(got.Text)
		}
	}
	foreign(repo.File{Path: "tasks/web/t1.md", Data: text("t1")}, repo.File{Path: "tasks/t2.md", Data: text("t2")},
		repo.File{Path: "tasks/web/t4.md", Data: text("t4")}, repo.File{Path: "tasks/idea.md", Data: []byte("no record")})
	note("t1", "elsewhere")
	note("t2", "at its place")
	foreign(repo.File{Path: "tasks/web/t1.md"}, repo.File{Path: "tasks/t1.md", Data: text("t1")})
	note("t1", "moved")
	note("t4", "always elsewhere")
	foreign(repo.File{Path: "tasks/t2.md"})
	note("t1", "after that")
	for _, id := range []string{"t1", "t2", "t3", "t4", "idea"} {
		want := strings.Fields(repotest.Git(t, dir, "log", "--first-parent", "--format=%H", "main", "--", ":(glob)**/"+id+".md"))
		events, err := s.History(id)
		var got []string
		for _, e := range events {
			got = append(got, e.Commit)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("of %s came %q, %v, git tells %q", id, got, err, want)
		}
	}
}
