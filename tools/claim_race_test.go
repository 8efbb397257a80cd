package tools_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestA2OneWinner: 40 workers through several stores claim one task at once; one has
// it, and the others are told who.
func TestA2OneWinner(t *testing.T) {
	t.Parallel()
	stores := severalStores(t, 4)
	worker(t, stores[0], "0", "task_add", `{"title":"A"}`)
	var winners, losers []string
	for i, got := range atOnce(t, stores, 40, "task_claim", `{"task":"t1"}`) {
		if got == "t1 doing medium A" {
			winners = append(winners, fmt.Sprintf("w%d in ahp-session:/s%d", i, i))
		} else {
			losers = append(losers, got)
		}
	}
	if len(winners) != 1 {
		t.Fatalf("winners are %q", winners)
	}
	for _, got := range losers {
		if got != "conflict: t1 is held by "+winners[0]+"." {
			t.Errorf("a loser is told %q, and the winner is %s", got, winners[0])
		}
	}
	toolstest.Check(t, stores[0])
}

// TestA2NextGivesEachItsOwn: of 40 workers who ask for the next of 30 tasks at once,
// 30 get one each.
func TestA2NextGivesEachItsOwn(t *testing.T) {
	t.Parallel()
	stores := severalStores(t, 4)
	for range 30 {
		worker(t, stores[0], "0", "task_add", `{"title":"A"}`)
	}
	had, none := map[string]int{}, 0
	for _, got := range atOnce(t, stores, 40, "task_claim", `{"next":true}`) {
		switch {
		case got == "No task is ready.":
			none++
		case regexp.MustCompile(`^t\d+ doing medium A$`).MatchString(got):
			had[strings.Fields(got)[0]]++
		default:
			t.Errorf("a worker is told %q", got)
		}
	}
	if len(had) != 30 || none != 10 {
		t.Errorf("%d tasks were given out, and %d workers had none", len(had), none)
	}
	for id, n := range had {
		if n != 1 {
			t.Errorf("%s was given out %d times", id, n)
		}
	}
	toolstest.Check(t, stores[0])
}

// severalStores opens one list several times, as processes do.
func severalStores(t *testing.T, n int) []*tools.Store {
	t.Helper()
	dir := repotest.New(t)
	var stores []*tools.Store
	for range n {
		stores = append(stores, toolstest.Open(t, tools.Config{Path: dir}))
	}
	return stores
}

// atOnce makes one call of each of many workers, and gives what each is told.
func atOnce(t *testing.T, stores []*tools.Store, n int, tool, input string) []string {
	t.Helper()
	told := make([]string, n)
	var all sync.WaitGroup
	for i := range told {
		all.Go(func() { told[i] = worker(t, stores[i%len(stores)], fmt.Sprint(i), tool, input) })
	}
	all.Wait()
	return told
}

// TestQueueIdsAreExact: what is no id is refused as unknown by every tool, and
// reaches no path.
func TestQueueIdsAreExact(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	for _, id := range []string{" t1 ", "t1.md", "../t1", "T1", "t01", "t1\n", "t99999999999999999999"} {
		for _, tool := range []string{"task_claim", "task_release", "task_remove", "task_set"} {
			want := "Invalid " + tool + " input: task must match the id of a known task (see task_list)."
			if got := worker(t, s, "1", tool, `{"task":`+quoted(id)+`}`); got != want {
				t.Errorf("%s %q: %s", tool, id, got)
			}
		}
	}
}
