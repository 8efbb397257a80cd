package records_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

const draftFile = "---\ntitle: Draft\n---\n"

// blocked is a tree with entries that are no plain files.
func blocked(files tree, odd map[string]fs.FileMode) fstest.MapFS {
	m := files.fs().(fstest.MapFS)
	for path, mode := range odd {
		m[path] = &fstest.MapFile{Data: []byte("x"), Mode: mode}
	}
	return m
}

// bothBooks gives a Book that reads as it is asked, and one that has read all.
func bothBooks(t *testing.T, fsys fs.FS) map[string]*records.Book {
	t.Helper()
	whole := records.NewBook(fsys)
	taskIDs(t, whole)
	return map[string]*records.Book{"lazy": records.NewBook(fsys), "whole": whole}
}

// wantError asks for an error of the storage's that says exactly this at its end.
func wantError(t *testing.T, b *records.Book, e records.Edit, text string) {
	t.Helper()
	_, err := b.Apply(e, records.Mark{At: noon}, records.Rules{})
	var refusal *records.Refusal
	if err == nil || errors.As(err, &refusal) || !strings.HasSuffix(err.Error(), text) {
		t.Errorf("%T: %v\nwant ...%s", e, err, text)
	}
}

func addPlan() records.AddPlan {
	return records.AddPlan{Title: "P", Scope: records.Scope{Kind: "bot", Bot: "b"}}
}

// A draft past the last id stays one; everybody else goes on.
func TestDraftsBeyondTheLastID(t *testing.T) {
	t.Parallel()
	last := records.PathOf("t999999999")
	for name, c := range map[string]struct {
		files  tree
		minted []string
		path   string
	}{
		"the last is taken": {tree{last: taskFile("t999999999", "todo")}, nil, last},
		"one is left":       {tree{records.PathOf("t999999998"): taskFile("t999999998", "todo")}, []string{"t999999999"}, last},
		"only noted":        {tree{"tasks/.highest": "t999999999\n"}, nil, "tasks/.highest"},
		"in another folder": {tree{"tasks/web/t999999999.md": taskFile("t999999999", "todo")}, nil, "tasks/web/t999999999.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := c.files.with([]records.File{
				{Path: "tasks/dr.md", Data: []byte(draftFile)}, {Path: "tasks/z.md", Data: []byte(draftFile)},
				{Path: "plans/big.md", Data: []byte(planDraft)}, {Path: "tasks/t1.md", Data: []byte(taskFile("t1", "todo", "blockedBy: [dr, z]", "plan: big"))},
			})
			var paths []string
			for path := range files {
				paths = append(paths, path)
			}
			for how, b := range bothBooks(t, files.fs()) {
				ups, err := b.FollowUps(nil, []records.Foreign{{Author: "eve", Paths: paths}})
				if err != nil || len(ups) != 1 {
					t.Fatalf("%s: follow-ups %+v, %v", how, ups, err)
				}
				wantList(t, "minted", ups[0].IDs, append(c.minted, "p1")...)
				next := ups[0].Book
				if task, err := next.Task("t1"); err != nil || task.Plan != "p1" {
					t.Errorf("%s: t1 is %+v, %v", how, task, err)
				}
				wantList(t, "drafts", next.Drafts(), []string{"tasks/dr.md", "tasks/z.md"}[len(c.minted):]...)
				wantError(t, next, add("a"), "no id is left in tasks: the highest is t999999999 ("+c.path+")")
				for _, e := range []records.Edit{set("t1", "doing"), records.Approve{ID: "t1"}, addPlan()} {
					if _, err := next.Apply(e, records.Mark{At: noon}, records.Rules{}); err != nil {
						t.Errorf("%s: %T: %v", how, e, err)
					}
				}
			}
		})
	}
}

const planDraft = "---\ntitle: Big\nscope: {kind: bot, bot: b}\n---\n"

// What lies where we would write is named with the mend, and keeps nobody from
// writing elsewhere.
func TestBlockedPaths(t *testing.T) {
	t.Parallel()
	ninetynine := tree{"tasks/t99.md": taskFile("t99", "todo"), "plans/p1.md": planFile("p1", "active")}
	onlyPlans := tree{"plans/p1.md": planFile("p1", "active")}
	onlyTasks := tree{"tasks/t99.md": taskFile("t99", "todo")}
	far := tree{records.PathOf("t9999"): taskFile("t9999", "todo"), "plans/p1.md": planFile("p1", "active")}
	for name, c := range map[string]struct {
		files tree
		odd   map[string]fs.FileMode
		edit  records.Edit
		want  string
		works []records.Edit
		mints []string
	}{
		"a file for a folder":   {ninetynine, map[string]fs.FileMode{"tasks/1": 0o644}, add("a"), "tasks/1 is a file where t100 needs a folder; move it away", []records.Edit{set("t99", "doing"), addPlan()}, []string{"p2"}},
		"a link for a folder":   {ninetynine, map[string]fs.FileMode{"tasks/1": fs.ModeSymlink}, add("a"), "tasks/1 is a symbolic link where t100 needs a folder; move it away", []records.Edit{set("t99", "doing")}, []string{"p2"}},
		"a submodule":           {ninetynine, map[string]fs.FileMode{"tasks/1": fs.ModeIrregular}, add("a"), "tasks/1 is a submodule or another special file where t100 needs a folder; move it away", nil, []string{"p2"}},
		"tasks is a file":       {onlyPlans, map[string]fs.FileMode{"tasks": 0o644}, add("a"), "tasks is a file where t1 needs a folder; move it away", []records.Edit{records.Approve{ID: "p1"}, addPlan()}, []string{"p2"}},
		"tasks is a link":       {onlyPlans, map[string]fs.FileMode{"tasks": fs.ModeSymlink}, add("a"), "tasks is a symbolic link where t1 needs a folder; move it away", []records.Edit{addPlan()}, []string{"p2"}},
		"plans is a file":       {onlyTasks, map[string]fs.FileMode{"plans": 0o644}, addPlan(), "plans is a file where p1 needs a folder; move it away", []records.Edit{set("t99", "done"), add("a")}, []string{"t100", "t101"}},
		"plans is a link":       {onlyTasks, map[string]fs.FileMode{"plans": fs.ModeSymlink}, addPlan(), "plans is a symbolic link where p1 needs a folder; move it away", []records.Edit{add("a")}, []string{"t100", "t101"}},
		".highest is a folder":  {ninetynine, map[string]fs.FileMode{"tasks/.highest/x": 0o644}, records.Remove{IDs: []string{"t99"}}, "tasks/.highest is a folder where the highest id needs a file; move it away", []records.Edit{add("a"), set("t99", "done"), addPlan()}, []string{"t100", "t101", "p2"}},
		".highest, far":         {far, map[string]fs.FileMode{"tasks/.highest/x": 0o644}, add("a"), "tasks/.highest is a folder where the highest id needs a file; move it away", []records.Edit{set("t9999", "done"), addPlan()}, []string{"t10000", "t10001", "p2"}},
		"plans/.highest folder": {onlyPlans, map[string]fs.FileMode{"plans/.highest/x": 0o644}, records.Remove{IDs: []string{"p1"}}, "plans/.highest is a folder where the highest id needs a file; move it away", []records.Edit{add("a"), addPlan()}, []string{"t1", "t2", "p2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, b := range bothBooks(t, blocked(c.files, c.odd)) {
				wantError(t, b, c.edit, c.want)
				for _, e := range c.works {
					if _, err := b.Apply(e, records.Mark{At: noon}, records.Rules{}); err != nil {
						t.Errorf("%s: %T: %v", how, e, err)
					}
				}
			}
			files := c.files.with(nil)
			if c.odd["tasks"] == 0 {
				files["tasks/dr.md"], files["tasks/web/dr.md"] = draftFile, draftFile
			}
			if c.odd["plans"] == 0 {
				files["plans/dr.md"] = planDraft
			}
			for how, b := range bothBooks(t, blocked(files, c.odd)) {
				ups, err := b.FollowUps(c.files.book(), []records.Foreign{{Author: "eve", Paths: []string{
					"tasks/dr.md", "tasks/web/dr.md", "plans/dr.md", "tasks/50/t5000.md", "plans/p1.md"}}})
				if err != nil || len(ups) != 1 {
					t.Fatalf("%s: follow-ups %+v, %v", how, ups, err)
				}
				for _, f := range ups[0].Files {
					for odd := range c.odd {
						if strings.HasPrefix(odd, f.Path+"/") || strings.HasPrefix(f.Path, odd+"/") {
							t.Errorf("%s: writes %s over %s", how, f.Path, odd)
						}
					}
				}
			}
			// Without the number that came and went the ids are the next ones.
			for how, b := range bothBooks(t, blocked(files, c.odd)) {
				ups, err := b.FollowUps(nil, []records.Foreign{{Author: "eve", Paths: []string{"tasks/dr.md", "tasks/web/dr.md", "plans/dr.md"}}})
				if err != nil || len(ups) != 1 {
					t.Fatalf("%s: follow-ups %+v, %v", how, ups, err)
				}
				wantList(t, how+" minted", ups[0].IDs, c.mints...)
			}
		})
	}
}

// Only what needs .highest is kept from being removed by a folder in its place.
func TestRemoveWithoutRoomForHighest(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo")}
	for how, b := range bothBooks(t, blocked(files, map[string]fs.FileMode{"tasks/.highest/x.md": 0o644})) {
		o, err := b.Apply(records.Remove{IDs: []string{"t1"}}, records.Mark{At: noon}, records.Rules{})
		if err != nil || len(o.Files) != 1 {
			t.Errorf("%s: %+v, %v", how, o, err)
		}
		_, warnings, err := b.Check()
		if err != nil {
			t.Fatal(err)
		}
		wantFault(t, warnings, "tasks/.highest", "move it away")
	}
}

// A .highest that was lost is still written where nothing is in the way, also
// over a symbolic link.
func TestHighestReplacesALink(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t3.md": taskFile("t3", "todo")}
	for how, b := range bothBooks(t, blocked(files, map[string]fs.FileMode{"tasks/.highest": fs.ModeSymlink})) {
		ups, err := b.FollowUps(nil, []records.Foreign{{Author: "eve", Paths: []string{"tasks/.highest", "tasks/t9.md"}}})
		if err != nil || len(ups) != 1 || string(ups[0].Files[0].Data) != "t9\n" {
			t.Errorf("%s: %+v, %v", how, ups, err)
		}
	}
}

// Git stores names that a careful store never writes: such drafts and records
// stay as they are, and keep nobody from writing.
func TestFollowUpsLeaveNamesThatAreNotWritten(t *testing.T) {
	t.Parallel()
	odd := []string{"tasks/a\u202eb.md", "tasks/.git:x.md", "tasks/GIT~1/x.md", "tasks/.g\u200dit/x.md", "tasks/" + strings.Repeat("a", 253) + ".md", "tasks/b\u2066/y.md"}
	files := tree{"tasks/x.md": draftFile, "tasks/c\u202e/t3.md": taskFile("t3", "todo", "parent: tasks/x.md"), "tasks/t2.md": taskFile("t2", "todo", "parent: tasks/x.md")}
	paths := append([]string{"tasks/x.md"}, odd...)
	for _, path := range odd {
		files[path] = draftFile
	}
	for how, b := range bothBooks(t, files.fs()) {
		ups, err := b.FollowUps(nil, []records.Foreign{{Author: "eve", Paths: paths}})
		if err != nil || len(ups) != 1 {
			t.Fatalf("%s: %+v, %v", how, ups, err)
		}
		wantList(t, how, pathsOf(ups[0].Files), "tasks/.highest", "tasks/t2.md", "tasks/t4.md", "tasks/x.md")
	}
}

// A draft so full that its references would not fit as ids keeps them as names.
func TestFullDraftKeepsNames(t *testing.T) {
	t.Parallel()
	full := "---\ntitle: Full\nparent: x\n---\n\n"
	full += strings.Repeat("a", records.MaxRecord-len(full)-len("id: t123456789\nstatus: todo\n"))
	files := tree{"tasks/full.md": full, "tasks/x.md": draftFile, "tasks/.highest": "t123456700\n"}
	ups, err := files.book().FollowUps(nil, []records.Foreign{{Author: "eve", Paths: []string{"tasks/full.md", "tasks/x.md"}}})
	if err != nil || len(ups) != 1 {
		t.Fatalf("%+v, %v", ups, err)
	}
	wantList(t, "minted", ups[0].IDs, "t123456701", "t123456702")
	if task, err := ups[0].Book.Task("t123456701"); err != nil || task.Parent != "x" {
		t.Errorf("%v", err)
	}
}
