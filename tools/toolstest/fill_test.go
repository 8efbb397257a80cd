package toolstest_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestFill makes lists that the check finds nothing wrong with, and that go on
// where they end.
func TestFill(t *testing.T) {
	t.Parallel()
	for n, next := range map[int]string{0: "t1", 1: "t2", 2500: "t2501", 10_300: "t10301"} {
		dir := repotest.New(t)
		toolstest.Fill(t, dir, n)
		s := toolstest.Open(t, tools.Config{Path: dir})
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, "task_add", `{"title":"Next"}`)
		if got.Text != next+" todo medium Next" {
			t.Errorf("after %d tasks: %q", n, got.Text)
		}
	}
}
