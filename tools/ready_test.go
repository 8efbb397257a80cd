package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// waiters is a list in which tasks wait, two by two, for everything that one can be
// waited for: each status, a record that cannot be read, one that was removed, and ids
// of what is still to come or is no task. Beside the files it gives what is in the way
// of each.
func waiters() (files []repo.File, open map[string][]string) {
	add := func(id, more string) {
		files = append(files, repo.File{Path: records.PathOf(id), Data: []byte("---\nid: " + id + "\ntitle: T\n" + more + "\n---\n")})
	}
	open = map[string][]string{}
	ends := []string{"todo", "doing", "blocked", "review", "done", "dropped", "waiting"}
	for i, status := range ends {
		add(fmt.Sprintf("t%d", i+1), "status: "+status)
	}
	blockers := []string{"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t999", "p1", "fix-login"}
	n := 100
	for _, one := range blockers {
		for _, other := range blockers {
			id := fmt.Sprintf("t%d", n)
			add(id, "status: todo\nblockedBy: ["+one+", "+other+"]")
			open[id] = slices.DeleteFunc([]string{one, other}, func(b string) bool { return b == "t5" || b == "t8" })
			n++
		}
	}
	return files, open
}

// TestA17EveryViewSaysTheSame: what is ready, and what is in the way of what is not, is
// the same in both lists, in the answer about one task, in the refusal of a claim and
// of the moves that the settings gate.
func TestA17EveryViewSaysTheSame(t *testing.T) {
	t.Parallel()
	files, open := waiters()
	dir := repotest.New(t)
	repotest.Foreign(t, dir, branch, "mia", "by hand", files...)
	s := toolstest.Open(t, tools.Config{Path: dir, Settings: &tools.Settings{Options: tools.Options{GateOnBlockers: true, CloseGate: true}}})
	ready := map[string]bool{}
	for _, r := range ask(t, s, "task_list", `{"ready":true}`).Records {
		ready[r.(*records.Listed).ID] = true
	}
	list := toolstest.List{Store: s}
	for _, r := range ask(t, s, "task_list", `{"status":"todo"}`).Records {
		listed := r.(*records.Listed)
		id, want := listed.ID, open[listed.ID]
		if id == "t1" {
			continue // it waits for nothing
		}
		if ready[id] != (len(want) == 0) {
			t.Errorf("%s waits for %q, and ready is %v", id, want, ready[id])
		}
		one := ask(t, s, "task_get", `{"task":"`+id+`"}`).Records[0].(*detail.Task)
		if !slices.Equal(listed.OpenBlockers, want) || !slices.Equal(one.OpenBlockers, want) || one.Blocked != (len(want) > 0) {
			t.Errorf("%s waits for %q; the list says %q, task_get %v, %q", id, want, listed.OpenBlockers, one.Blocked, one.OpenBlockers)
		}
		if len(want) == 0 {
			continue
		}
		refusal := "conflict: " + id + " is blocked by " + strings.Join(want, ", ") + "."
		for tool, input := range map[string]string{"task_claim": `{"task":"` + id + `"}`, "task_set": `{"task":"` + id + `","status":"done"}`} {
			if got := toolstest.Direct(t, list, tools.Who{Person: "ana"}, tool, input); got.Text != refusal || got.Code != tools.Conflict {
				t.Errorf("%s %s: %q, want %q", tool, input, got.Text, refusal)
			}
		}
	}
	for len(ready) > 0 { // next takes those that are, and no other
		id, _, _ := strings.Cut(must(t, s, tools.Who{Person: "ana"}, "task_claim", `{"next":true}`), " ")
		if !ready[id] {
			t.Fatalf("next took %s", id)
		}
		delete(ready, id)
	}
	if got := must(t, s, tools.Who{Person: "ana"}, "task_claim", `{"next":true}`); got != "No task is ready." {
		t.Errorf("then next took %s", got)
	}
}
