package records_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
)

// A clone that was away pushes: what it changed is merged into the branch, and the
// task that it gave a taken id to becomes a draft.
func ExampleTrees_Merge() {
	file := func(id, title, more string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\nid: " + id + "\ntitle: " + title + "\nstatus: todo\n" + more + "---\n")}
	}
	trees := records.Trees{
		Base:   fstest.MapFS{"tasks/t1.md": file("t1", "Read the plan", "")},
		Branch: fstest.MapFS{"tasks/t1.md": file("t1", "Read the plan", "note: soon\n"), "tasks/t2.md": file("t2", "Ana's", "")},
		Pushed: fstest.MapFS{"tasks/t1.md": file("t1", "Read it", "blockedBy: [t2]\n"), "tasks/t2.md": file("t2", "Bob's", "")},
	}
	m, err := trees.Merge([]string{"tasks/t1.md", "tasks/t2.md"})
	for _, f := range m.Files {
		fmt.Printf("%s\n%s", f.Path, f.Data)
	}
	fmt.Println(m.Drafts, err)
	// Output:
	// tasks/t1.md
	// ---
	// id: t1
	// title: Read it
	// status: todo
	// blockedBy: [tasks/t2-2.md]
	// note: soon
	// ---
	// tasks/t2-2.md
	// ---
	// title: Bob's
	// status: todo
	// ---
	// map[tasks/t2.md:tasks/t2-2.md] <nil>
}

// A follow-up gave a draft its id, which a clone still has under its old name.
func ExampleRenames() {
	before := fstest.MapFS{"tasks/fix-login.md": {}, "tasks/t3.md": {}}
	fmt.Println(records.Renames(before, []string{"tasks/fix-login.md", "tasks/t3.md", "tasks/t4.md"}))
	// Output: map[tasks/fix-login.md:tasks/t4.md] <nil>
}

// mergeTrees merges three trees and gives the branch after it.
func mergeTrees(t interface {
	Helper()
	Fatal(...any)
}, base, branch, pushed tree, renamed map[string]string) (tree, records.TreeMerge) {
	t.Helper()
	trees := records.Trees{Base: base.fs(), Branch: branch.fs(), Pushed: pushed.fs(), Renamed: renamed}
	m, err := trees.Merge(differing(base, pushed))
	if err != nil {
		t.Fatal(err)
	}
	return landed(branch, pushed, m), m
}

// landed is the branch after a merge was written.
func landed(branch, pushed tree, m records.TreeMerge) tree {
	next := branch.with(m.Files)
	for _, path := range m.Taken {
		if text, ok := pushed[path]; ok {
			next[path] = text
		} else {
			delete(next, path)
		}
	}
	return next
}

func differing(a, b tree) []string {
	var paths []string
	all := maps.Clone(a)
	maps.Copy(all, b)
	for path := range all {
		x, inA := a[path]
		y, inB := b[path]
		if x != y || inA != inB {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestMergeTrees(t *testing.T) {
	t.Parallel()
	one, two := taskFile("t1", "todo"), taskFile("t2", "todo")
	base := tree{"tasks/t1.md": one, "tasks/t2.md": two, "tasks/.highest": "t5\n", "README.md": "top\n", "tasks/fix.md": "---\ntitle: Fix\n---\n"}
	with := func(from tree, files tree) tree {
		next := maps.Clone(from)
		for path, text := range files {
			if next[path] = text; text == "" {
				delete(next, path)
			}
		}
		return next
	}
	minted := tree{"tasks/fix.md": "", "tasks/t6.md": "---\nid: t6\ntitle: Fix\nstatus: todo\n---\n"}
	for name, c := range map[string]struct {
		branch, pushed tree
		want           tree // "" for a file that is not there
		over           []string
		restored       []string
	}{
		"each its own":              {tree{"tasks/t1.md": taskFile("t1", "done")}, tree{"tasks/t2.md": taskFile("t2", "done"), "src/x.go": "x", "README.md": ""}, tree{"tasks/t1.md": taskFile("t1", "done"), "tasks/t2.md": taskFile("t2", "done"), "src/x.go": "x", "README.md": ""}, nil, nil},
		"one record":                {tree{"tasks/t1.md": taskFile("t1", "done")}, tree{"tasks/t1.md": taskFile("t1", "todo", "note: x")}, tree{"tasks/t1.md": taskFile("t1", "done", "note: x")}, nil, nil},
		"removed there":             {tree{"tasks/t1.md": ""}, tree{"tasks/t1.md": taskFile("t1", "done")}, tree{"tasks/t1.md": taskFile("t1", "done")}, []string{"tasks/t1.md: the branch took it out; what the push made of it stands"}, []string{"t1"}},
		"removed here":              {tree{"tasks/t1.md": taskFile("t1", "done")}, tree{"tasks/t1.md": ""}, tree{"tasks/t1.md": taskFile("t1", "done")}, []string{"tasks/t1.md: the push took it out; what the branch made of it stands"}, nil},
		"removed by both":           {tree{"tasks/t1.md": ""}, tree{"tasks/t1.md": ""}, tree{"tasks/t1.md": ""}, nil, nil},
		".highest":                  {tree{"tasks/.highest": "t9\n"}, tree{"tasks/.highest": "t7\n"}, tree{"tasks/.highest": "t9\n"}, nil, nil},
		"A4 one id, two records":    {tree{"tasks/t6.md": taskFile("t6", "todo")}, tree{"tasks/t6.md": taskFile("t6", "done"), "tasks/t7.md": taskFile("t7", "todo", "parent: t6", "blockedBy: [t6, t1]")}, tree{"tasks/t6.md": taskFile("t6", "todo"), "tasks/t6-2.md": strings.Replace(taskFile("t6", "done"), "id: t6\n", "", 1), "tasks/t7.md": taskFile("t7", "todo", "parent: tasks/t6-2.md", "blockedBy: [tasks/t6-2.md, t1]")}, nil, nil},
		"an id used meanwhile":      {tree{"tasks/.highest": "t8\n"}, tree{"tasks/t6.md": taskFile("t6", "done")}, tree{"tasks/t6.md": "", "tasks/t6-2.md": strings.Replace(taskFile("t6", "done"), "id: t6\n", "", 1)}, nil, nil},
		"one draft's name":          {tree{"tasks/new.md": "---\ntitle: A\n---\n"}, tree{"tasks/new.md": "---\ntitle: B\n---\n", "tasks/new-2.md": "---\ntitle: C\n---\n"}, tree{"tasks/new.md": "---\ntitle: A\n---\n", "tasks/new-3.md": "---\ntitle: B\n---\n", "tasks/new-2.md": "---\ntitle: C\n---\n"}, nil, nil},
		"the same added by both":    {tree{"tasks/t6.md": taskFile("t6", "todo")}, tree{"tasks/t6.md": taskFile("t6", "todo")}, tree{"tasks/t6.md": taskFile("t6", "todo"), "tasks/t6-2.md": ""}, nil, nil},
		"a draft that has its id":   {minted, tree{"tasks/fix.md": "---\ntitle: Fix it\nnote: x\n---\nMore\n", "tasks/t2.md": taskFile("t2", "todo", "blockedBy: [fix]")}, tree{"tasks/fix.md": "", "tasks/t6.md": "---\nid: t6\ntitle: Fix it\nstatus: todo\nnote: x\n---\nMore\n", "tasks/t2.md": taskFile("t2", "todo", "blockedBy: [t6]")}, nil, nil},
		"a draft removed meanwhile": {minted, tree{"tasks/fix.md": ""}, tree{"tasks/fix.md": "", "tasks/t6.md": ""}, nil, nil},
		"readme of both":            {tree{"README.md": "top\nana\n"}, tree{"README.md": "top\nbob\n"}, tree{"README.md": "top\nana\nbob\n"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			branch, pushed := with(base, c.branch), with(base, c.pushed)
			renamed := map[string]string{}
			if _, ok := branch["tasks/fix.md"]; !ok {
				renamed["tasks/fix.md"] = "tasks/t6.md"
			}
			got, m := mergeTrees(t, base, branch, pushed, renamed)
			wantList(t, "faults", texts(m.Faults))
			for path, text := range c.want {
				if got[path] != text {
					t.Errorf("%s is\n%s\nwant\n%s", path, got[path], text)
				}
			}
			var over []string
			for _, o := range m.Overruled {
				over = append(over, o.String())
			}
			wantList(t, "overruled", over, c.over...)
			wantList(t, "restored", m.Restored, c.restored...)
			faults, err := records.CheckRestore(branch.book(), got.book(), differing(branch, got), m.Restored)
			if err != nil {
				t.Fatal(err)
			}
			wantList(t, "at the gate", texts(faults))
		})
	}
}

func TestMergeTreesOfWhatIsNoPlainFile(t *testing.T) {
	t.Parallel()
	base := fstest.MapFS{"run.sh": {Data: []byte("x"), Mode: 0o644}, "a": {Data: []byte("x")}, "b/c": {Data: []byte("x")}}
	branch := fstest.MapFS{"run.sh": {Data: []byte("x"), Mode: 0o644}, "a": {Data: []byte("y")}, "b/c": {Data: []byte("y")}, "d": {Data: []byte("y")}}
	pushed := fstest.MapFS{"run.sh": {Data: []byte("x"), Mode: 0o755}, "a": {Data: []byte("run.sh"), Mode: fs.ModeSymlink}, "b": {Data: []byte("x")}, "d/e": {Data: []byte("x")}}
	m, err := records.Trees{Base: base, Branch: branch, Pushed: pushed}.Merge([]string{"run.sh", "a", "b", "b/c", "d/e"})
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, "taken", m.Taken, "a", "b", "d/e", "run.sh")
	wantList(t, "faults", texts(m.Faults), "b: b is a folder where the push needs a file; move it away", "d/e: d is a file where the push needs a folder; move it away")
}

// Whatever two sides do, every file of a push that is merged is there or named, and
// what is written passes the gate.
func TestMergedTreesPassTheGate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := tree{"tasks/.highest": "t3\n"}
		for i := range 3 {
			base[fmt.Sprintf("tasks/t%d.md", i+1)] = taskFile(fmt.Sprintf("t%d", i+1), "todo")
		}
		change := func(who string) tree {
			next := maps.Clone(base)
			for i := range rapid.IntRange(1, 6).Draw(t, who) {
				id := fmt.Sprintf("t%d", rapid.IntRange(1, 6).Draw(t, "id"))
				path := "tasks/" + id + ".md"
				switch rapid.IntRange(0, 3).Draw(t, "what") {
				case 0:
					if base[path] == "" {
						next[path] = taskFile(id, "doing", "note: "+who)
					} else {
						delete(next, path)
						next["tasks/.highest"] = "t6\n"
					}
				case 1:
					next[fmt.Sprintf("tasks/d%d.md", i)] = "---\ntitle: " + who + "\nblockedBy: [" + id + "]\n---\n"
				default:
					if text := next[path]; text != "" {
						next[path] = strings.Replace(text, "status:", "parent: t"+fmt.Sprint(i+1)+"\nstatus:", 1)
						if strings.Count(next[path], "parent:") > 1 {
							next[path] = strings.Replace(text, "title: ", "title: "+who+" ", 1)
						}
					}
				}
			}
			return next
		}
		branch, pushed := change("ana"), change("bob")
		got, m := mergeTrees(t, base, branch, pushed, nil)
		if len(m.Faults) > 0 {
			t.Fatal(texts(m.Faults))
		}
		faults, err := records.CheckRestore(branch.book(), got.book(), differing(branch, got), m.Restored)
		if err != nil || len(faults) > 0 {
			t.Fatalf("%q, %v\nbase %q\nbranch %q\npushed %q\ngot %q", texts(faults), err, base, branch, pushed, got)
		}
		if again, m := mergeTrees(t, base, branch, got, nil); !maps.Equal(again, got) && len(m.Drafts) == 0 {
			t.Fatalf("again\n%q\nwas\n%q", again, got)
		}
	})
}
