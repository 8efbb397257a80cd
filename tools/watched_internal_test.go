package tools

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
)

// TestQueueWatchersAreFew: those that are gone are forgotten, those that were first
// stay, and the last is known.
func TestQueueWatchersAreFew(t *testing.T) {
	t.Parallel()
	gone := watcher{"here", "1.1"} // no process 1 began then
	if repo.ProcessRuns(gone.Process) {
		t.Skip("this system does not say when a process began")
	}
	w := &watched{By: []watcher{gone}}
	for n := range 2 * maxWatchers {
		w.add(watcher{"here", fmt.Sprintf("in doubt it runs %d", n)})
	}
	name := func(n int) string { return w.By[n].Process }
	if len(w.By) != maxWatchers || slices.Contains(w.By, gone) || name(0) != "in doubt it runs 0" || name(maxWatchers-1) != fmt.Sprintf("in doubt it runs %d", 2*maxWatchers-1) {
		t.Errorf("%d watch: %+v", len(w.By), w.By)
	}
	w.add(w.By[0])
	if len(w.By) != maxWatchers {
		t.Errorf("one that comes again makes %d", len(w.By))
	}
}
