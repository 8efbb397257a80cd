package simulation_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// call makes a call through either store, and checks whether it was refused
// and whether it made a commit.
func (s *simulation) call(r *rapid.T, by, tool string, input any, refused, changed bool) string {
	data, err := json.Marshal(input)
	if err != nil {
		r.Fatal(err)
	}
	store := s.stores[rapid.IntRange(0, 1).Draw(r, "store")]
	got := toolstest.Direct(s.t, toolstest.List{Store: store}, tools.Who{Person: by, Folder: "/srv/work"}, tool, string(data))
	if (got.Code != "") != refused || (got.Commit != "") != changed {
		r.Fatalf("%s %s: %q %s, commit %q; want refused %v, changed %v", tool, data, got.Text, got.Code, got.Commit, refused, changed)
	}
	if changed {
		s.ledger.commits[got.Commit] = entry{by: by}
	}
	return got.Text
}

func person(r *rapid.T) string {
	return rapid.SampledFrom([]string{"ana", "bob", "mia"}).Draw(r, "person")
}

func title(r *rapid.T) string {
	return rapid.SampledFrom([]string{"A", "yes", "a: b", "# x", "- [ ] y", "'q\"", "2026-10-18", "é 🎉", " x "}).Draw(r, "title")
}

// number is mostly one that is there.
func number(r *rapid.T, highest int) int { return rapid.IntRange(1, highest+1).Draw(r, "number") }

func (s *simulation) add(r *rapid.T) {
	by, t := person(r), modelTask{title: title(r), priority: rapid.SampledFrom([]string{"", "high", "medium"}).Draw(r, "priority")}
	input := map[string]any{"title": t.title, "priority": t.priority}
	if rapid.IntRange(0, 3).Draw(r, "into a plan") == 0 {
		n := number(r, s.model.highest[1])
		t.plan = fmt.Sprintf("p%d", n)
		input["plan"] = t.plan
		if _, known := s.model.plans[n]; !known {
			s.call(r, by, "task_add", input, true, false)
			return
		}
	}
	want := fmt.Sprintf("t%d todo %s %s", s.model.addTask(t), cmp.Or(t.priority, "medium"), t.title)
	if got := s.call(r, by, "task_add", input, false, true); got != want {
		r.Fatalf("task_add gave %q, want %q", got, want)
	}
}

func (s *simulation) plan(r *rapid.T) {
	by, name := person(r), title(r)
	want := fmt.Sprintf("p%d draft %s", s.model.addPlan(name), name)
	if got := s.call(r, by, "plan_create", map[string]any{"title": name}, false, true); got != want {
		r.Fatalf("plan_create gave %q, want %q", got, want)
	}
}

func (s *simulation) set(r *rapid.T) { s.setOne(r, number(r, s.model.highest[0])) }

func (s *simulation) setWanted(r *rapid.T) { s.setOne(r, s.wanted(r)) }

func (s *simulation) setOne(r *rapid.T, n int) {
	by := person(r)
	choices := map[string][]string{
		"status": {"todo", "doing", "blocked", "review", "done", "dropped"},
		"note":   {"", "half way", "n: 1"}, "owner": {"", "ana", "bob"}, "active": {"", "Doing it"}, "priority": {"", "high", "medium", "low"}, "plan": {""},
	}
	for p := range s.model.plans {
		choices["plan"] = append(choices["plan"], fmt.Sprintf("p%d", p))
	}
	slices.Sort(choices["plan"])
	named := map[string]string{}
	input := map[string]any{"task": fmt.Sprintf("t%d", n)}
	for _, field := range slices.Sorted(maps.Keys(choices)) {
		if rapid.Bool().Draw(r, "name "+field) {
			named[field] = rapid.SampledFrom(choices[field]).Draw(r, field)
			input[field] = named[field]
		}
	}
	if _, assigns := named["owner"]; assigns && s.isMoved(n) {
		return
	} else if assigns {
		s.claimed[n] = true
	}
	refused, changed := s.model.setTask(n, by, named)
	s.call(r, by, "task_set", input, refused, changed)
}

func (s *simulation) setPlan(r *rapid.T) {
	by, n := person(r), number(r, s.model.highest[1])
	status := rapid.SampledFrom([]string{"draft", "active", "done", "dropped"}).Draw(r, "status")
	refused, changed := s.model.setPlan(n, by, status)
	s.call(r, by, "plan_set", map[string]any{"plan": fmt.Sprintf("p%d", n), "status": status}, refused, changed)
}

func (s *simulation) stamp(r *rapid.T) {
	by, n := person(r), number(r, s.model.highest[0])
	t, known := s.model.tasks[n]
	t = t.asOf(s.clock.Now())
	tool := rapid.SampledFrom([]string{"task_approve", "task_review"}).Draw(r, "tool")
	if known {
		s.model.mint()
		if tool == "task_approve" {
			t.approvedBy = by
		} else {
			t.reviewedBy = by
		}
		s.model.tasks[n] = t
	}
	s.call(r, by, tool, map[string]any{"task": fmt.Sprintf("t%d", n)}, !known, known)
}
