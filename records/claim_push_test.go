package records_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

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

// TestClaimsAtLooksThereAlone: of the files that change, those that are claims, whether
// all was read before or not, and no folder is listed for what is not there yet.
func TestClaimsAtLooksThereAlone(t *testing.T) {
	t.Parallel()
	claim := func(id string) string {
		return taskFile(id, "doing", "owner: w1", "lease:", "  at: 2026-07-25T11:00:00Z", "  by: w1")
	}
	files := counted{fstest.MapFS{}, new(atomic.Int64)}
	all := tree{
		"tasks/t1.md": claim("t1"), "tasks/t2.md": taskFile("t2", "todo"), "tasks/t3.md": "---\nid: t3\n---\n",
		"tasks/x/t1.md": claim("t1"), "tasks/x/t3.md": claim("t3"), "tasks/x/t4.md": claim("t4"), "plans/x.md": claim("t5"),
	}
	for path, text := range all {
		files.MapFS[path] = &fstest.MapFile{Data: []byte(text)}
	}
	ids := func(claims []*records.Task) string {
		var ids []string
		for _, task := range claims {
			ids = append(ids, task.ID)
		}
		return strings.Join(ids, " ")
	}
	whole := records.NewBook(files)
	if claims, err := whole.Claims(); err != nil || ids(claims) != "t1 t4" {
		t.Errorf("all claims are %s, %v", ids(claims), err)
	}
	lazy := records.NewBook(files)
	for _, c := range []struct {
		paths, want string
		lists       bool
	}{
		{"tasks/t1.md tasks/t2.md tasks/t3.md tasks/t9.md tasks/1/t100.md README.md plans/x.md tasks", "t1", false},
		{"tasks/x/t1.md tasks/x/t3.md", "", false}, // the other file has the id
		{"tasks/x/t4.md tasks/t4.md tasks/t1.md", "t4 t1", true},
	} {
		for name, b := range map[string]*records.Book{"whole": whole, "lazy": lazy} {
			before := files.lists.Load()
			claims, err := b.ClaimsAt(strings.Fields(c.paths))
			if got := ids(claims); got != c.want || err != nil {
				t.Errorf("%s, %s: %q, %v, want %q", name, c.paths, got, err, c.want)
			}
			if listed := files.lists.Load() > before; listed && !c.lists {
				t.Errorf("%s, %s: folders were listed", name, c.paths)
			}
		}
	}
}
