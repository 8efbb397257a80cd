package records_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// FuzzGuard has any of the faults wrong with a change at once: the one that is looked
// for first speaks, and ahead of all of them whose the task is, where another has it.
func FuzzGuard(f *testing.F) {
	for which := range uint16(1 << len(faults)) {
		if alone := which&(which-1) == 0; alone || which%5 == 0 {
			f.Add(which, false)
			f.Add(which, true)
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, isHeld bool) {
		files, mark, want := tree{"tasks/t1.md": taskFile("t1", "todo")}, records.Mark{By: "w1", In: "ahp-session:/s1", At: noon}, ""
		if isHeld {
			files, mark.In = held(""), "ahp-session:/s2"
		}
		files["tasks/t2.md"] = taskFile("t2", "todo")
		edit := records.SetTask{Task: "t1", Fields: records.Fields{Topic: ptr("x")}}
		for i := len(faults) - 1; i >= 0; i-- {
			if which&(1<<i) == 0 {
				continue
			}
			if want = faults[i].words; faults[i].files != nil && !isHeld {
				faults[i].files(files)
			}
			faults[i].edit(&edit)
		}
		if isHeld {
			want = "conflict: t1 is held by w1 in ahp-session:/s1."
		}
		_, err := files.book().Apply(edit, mark, records.Rules{KnownUser: func(name string) bool { return name != "stranger" }})
		var r *records.Refusal
		if errors.As(err, &r); (err == nil) != (want == "") || r != nil && r.Text != want {
			t.Fatalf("%b of a task held %v: %v, want %q", which, isHeld, err, want)
		}
	})
}

// FuzzJudge pushes any text in place of any other: what the gate takes can be read, it
// has the stamps and the lease that were there, and what another holds is as it was,
// but for its note.
func FuzzJudge(f *testing.F) {
	texts := []string{"", "x", openTask()["tasks/t1.md"], held("")["tasks/t1.md"], held("12:30")["tasks/t1.md"], held("11:30")["tasks/t1.md"],
		held("", "note: seen")["tasks/t1.md"], held("", "rank: V", "own: 1")["tasks/t1.md"], taskFile("t1", "doing", "owner: w2"),
		taskFile("t1", "doing", "lease: {}"), taskFile("t1", "done", "finished:\n  at: 2026-10-18T10:00:00.000Z\n  by: w2"),
		taskFile("t1", "todo", "owner: w2", "parent: t1", "rank: '~'"), strings.ReplaceAll(held("")["tasks/t1.md"], "\n", "\r\n"), "---\n<<<<<<< a\n"}
	for _, before := range texts {
		for _, after := range texts {
			f.Add(before, after)
		}
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		old, next := tree{"tasks/t1.md": before}.book(), tree{"tasks/t1.md": after}.book()
		if before == "" {
			old = tree{}.book()
		}
		if after == "" {
			next = tree{"tasks/.highest": "t1\n"}.book()
		}
		faults, err := records.CheckPush(old, next, []string{"tasks/t1.md", "tasks/.highest"}, records.Push{By: "w2", At: noon})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			if fault.Reason == "" || strings.ContainsAny(fault.String(), "\x1b\x00") {
				t.Fatalf("%q", fault)
			}
		}
		was, err := old.Task("t1")
		if err != nil || was == nil || len(faults) > 0 {
			return
		}
		is, err := next.Task("t1")
		if err != nil || is == nil && after != "" {
			t.Fatalf("the gate takes what is read as %v, %v", is, err)
		}
		if is != nil && hostsOf(is) != hostsOf(was) {
			t.Fatalf("the gate takes the host's as\n%s\nfor\n%s", hostsOf(is), hostsOf(was))
		}
		_, err = old.Apply(records.RemoveTask{Task: "t1"}, records.Mark{By: "w2", At: noon}, records.Rules{})
		var r *records.Refusal
		if errors.As(err, &r) && strings.Contains(r.Text, " is held by ") && (is == nil || is.Title != was.Title || is.Status != was.Status || is.Owner != was.Owner || is.Body != was.Body) {
			t.Fatalf("the gate takes %+v for %+v, which another has: %v", is, was, err)
		}
	})
}

// hostsOf is what of a task tools alone write, as text.
func hostsOf(t *records.Task) string {
	var b strings.Builder
	for name, s := range t.Stamps() {
		b.WriteString(name + " " + s.At + " " + s.By + " " + s.In + "\n")
	}
	if l := t.Lease; l != nil {
		b.WriteString("lease " + l.At + " " + l.By + " " + l.In + " " + l.Until + "\n")
	}
	return b.String()
}
