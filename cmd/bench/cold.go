package main

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// coldFrom is the size of the list whose figures a larger one is held to.
const coldFrom = 10_000

// command is a command line that a process of its own carries out, without a
// host.
type command struct {
	name  string
	args  func(*list, int) []string                                       // the n-th time
	check func(context.Context, *bench, *list, string, int, string) error // of the list, the repository, n, and what was printed
}

func coldCommands() []command {
	return []command{
		{"add", func(_ *list, n int) []string { return []string{"--as", "ana", "add", fmt.Sprintf("Cold %d", n)} }, checkAdd},
		{"set", func(l *list, n int) []string {
			return []string{"--as", "ana", "set", l.middle(n), "--note", fmt.Sprintf("cold %d", n)}
		}, checkSet},
		{"show", func(l *list, n int) []string { return []string{"show", l.middle(n)} }, checkShow},
	}
}

// middle is one of the tasks in the middle of a list.
func (l *list) middle(n int) string { return fmt.Sprintf("t%d", l.tasks/2+n%20) }

func coldRows() []row {
	var all []row
	for _, c := range coldCommands() {
		all = append(all, row{name: "cold-" + c.name, work: "git tasks " + c.name + ", a process", unit: "ms",
			beside: "git --version", budget: "≤ 2.5 × + 15 ms", at: upTo(coldFrom),
			share: func(r reading) float64 { return r.figure / (2.5*r.beside + 15) },
			run:   func(ctx context.Context, b *bench, l *list) (reading, error) { return c.run(ctx, b, l) },
		}, row{name: "cold-" + c.name, work: "git tasks " + c.name + ", a process", unit: "ms",
			beside: "the same with 10000 tasks", budget: "≤ 1.2 ×", at: from(coldFrom + 1), share: ratioOf(1.2),
			run: func(ctx context.Context, b *bench, l *list) (reading, error) {
				small, err := b.smaller(ctx, coldFrom)
				if err != nil {
					return reading{}, err
				}
				return c.beside(ctx, b, l, small)
			},
		})
	}
	for _, c := range coldLists() {
		beside := "git grep -l '" + c.grep + "'"
		r := row{name: "cold-" + c.name, work: "git tasks " + strings.Join(c.shown, " ") + ", a process", unit: "ms",
			beside: beside, budget: "≤ 80 ms", at: upTo(coldFrom), share: timeOf(80), run: c.run}
		if c.name == "plan" {
			r.budget, r.at, r.share = "≤ 400 ms", anySize, timeOf(400)
			all = append(all, r)
			continue
		}
		all = append(all, r)
		r.budget, r.share, r.at = "none at this size", nil, from(coldFrom+1)
		all = append(all, r)
	}
	return append(all, hookRows()...)
}

// run compares a command with git's own start.
func (c command) run(ctx context.Context, b *bench, l *list) (reading, error) {
	ours, err := c.once(ctx, b, l)
	if err != nil {
		return reading{}, err
	}
	return b.compare(15, false, ours, func() (float64, error) { return b.start(ctx) })
}

// beside compares a command with itself on a smaller list.
func (c command) beside(ctx context.Context, b *bench, l, small *list) (reading, error) {
	ours, err := c.once(ctx, b, l)
	if err != nil {
		return reading{}, err
	}
	theirs, err := c.once(ctx, b, small)
	if err != nil {
		return reading{}, err
	}
	return b.compare(15, false, ours, theirs)
}

// once gives the work of one process: how long it takes in milliseconds.
func (c command) once(ctx context.Context, b *bench, l *list) (func() (float64, error), error) {
	dir, err := b.copy(l)
	n := 0
	return func() (float64, error) {
		n++
		spent, out, err := b.timed(ctx, b.tasks(dir, c.args(l, n)...)...)
		if err != nil {
			return 0, err
		}
		return spent, c.check(ctx, b, l, dir, n, out)
	}, err
}

// timed runs a program and gives how long it took, in milliseconds.
func (b *bench) timed(ctx context.Context, argv ...string) (float64, string, error) {
	start := time.Now()
	out, err := b.run(ctx, argv...)
	return milliseconds(time.Since(start)), out, err
}

// start is how long git takes to say its version.
func (b *bench) start(ctx context.Context) (float64, error) {
	spent, out, err := b.timed(ctx, "git", "--version")
	if err == nil && !strings.HasPrefix(out, "git version ") {
		err = fmt.Errorf("git --version printed %q", out)
	}
	return spent, err
}

func checkAdd(ctx context.Context, b *bench, l *list, dir string, n int, out string) error {
	id := fmt.Sprintf("t%d", l.tasks+n)
	if err := b.same("what add prints", out, fmt.Sprintf("%s todo medium Cold %d", id, n)); err != nil {
		return err
	}
	author, err := b.git(ctx, dir, "log", "-1", "--format=%an %s", "main", "--", records.PathOf(id))
	if err != nil {
		return err
	}
	return b.same("the commit of add", author, fmt.Sprintf("ana %s add: Cold %d", id, n))
}

func checkSet(ctx context.Context, b *bench, l *list, dir string, n int, out string) error {
	id := l.middle(n)
	_, number, _ := records.ParseID(id)
	t := l.all()[number-1]
	if err := b.same("what set prints", out, t.line()); err != nil {
		return err
	}
	text, err := b.git(ctx, dir, "show", "main:"+records.PathOf(id))
	if err != nil {
		return err
	}
	notes := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !strings.HasPrefix(line, "note: ") })
	return b.same("the note", strings.Join(notes, "\n"), fmt.Sprintf("note: cold %d", n))
}

func checkShow(_ context.Context, b *bench, l *list, _ string, n int, out string) error {
	id := l.middle(n)
	_, number, _ := records.ParseID(id)
	t := l.all()[number-1]
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return b.same("what show prints", strings.Join(lines[:min(2, len(lines))], "\n"), fmt.Sprintf("%s %s\nstatus %s", id, t.title, t.status))
}

// line is a task as a tool answers it.
func (t task) line() string {
	priority := t.priority
	if priority == "" {
		priority = records.Medium
	}
	return fmt.Sprintf("t%d %s %s %s", t.number, t.status, priority, t.title)
}

// coldList is a command line that lists tasks, and what does nearly that with git
// alone: the files that hold a line.
type coldList struct {
	name  string
	shown []string
	args  func(*list) []string
	grep  string
	match func(*list) func(task) bool
}

func coldLists() []coldList {
	everything := func(*list) func(task) bool { return func(task) bool { return true } }
	return []coldList{
		{"list", []string{"list"}, func(*list) []string { return []string{"list"} }, "^status: ", everything},
		{"ready", []string{"list", "--ready"}, func(*list) []string { return []string{"list", "--ready"} }, "^status: todo$",
			func(l *list) func(task) bool { return l.ready }},
		{"plan", []string{"list", "--plan"}, func(l *list) []string { return []string{"list", "--plan", l.middlePlan()} }, "^plan: ",
			func(l *list) func(task) bool {
				plan := l.middlePlan()
				return func(t task) bool { return t.plan == plan }
			}},
	}
}

// run compares a list with what git's own search takes.
func (c coldList) run(ctx context.Context, b *bench, l *list) (reading, error) {
	dir, err := b.copy(l)
	if err != nil {
		return reading{}, err
	}
	var want []string
	match := c.match(l)
	for _, t := range l.all() {
		if match(t) {
			want = append(want, t.line())
		}
	}
	slices.Sort(want)
	turns := 9
	if l.tasks > coldFrom {
		turns = 3
	}
	return b.compare(turns, false, func() (float64, error) {
		spent, out, err := b.timed(ctx, b.tasks(dir, c.args(l)...)...)
		if err != nil {
			return 0, err
		}
		return spent, b.same("the list", columns(out), strings.Join(want, "\n"))
	}, func() (float64, error) {
		argv := exec.Command("git", "-C", dir, "grep", "-l", c.grep, "main", "--", "tasks")
		spent, _, err := b.timed(ctx, argv.Args...)
		return spent, err
	})
}

// columns gives the lines of a table as a tool answers them, sorted.
func columns(table string) string {
	lines := strings.Split(table, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
