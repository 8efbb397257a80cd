package records_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// TestQueueAPushMeetsTheSameGuard: whatever a tool may change, a push by the same
// person in no session may, and the other way round.
func TestQueueAPushMeetsTheSameGuard(t *testing.T) {
	t.Parallel()
	gone := func(s string) bool { return s == "ahp-session:/s1" }
	byPerson := tree{"tasks/t1.md": taskFile("t1", "doing", "owner: w1", "lease:\n  at: 2026-10-18T10:00:00.000Z\n  by: w1")}
	for name, c := range map[string]struct {
		tree  tree
		by    string
		gone  func(string) bool
		holds bool
	}{
		"another's session":            {held("12:30"), "w2", nil, true},
		"a session of the same":        {held(""), "w1", nil, true},
		"a person, another pushes":     {byPerson, "w2", nil, true},
		"the holder":                   {byPerson, "w1", nil, false},
		"its time is up":               {held("12:00"), "w2", nil, false},
		"its session is gone":          {held("12:30"), "w2", gone, false},
		"nobody holds it":              {openTask(), "w2", nil, false},
		"doing without a lease":        {tree{"tasks/t1.md": taskFile("t1", "doing", "owner: w1")}, "w2", nil, false},
		"assigned, and not claimed":    {tree{"tasks/t1.md": taskFile("t1", "todo", "owner: w1")}, "w2", nil, false},
		"a lease on what is not begun": {tree{"tasks/t1.md": strings.Replace(byPerson["tasks/t1.md"], "doing", "review", 1)}, "w2", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark, rules := records.Mark{By: c.by, At: noon}, records.Rules{Gone: c.gone}
			renamed := strings.Replace(c.tree["tasks/t1.md"], "Task t1", "Other", 1)
			noted := strings.Replace(c.tree["tasks/t1.md"], "status:", "note: seen\nstatus:", 1)
			for _, change := range []struct {
				edit   records.Edit
				pushed string
				holds  bool
			}{
				{records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Other")}}, renamed, c.holds},
				{records.RemoveTask{Task: "t1"}, "", c.holds},
				{records.SetTask{Task: "t1", Fields: records.Fields{Note: ptr("seen")}}, noted, false},
			} {
				_, err := c.tree.book().Apply(change.edit, mark, rules)
				var r *records.Refusal
				if holds := errors.As(err, &r) && r.Kind == records.Held; holds != change.holds {
					t.Errorf("%+v: a tool gets %v", change.edit, err)
				}
				next := tree{"tasks/t1.md": change.pushed}
				if change.pushed == "" {
					next = tree{"tasks/.highest": "t1\n"}
				}
				faults, err := records.CheckPush(c.tree.book(), next.book(), []string{"tasks/t1.md", "tasks/.highest"},
					records.Push{By: c.by, At: noon, Rules: rules})
				if holds := len(faults) > 0 && strings.Contains(faults[0].Reason, "t1 is held by w1"); err != nil || holds != change.holds {
					t.Errorf("%+v: a push gets %v, %v", change.edit, faults, err)
				}
			}
		})
	}
}

// TestQueueAPushNamesKnownOwners: as a tool does; who stood there before may stay.
func TestQueueAPushNamesKnownOwners(t *testing.T) {
	t.Parallel()
	was := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo", "owner: gone")}
	push := records.Push{By: "w1", At: noon, Rules: records.Rules{KnownUser: func(name string) bool { return name == "w2" }}}
	for _, c := range []struct{ path, owner, want string }{
		{"tasks/t1.md", "w2", ""},
		{"tasks/t1.md", "stranger", "tasks/t1.md:5: owner must match the id of a known user."},
		{"tasks/t2.md", "gone", ""},
		{"tasks/t2.md", "stranger", "tasks/t2.md:5: owner must match the id of a known user."},
		{"tasks/t3.md", "stranger", "tasks/t3.md:5: owner must match the id of a known user."},
	} {
		next := tree{"tasks/t1.md": was["tasks/t1.md"], "tasks/t2.md": was["tasks/t2.md"]}
		next[c.path] = taskFile(strings.TrimSuffix(strings.TrimPrefix(c.path, "tasks/"), ".md"), "todo", "owner: "+c.owner, "topic: x")
		faults, err := records.CheckPush(was.book(), next.book(), []string{c.path}, push)
		got := ""
		if len(faults) > 0 {
			got = faults[0].String()
		}
		if got != c.want || err != nil {
			t.Errorf("%s to %s: %q, %v", c.path, c.owner, got, err)
		}
	}
}
