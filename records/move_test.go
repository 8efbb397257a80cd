package records_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

// base is the tree that the moves of these tests start from.
func base() tree {
	return tree{
		"README.md": "top", "tasks/.highest": "t12\n", "tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": sampleOf("t2"),
		"tasks/t5.md": "---\nid: t5\ntitle: Fix #12\nstatus: todo\n---\n", "tasks/t200.md": taskFile("t200", "todo"),
		"tasks/t7.md": "broken", "plans/p1.md": planFile("p1", "active"),
	}
}

// markers is what a merge that stopped leaves in a text.
const markers = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"

func sampleOf(id string) string { return strings.Replace(sample, "id: t1", "id: "+id, 1) }

// change makes the files changed from base, "" for a removed one.
func change(files tree) (next tree, paths []string) {
	next = base()
	for path, text := range files {
		paths = append(paths, path)
		if next[path] = text; text == "" {
			delete(next, path)
		}
	}
	return next, paths
}

func TestMovesThatTheGateRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files         tree
		path, mention string
	}{
		"unreadable":            {tree{"tasks/t1.md": taskFile("t1", "waiting")}, "tasks/t1.md", "status must be"},
		"new and unreadable":    {tree{"tasks/x.md": "---\ntitle: a: b\n---\n"}, "tasks/x.md", "title"},
		"still unreadable":      {tree{"tasks/t7.md": "broken too"}, "tasks/t7.md", "frontmatter"},
		"text lost to comment":  {tree{"tasks/t1.md": strings.Replace(taskFile("t1", "todo"), "Task t1", "Fix #9", 1)}, "tasks/t1.md", "#9"},
		"id of another name":    {tree{"tasks/t201.md": taskFile("t202", "todo")}, "tasks/t201.md", "id"},
		"id changed in place":   {tree{"tasks/t1.md": taskFile("t201", "todo")}, "tasks/t1.md", "id"},
		"id taken out":          {tree{"tasks/t1.md": "---\ntitle: Task t1\nstatus: todo\n---\n"}, "tasks/t1.md", "id"},
		"wrong folder":          {tree{"tasks/t201.md": taskFile("t201", "todo")}, "tasks/t201.md", "tasks/2/t201.md"},
		"used once":             {tree{"tasks/t9.md": taskFile("t9", "todo")}, "tasks/t9.md", "t9 was used once"},
		"the highest again":     {tree{"tasks/t12.md": taskFile("t12", "todo")}, "tasks/t12.md", "t12 was used once"},
		"too far above":         {tree{"tasks/12/t1201.md": taskFile("t1201", "todo")}, "tasks/12/t1201.md", "more than 1000 above"},
		"plan too far above":    {tree{"plans/10/p1002.md": planFile("p1002", "draft")}, "plans/10/p1002.md", "more than 1000 above"},
		"two files of one id":   {tree{"tasks/web/t1.md": taskFile("t1", "todo")}, "tasks/web/t1.md", "t1 is held by tasks/t1.md"},
		"the place taken":       {tree{"tasks/2/t200.md": taskFile("t200", "done")}, "tasks/2/t200.md", "t200 is held by tasks/t200.md"},
		"renamed to a draft":    {tree{"tasks/t2.md": "", "tasks/x.md": strings.Replace(sample, "id: t1\n", "", 1)}, "tasks/x.md", "is t2 under another name"},
		"a plan renumbered":     {tree{"plans/p1.md": "", "plans/p2.md": strings.Replace(planFile("p1", "active"), "id: p1", "id: p2", 1)}, "plans/p2.md", "is p1 under another name"},
		"renumbered":            {tree{"tasks/t2.md": "", "tasks/2/t201.md": sampleOf("t201")}, "tasks/2/t201.md", "name it tasks/t2.md again"},
		".highest lowered":      {tree{"tasks/.highest": "t11\n"}, "tasks/.highest", "lowered"},
		".highest removed":      {tree{"tasks/.highest": ""}, "tasks/.highest", "t12"},
		".highest of no form":   {tree{"tasks/.highest": "12\n"}, "tasks/.highest", "one line"},
		".highest of two lines": {tree{"plans/.highest": "p1\np2\n"}, "plans/.highest", "one line"},
		"no Markdown":           {tree{"tasks/notes.txt": "x"}, "tasks/notes.txt", ".md"},
		"no frontmatter":        {tree{"plans/x.md": "x"}, "plans/x.md", "---"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, paths := change(c.files)
			bothWays(t, base(), next, paths, func(faults []records.Fault) {
				wantFault(t, faults, c.path, c.mention)
				if len(faults) != 1 {
					t.Errorf("%d faults: %q", len(faults), texts(faults))
				}
			})
		})
	}
}

func TestMovesThatTheGateAccepts(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]tree{
		"a draft":                {"tasks/web/x.md": "---\ntitle: Draft\n---\n"},
		"a new id":               {"tasks/2/t201.md": taskFile("t201", "todo")},
		"an id a thousand up":    {"tasks/12/t1200.md": taskFile("t1200", "todo")},
		"a removal":              {"tasks/t1.md": ""},
		"an edit":                {"tasks/t1.md": taskFile("t1", "done")},
		"a mended record":        {"tasks/t7.md": taskFile("t7", "todo")},
		"a misplaced one moved":  {"tasks/t200.md": "", "tasks/2/t200.md": taskFile("t200", "todo")},
		"a misplaced one edited": {"tasks/t200.md": taskFile("t200", "doing")},
		"a warning that stood":   {"tasks/t5.md": "---\nid: t5\ntitle: Fix #12\nstatus: done\n---\n"},
		".highest raised":        {"tasks/.highest": "t300\n", "plans/.highest": "p1\n"},
		"readme and beyond":      {"tasks/README.md": "x", "README.md": "y", "src/t1.md": "z"},
		"markers in a body":      {"tasks/t1.md": taskFile("t1", "todo") + "\n" + markers},
		"a warned one renamed":   {"tasks/t5.md": "", "tasks/web/x.md": "---\ntitle: Fix #12\nstatus: review\n---\nanother\n"},
		"removed, another new":   {"tasks/t1.md": "", "tasks/2/t201.md": taskFile("t201", "todo")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, paths := change(files)
			bothWays(t, base(), next, paths, func(faults []records.Fault) {
				wantList(t, "faults", texts(faults))
			})
		})
	}
}

// TestGateTakesWhatOneMoveMints has more new records than an id may be ahead, which
// a long list of a harness is; behind a gap they are as far as any other.
func TestGateTakesWhatOneMoveMints(t *testing.T) {
	t.Parallel()
	for first, want := range map[int]string{201: "", 1200: "", 1201: "t1201 is more than 1000 above the highest id, t200"} {
		files := tree{}
		for n := first; n < first+1500; n++ {
			id := fmt.Sprintf("t%d", n)
			files[records.PathOf(id)] = taskFile(id, "todo")
		}
		next, paths := change(files)
		bothWays(t, base(), next, paths, func(faults []records.Fault) {
			if want == "" {
				wantList(t, "faults", texts(faults))
			} else if len(faults) != 1 || !strings.Contains(faults[0].Reason, want) {
				t.Errorf("from t%d on: %q", first, texts(faults))
			}
		})
	}
}

// bothWays judges a move between Books that read nothing and between Books that
// read everything.
func bothWays(t *testing.T, from, to tree, paths []string, judge func([]records.Fault)) {
	t.Helper()
	lazy, err := records.CheckMove(from.book(), to.book(), paths)
	if err != nil {
		t.Fatal(err)
	}
	judge(lazy)
	old := from.book()
	taskIDs(t, old)
	whole, err := records.CheckMove(old, old.Advance(to.fs(), paths), paths)
	if err != nil {
		t.Fatal(err)
	}
	judge(whole)
}

func TestGateRefusesWhatIsNoPlainFile(t *testing.T) {
	t.Parallel()
	next := base().fs().(fstest.MapFS)
	next["tasks/t1.md"] = &fstest.MapFile{Data: []byte("t2.md"), Mode: fs.ModeSymlink}
	next["tasks/sub"] = &fstest.MapFile{Mode: fs.ModeIrregular}
	next["tasks/t5.md"].Mode = 0o755
	faults, err := records.CheckMove(base().book(), records.NewBook(next), []string{"tasks/t1.md", "tasks/sub", "tasks/t5.md"})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, "faults", texts(faults), "tasks/sub: is a submodule or another special file; a record is a plain file",
		"tasks/t1.md: is a symbolic link; a record is a plain file", "tasks/t5.md: is executable; a record is a plain file")
}

func TestGateStopsAtDamage(t *testing.T) {
	t.Parallel()
	next, paths := change(tree{"tasks/t1.md": taskFile("t1", "done")})
	if faults, err := records.CheckMove(base().book(), records.NewBook(torn{next.fs(), "tasks/t1.md"}), paths); err == nil {
		t.Errorf("a tree that cannot be read passes with %q", faults)
	}
}
