package records_test

import (
	"errors"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestRestoreTakesTheTextAsItWas(t *testing.T) {
	t.Parallel()
	old := "---\r\ntitle:  Fix #12\r\nid: t2\r\nstatus: todo\r\nmine: x\r\n---\r\n"
	d := newDesk(t, tree{"tasks/.highest": "t3\n", "tasks/t1.md": taskFile("t1", "todo"), "tasks/t4.md": "broken"})
	o := d.do(records.Restore{Files: []records.File{
		{Path: "tasks/web/t2.md", Data: []byte(old)}, {Path: "plans/p1.md", Data: []byte(planFile("p1", "done"))}}})
	if len(o.IDs) != 2 || o.IDs[0] != "t2" || o.IDs[1] != "p1" || o.What != "restore" {
		t.Errorf("restored %v, %q", o.IDs, o.What)
	}
	if len(o.Files) != 2 || o.Files[1].Path != "tasks/t2.md" || string(o.Files[1].Data) != old {
		t.Errorf("wrote %q", o.Files)
	}
	for id, text := range map[string]string{"t1": taskFile("t1", "todo"), "t4": taskFile("t4", "todo")} {
		_, err := d.book.Apply(records.Restore{Files: []records.File{{Path: records.PathOf(id), Data: []byte(text)}}}, d.mark, d.rules)
		var r *records.Refusal
		if want := id + " is in the list already, at " + records.PathOf(id) + "."; !errors.As(err, &r) || r.Kind != records.Conflict || r.Text != want {
			t.Errorf("refused with %v, want %s", err, want)
		}
	}
	for path, text := range map[string]string{"tasks/t3.md": "broken", "tasks/x.md": "---\ntitle: a\n---\n"} {
		if _, err := d.book.Apply(records.Restore{Files: []records.File{{Path: path, Data: []byte(text)}}}, records.Mark{}, records.Rules{}); err == nil {
			t.Errorf("%s was restored: %q", path, text)
		}
	}
}

// TestOnlyARestoreTakesAnIdAgain: the gate lets the named ids pass, where they
// belong, and nothing beside them; a push names none.
func TestOnlyARestoreTakesAnIdAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files    tree
		restored []string
		faults   int
	}{
		"a push":                {tree{"tasks/t9.md": taskFile("t9", "todo")}, nil, 1},
		"a restore":             {tree{"tasks/t9.md": taskFile("t9", "todo")}, []string{"t9"}, 0},
		"of another id":         {tree{"tasks/t9.md": taskFile("t9", "todo")}, []string{"t8"}, 1},
		"with another id":       {tree{"tasks/t9.md": taskFile("t9", "todo"), "tasks/t8.md": taskFile("t8", "todo")}, []string{"t9"}, 1},
		"in another folder":     {tree{"tasks/web/t9.md": taskFile("t9", "todo")}, []string{"t9"}, 2},
		"of what YAML cuts":     {tree{"tasks/t9.md": "---\nid: t9\ntitle: Fix #12\nstatus: todo\n---\n"}, []string{"t9"}, 0},
		"of what is unreadable": {tree{"tasks/t9.md": "broken"}, []string{"t9"}, 1},
		"of what is there":      {tree{"tasks/web/t1.md": taskFile("t1", "todo")}, []string{"t1"}, 1},
	} {
		next, paths := change(c.files)
		faults, err := records.CheckRestore(base().book(), next.book(), paths, c.restored)
		if err != nil || len(faults) != c.faults {
			t.Errorf("%s: %v, %v; want %d faults", name, faults, err, c.faults)
		}
	}
}
