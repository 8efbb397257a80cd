package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOrder: finished within 30 seconds, doing, review, todo and blocked, older
// finished; what finished last stands first.
func TestOrder(t *testing.T) {
	t.Parallel()
	book := bookOf("Old done\n"+at("finished", time.Hour), "Open todo", "Just done\n"+at("finished", 29*time.Second), "At work doing",
		"Half a minute done\n"+at("finished", 30*time.Second), "Looked at review", "Stuck blocked", "Gone dropped\n"+at("finished", time.Second), "More todo", "Sooner done\n"+at("finished", time.Minute))
	p := New(book, "")
	if got, want := ids(t, p, 80, 40), "t8 t3 t4 t6 t2 t7 t9 t5 t10 t1"; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
	tasks, err := p.Tasks(noon)
	if err != nil || len(tasks) != 10 || tasks[9].ID != "t1" {
		t.Errorf("the tasks are %v: %v", tasks, err)
	}
}

// TestRows: at most ten, at most fourteen less than the terminal has; what has no row
// is counted.
func TestRows(t *testing.T) {
	t.Parallel()
	var tasks []string
	for i := range 12 {
		tasks = append(tasks, fmt.Sprintf("Task %d todo", i))
	}
	for i := range 13 {
		tasks = append(tasks, fmt.Sprintf("Task %d doing", i))
	}
	tasks = append(tasks, "Over done")
	p := New(bookOf(tasks...), "")
	for height, want := range map[int]struct {
		rows int
		more string
	}{
		80: {10, "  … +12 pending, 3 in progress, 1 finished"}, 40: {10, "  … +12 pending, 3 in progress, 1 finished"},
		24: {10, "  … +12 pending, 3 in progress, 1 finished"}, 23: {9, "  … +12 pending, 4 in progress, 1 finished"},
		15: {1, "  … +12 pending, 12 in progress, 1 finished"}, 14: {0, "  … +12 pending, 13 in progress, 1 finished"},
		4: {0, "  … +12 pending, 13 in progress, 1 finished"},
	} {
		lines := texts(t, p, 80, height)
		if got := len(lines) - 4; got != want.rows || lines[len(lines)-2] != want.more {
			t.Errorf("a terminal of %d rows shows %d and %q, want %d and %q", height, got, lines[len(lines)-2], want.rows, want.more)
		}
	}
	if lines := texts(t, p, 80, 1); len(lines) != 1 || lines[0] != "Tasks (26 total: 1 done, 13 in progress, 12 open)" {
		t.Errorf("a terminal of one row shows %q", lines)
	}
	texts(t, p, 1, 80)
	texts(t, p, 0, 0)
}

// TestNothingIsHidden: a file that cannot be read has a line with its place, and so has a
// draft; of many the first ones do, and the others are counted. The tree leaves them room.
func TestNothingIsHidden(t *testing.T) {
	t.Parallel()
	for broken, want := range map[int][]string{
		0: {"  tasks/a-draft.md: a draft that waits for its id"},
		1: {"  tasks/t2.md:3: title holds", "  tasks/a-draft.md: a draft that waits for its id"},
		3: {"  tasks/t2.md:3: title holds", "  tasks/t3.md:3: title holds", "  tasks/t4.md:3: title holds", "  tasks/a-draft.md: a draft that waits for its id"},
		4: {"  tasks/t2.md:3: title holds", "  tasks/t3.md:3: title holds", "  tasks/t4.md:3: title holds", "  … +2 files, see git tasks check"},
	} {
		p := New(brokenBook(broken), "")
		for _, p.Tree = range []bool{false, true} {
			lines := texts(t, p, 80, 24)
			got := lines[3 : len(lines)-1]
			if len(got) != len(want) || !slices.EqualFunc(got, want, strings.HasPrefix) {
				t.Errorf("%d files are broken: %q", broken, got)
			}
		}
		if lines := texts(t, p, 80, 7); broken > 1 && len(lines) != 7 {
			t.Errorf("a low terminal has %q", lines)
		}
		var b strings.Builder
		if err := p.Print(&b, noon); err != nil || !strings.Contains(b.String(), "\n1 draft waits for its id: tasks/a-draft.md\n") || strings.Count(b.String(), "title holds") != broken {
			t.Errorf("it is printed as\n%s%v", b.String(), err)
		}
	}
}

// TestTree: every task below its parent, six levels deep at most; what is folded
// hides what is under it.
func TestTree(t *testing.T) {
	t.Parallel()
	tasks := []string{"Root todo"}
	for i := range 8 {
		tasks = append(tasks, fmt.Sprintf("Level todo\nparent: t%d", i+1))
	}
	p := New(bookOf(append(tasks, "Other todo")...), "")
	p.Tree = true
	lines := texts(t, p, 80, 24)
	if want := "  ▾ ○ t1 Root"; lines[2] != want {
		t.Errorf("a root is %q, want %q", lines[2], want)
	}
	if want := "  " + strings.Repeat("  ", 6) + "▾ ○ t7 Level"; lines[8] != want || !strings.HasPrefix(lines[9], "  "+strings.Repeat("  ", 6)+"▾ ○ t8") {
		t.Errorf("deep levels are %q and %q", lines[8], lines[9])
	}
	presses(p, "down", "down", "down", "left")
	if got := ids(t, p, 80, 24); got != "t1 t2 *t3 t10" {
		t.Errorf("folded at t3 the tree has %s", got)
	}
	presses(p, "left")
	if got := ids(t, p, 80, 24); got != "t1 *t2 t3 t10" {
		t.Errorf("left of what is folded is %s", got)
	}
	presses(p, "space")
	if got := ids(t, p, 80, 24); got != "t1 *t2 t10" {
		t.Errorf("folded at t2 the tree has %s", got)
	}
	presses(p, "right")
	if got := ids(t, p, 80, 24); got != "t1 *t2 t3 t10" {
		t.Errorf("unfolded at t2 the tree has %s", got)
	}
}

// TestKeys: the cursor follows its task, not its row; a filter leaves out; Enter opens.
func TestKeys(t *testing.T) {
	t.Parallel()
	p := New(bookOf("Tabs todo", "Spaces todo", "More tabs todo"), "")
	if got := ids(t, p, 80, 24); got != "t1 t2 t3" || presses(p, "enter") != nothing {
		t.Errorf("without a cursor there is %s, or something to open", got)
	}
	presses(p, "j", "down", "down", "down", "up")
	if got := ids(t, p, 80, 24); got != "t1 *t2 t3" || presses(p, "enter") != open || p.at != "t2" {
		t.Errorf("the cursor is at %s", got)
	}
	p.show(bookOf("Tabs todo", "Spaces doing", "More tabs todo"))
	if got := ids(t, p, 80, 24); got != "*t2 t1 t3" {
		t.Errorf("the cursor left its task: %s", got)
	}
	presses(p, "/", "t", "a", "x", "backspace", "b", "q")
	if lines := texts(t, p, 80, 24); lines[len(lines)-1] != "/tabq_  Enter keeps the filter, Esc ends it" {
		t.Errorf("a filter is typed as %q", lines[len(lines)-1])
	}
	presses(p, "backspace", "enter")
	if got := ids(t, p, 80, 24); got != "*t1 t3" {
		t.Errorf("filtered there is %s", got)
	}
	presses(p, "G")
	if got := ids(t, p, 80, 24); got != "t1 *t3" {
		t.Errorf("at the end there is %s", got)
	}
	presses(p, "g", "pgdown", "pgup", "esc")
	if got := ids(t, p, 80, 24); got != "t2 t1 t3" {
		t.Errorf("after Esc there is %s", got)
	}
	if presses(p, "q") != quit || presses(p, "ctrl+c") != quit {
		t.Error("q and Ctrl-C do not quit")
	}
	presses(p, "t", "/")
	if presses(p, "ctrl+c") == quit || !p.Tree {
		t.Error("Ctrl-C quits where it ends a filter")
	}
}

// TestCursorScrolls: the cursor always has a row.
func TestCursorScrolls(t *testing.T) {
	t.Parallel()
	var tasks []string
	for i := range 30 {
		tasks = append(tasks, fmt.Sprintf("Task %d todo", i))
	}
	p := New(bookOf(tasks...), "")
	for range 30 {
		presses(p, "down")
		if shown := ids(t, p, 80, 24); !strings.Contains(shown, "*"+p.at) {
			t.Fatalf("the cursor is at %s, and there is %s", p.at, shown)
		}
	}
	if shown := ids(t, p, 80, 20); !strings.HasSuffix(shown, "*t30") || strings.Count(shown, " ") != 5 {
		t.Errorf("on a smaller terminal there is %s", shown)
	}
	presses(p, "home")
	p.show(bookOf("Left todo"))
	if shown := ids(t, p, 80, 24); shown != "*t1" {
		t.Errorf("of one task there is %s", shown)
	}
	p.show(bookOf())
	if lines := texts(t, p, 80, 24); !slices.Contains(lines, "  nothing here yet") || presses(p, "enter") == open {
		t.Errorf("of no task there is %q", lines)
	}
}
