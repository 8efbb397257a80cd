package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

func TestCheckWarnsOfPlaces(t *testing.T) {
	t.Parallel()
	b := tree{
		"tasks/t1.md": taskFile("t1", "todo", "parent: t2"), "tasks/t2.md": taskFile("t2", "todo", "parent: t1"),
		"tasks/t3.md": taskFile("t3", "todo", "parent: t2", `rank: "B0"`), "tasks/t4.md": taskFile("t4", "todo", `rank: "a-b"`),
		"tasks/t5.md": taskFile("t5", "todo", "plan: p1", "parent: t6"), "tasks/t6.md": taskFile("t6", "todo", "parent: t5", `rank: "B1"`),
		"plans/p1.md": planFile("p1", "active"),
	}.book()
	const noRank = "rank is none, and counts for nothing: a rank has digits and the letters A to Z and a to z alone, and does not end in 0"
	wantList(t, "places", texts(warningsOf(t, b)), "tasks/t1.md:5: parent names t2, which stands under t1 in the end",
		"tasks/t2.md:5: parent names t1, which stands under t2 in the end", "tasks/t3.md:6: "+noRank, "tasks/t4.md:5: "+noRank)
}

func TestCheckWarnsOfNamesThatNeverWere(t *testing.T) {
	t.Parallel()
	files := tree{
		"tasks/.highest": "t50\n", "plans/p3.md": planFile("p3", "active"), "tasks/waits.md": draftFile,
		"tasks/t1.md":  taskFile("t1", "todo", "plan: p9"),
		"tasks/t2.md":  taskFile("t2", "todo", "plan: t1", "parent: p3", "blockedBy: [p3]"),
		"tasks/t3.md":  taskFile("t3", "todo", "plan: big", "parent: big", "blockedBy:", "  - t1", "  - t51", "  - frob", "  - t1234567890", "  - p1", "  - t60"),
		"tasks/t4.md":  taskFile("t4", "todo", "blockedBy: [t4]", "parent: t4"),
		"tasks/t5.md":  taskFile("t5", "todo", "blockedBy: [t20, t50]", "parent: t40", "plan: p1"),
		"tasks/t6.md":  taskFile("t6", "todo", "blockedBy: [waits, tasks/waits.md]", "parent: waits.md"),
		"tasks/t7.md":  taskFile("t7", "todo", "blockedBy: [t8]"),
		"tasks/t8.md":  taskFile("t8", "todo", "blockedBy: [t9]"),
		"tasks/t9.md":  taskFile("t9", "done", "blockedBy: [t1, t7]"),
		"tasks/t10.md": taskFile("t10", "todo", "blockedBy: [t7]"),
		"tasks/t11.md": taskFile("t11", "todo", "blockedBy: [t12, t13]"),
		"tasks/t12.md": taskFile("t12", "todo", "blockedBy: [t11, t10]"),
		"tasks/t13.md": taskFile("t13", "todo", "blockedBy: [t10]"),
	}
	for how, b := range bothBooks(t, files.fs()) {
		faults, warnings, err := b.Check()
		if err != nil || len(faults) > 0 {
			t.Fatalf("%q, %v", texts(faults), err)
		}
		wantList(t, how, texts(warnings),
			"tasks/t1.md:5: plan names p9, which never was: the highest is p3",
			"tasks/t11.md:5: blockedBy names t12, which waits for t11 in the end",
			"tasks/t12.md:5: blockedBy names t11, which waits for t12 in the end",
			"tasks/t2.md:5: plan names t1, which is a task",
			"tasks/t2.md:6: parent names p3, which is a plan",
			"tasks/t2.md:7: blockedBy names p3, which is a plan",
			`tasks/t3.md:5: plan names "big", which is no id of a plan`,
			`tasks/t3.md:6: parent names "big", which is no id of a task`,
			`tasks/t3.md:7: blockedBy names t51, which never was: the highest is t50; names "frob", which is no id of a task; `+
				"names t1234567890, which has more than nine digits; 2 more are wrong",
			"tasks/t4.md:5: blockedBy names the task itself",
			"tasks/t4.md:6: parent names the task itself",
			"tasks/t7.md:5: blockedBy names t8, which waits for t7 in the end",
			"tasks/t8.md:5: blockedBy names t9, which waits for t8 in the end",
			"tasks/t9.md:5: blockedBy names t7, which waits for t9 in the end")
		for _, w := range warnings {
			if w.Mend == "" || w.Field == "" {
				t.Errorf("%s: field %q mend %q", w, w.Field, w.Mend)
			}
		}
	}
	none := tree{"tasks/t1.md": taskFile("t1", "todo", "plan: p1")}.book()
	wantList(t, "no plan", texts(warningsOf(t, none)), "tasks/t1.md:5: plan names p1, which never was: there has been no plan yet")
}

// The gate takes what Check only warns of: others may be about to come.
func TestGateTakesNamesThatNeverWere(t *testing.T) {
	t.Parallel()
	next, paths := change(tree{
		"tasks/t1.md":        taskFile("t1", "todo", "plan: p9", "parent: frob", "blockedBy: [t1, p1, t999, t200]"),
		"tasks/t200.md":      taskFile("t200", "todo", "blockedBy: [t1]"),
		"tasks/2/t201.md":    taskFile("t201", "todo", "plan: t1", "blockedBy: [t9999999999]"),
		"tasks/web/draft.md": "---\ntitle: D\nplan: none\n---\n",
	})
	bothWays(t, base(), next, paths, func(faults []records.Fault) { wantList(t, "faults", texts(faults)) })
	before := warningsOf(t, base().book())
	if after := warningsOf(t, next.book()); len(after) <= len(before) {
		t.Errorf("nothing to warn of: %q", texts(after))
	}
}

// A warning goes and comes with the tree, also in a Book that moved on.
func TestNamesAreJudgedByTheTreeOfTheBook(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo", "blockedBy: [t2]")})
	taskIDs(t, d.book)
	wantFault(t, warningsOf(t, d.book), "tasks/t1.md", "t2")
	d.do(add("two"))
	wantList(t, "with t2", texts(warningsOf(t, d.book)))
	d.do(records.Remove{IDs: []string{"t2"}})
	wantList(t, "t2 removed", texts(warningsOf(t, d.book)))
}

// Loops are found in a long list however its blockers hang together: in one
// chain, one loop, or all on one. A check that went from task to task anew would
// not end here.
func TestCheckOfManyReferences(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for name, blocker := range map[string]func(i int) int{
		"a chain": func(i int) int { return i + 1 },
		"a loop":  func(i int) int { return i%n + 1 },
		"a star":  func(int) int { return 1 },
		"pairs":   func(i int) int { return (i - 1) ^ 1 + 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := tree{"tasks/.highest": fmt.Sprintf("t%d\n", n)}
			for i := 1; i <= n; i++ {
				id := fmt.Sprintf("t%d", i)
				files[records.PathOf(id)] = taskFile(id, "todo", fmt.Sprintf("blockedBy: [t%d, draft%d]", blocker(i), i), "plan: never")
			}
			for i := range 200 {
				files[fmt.Sprintf("tasks/d/draft%d.md", i)] = draftFile
			}
			b := files.book()
			taskIDs(t, b)
			warnings := warningsOf(t, b)
			looped := 0
			for _, w := range warnings {
				if strings.Contains(w.Reason, "in the end") {
					looped++
				}
			}
			if want := map[string]int{"a chain": 0, "a loop": n, "a star": 0, "pairs": n}[name]; looped != want {
				t.Errorf("%d are said to wait for themselves, want %d", looped, want)
			}
		})
	}
}

// What waits for itself is found as a plain search from every task finds it.
func TestLoopsAreFoundAsBySearch(t *testing.T) {
	t.Parallel()
	for seed := range 300 {
		files := tree{}
		waits := map[int][]int{}
		const n = 9
		state := uint32(seed*7919 + 1)
		for i := 1; i <= n; i++ {
			var ids []string
			for range 2 {
				state = state*1664525 + 1013904223
				if m := int(state>>16) % (n + 6); m >= 1 && m <= n && m != i {
					waits[i] = append(waits[i], m)
					ids = append(ids, fmt.Sprintf("t%d", m))
				}
			}
			id := fmt.Sprintf("t%d", i)
			files["tasks/"+id+".md"] = taskFile(id, "todo", "blockedBy: ["+strings.Join(ids, ", ")+"]")
		}
		var got, want []string
		for _, w := range warningsOf(t, files.book()) {
			got = append(got, w.Path)
		}
		for i := 1; i <= n; i++ {
			if searched(waits, waits[i], i) {
				want = append(want, fmt.Sprintf("tasks/t%d.md", i))
			}
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("%v: got %q, want %q", waits, got, want)
		}
	}
}

func searched(waits map[int][]int, from []int, to int) bool {
	seen := map[int]bool{}
	queue := slices.Clone(from)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at == to {
			return true
		}
		if !seen[at] {
			seen[at] = true
			queue = append(queue, waits[at]...)
		}
	}
	return false
}
