package tools_test

import (
	"context"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestWatch: what changes after Watch has returned is told in its order, by
// whomever it was made, and no more after the end.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	moves, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ana := tools.Who{Person: "ana"}
	steps := []func(){
		func() { toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`) },
		func() {
			repotest.Foreign(t, dir, "refs/heads/main", "eve", "x", repo.File{Path: "tasks/t1.md", Data: []byte("no record")})
		},
		func() { // by another process, as far as this store knows
			other := toolstest.Again(t, tools.Config{Path: dir})
			toolstest.Direct(t, toolstest.List{Store: other}, ana, "task_add", `{"title":"B"}`)
		},
		cancel,
	}
	var told []string
	steps[0]()
	for changes := range moves {
		for _, c := range changes {
			told = append(told, wordOf(c))
		}
		steps = steps[1:]
		steps[0]()
	}
	want := []string{"added A", "removed A", "added B"}
	if len(told) != len(want) {
		t.Fatalf("told of %q, want %q", told, want)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told of %q, want %q", told, want)
		}
	}
}

func wordOf(c records.Change) string {
	switch {
	case c.Before == nil:
		return "added " + c.After.Title
	case c.After == nil:
		return "removed " + c.Before.Title
	}
	return "changed " + c.After.Title
}
