package records_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

// drawn is a page as a list shows it: the ids, each indented by its depth.
func drawn(t *testing.T, b *records.Book, f records.Filter) string {
	t.Helper()
	page, _, err := b.Select(f, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, task := range page {
		rows = append(rows, strings.Repeat(">", task.Depth)+task.ID)
		if depth, err := b.Depth(task.Task); err != nil || depth != task.Depth {
			t.Errorf("%s stands %d deep, and %d in the list, %v", task.ID, depth, task.Depth, err)
		}
	}
	return strings.Join(rows, " ")
}

func TestTreeOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tasks map[string][]string // what stands in each beside title and status
		f     records.Filter
		want  string
	}{
		"by number":            {map[string][]string{"t2": nil, "t10": nil, "t1": nil}, records.Filter{}, "t1 t2 t10"},
		"children behind":      {map[string][]string{"t1": nil, "t2": nil, "t3": {"parent: t1"}, "t4": {"parent: t3"}, "t5": {"parent: t1"}}, records.Filter{}, "t1 >t3 >>t4 >t5 t2"},
		"a parent made later":  {map[string][]string{"t1": {"parent: t9"}, "t2": nil, "t9": nil}, records.Filter{}, "t2 t9 >t1"},
		"ranks":                {map[string][]string{"t1": {`rank: "V3W"`}, "t2": nil, "t3": nil, "t4": nil}, records.Filter{}, "t2 t3 t1 t4"},
		"equal ranks":          {map[string][]string{"t4": {`rank: "A"`}, "t2": {`rank: "A"`}, "t1": nil, "t3": {`rank: "V1V"`}}, records.Filter{}, "t2 t4 t1 t3"},
		"no rank at all":       {map[string][]string{"t1": {`rank: "z-"`}, "t2": {`rank: "B0"`}, "t3": {`rank: "A"`}}, records.Filter{}, "t3 t1 t2"},
		"a missing parent":     {map[string][]string{"t1": {"parent: t7"}, "t2": {"parent: p1"}, "t3": {"parent: nobody"}}, records.Filter{}, "t1 t2 t3"},
		"a parent elsewhere":   {map[string][]string{"t1": {"plan: p1"}, "t2": {"plan: p2", "parent: t1"}, "t3": {"plan: p1", "parent: t1"}}, records.Filter{}, "t1 >t3 t2"},
		"plans without number": {map[string][]string{"t1": {"plan: a"}, "t2": {"plan: b", "parent: t1"}, "t3": {"plan: a", "parent: t1"}}, records.Filter{}, "t1 >t3 t2"},
		"itself":               {map[string][]string{"t1": {"parent: t1"}, "t2": nil, "t3": {"parent: t1"}}, records.Filter{}, "t2 t1 >t3"},
		"circles": {map[string][]string{"t1": {"parent: t5"}, "t2": {"parent: t3"}, "t3": {"parent: t4"}, "t4": {"parent: t2"}, "t5": {"parent: t3"}, "t6": nil,
			"t7": {"parent: t8"}, "t8": {"parent: t7"}}, records.Filter{}, "t6 t2 >t4 >>t3 >>>t5 >>>>t1 t7 >t8"},
		"filters": {map[string][]string{"t1": nil, "t2": nil, "t3": {"parent: t1"}, "t4": {"parent: t3", "owner: ana"}, "t5": {"owner: ana", `rank: "V1W"`}},
			records.Filter{Owner: "ana"}, ">>t4 t5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := tree{}
			for id, more := range c.tasks {
				files[records.PathOf(id)] = taskFile(id, "todo", more...)
			}
			if got := drawn(t, files.book(), c.f); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// forest is a list of tasks that stand under one another, have ranks, and go round
// in circles here and there.
func forest(rnd *rand.Rand, n int) fstest.MapFS {
	files := medley(rnd, n)
	for path := range files {
		id := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
		more := []string{"plan: " + []string{"p1", "p1", "p2"}[rnd.IntN(3)]}
		if rnd.IntN(3) > 0 {
			more = append(more, fmt.Sprintf("parent: t%d", 1+rnd.IntN(n)))
		}
		if rnd.IntN(4) == 0 {
			more = append(more, fmt.Sprintf("rank: \"V%c%c\"", "139ABCzz"[rnd.IntN(8)], "V1Wz"[rnd.IntN(4)]))
		}
		files[path] = &fstest.MapFile{Data: []byte(taskFile(id, []string{"todo", "done"}[rnd.IntN(2)], more...))}
	}
	return files
}

// grown says the order the long way.
func grown(t *testing.T, b *records.Book) (ids []string) {
	t.Helper()
	all, err := b.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	under := map[string][]*records.Task{}
	known := map[string]*records.Task{}
	for task := range all {
		known[task.ID] = task
	}
	up := func(task *records.Task) string {
		if parent := known[task.Parent]; parent != nil && parent.Plan == task.Plan {
			return parent.ID
		}
		return ""
	}
	for task := range all {
		under[up(task)] = append(under[up(task)], task)
	}
	for _, list := range under { // by number, as they come
		slices.SortStableFunc(list, func(a, b *records.Task) int { return cmp.Compare(records.RankOf(a), records.RankOf(b)) })
	}
	var walk func(id string)
	walk = func(id string) {
		if id != "" && slices.Contains(ids, id) {
			return
		}
		if id != "" {
			ids = append(ids, id)
		}
		for _, task := range under[id] {
			walk(task.ID)
		}
	}
	walk("")
	for task := range all { // the lowest of each circle, by number
		line := []string{task.ID}
		for at := up(task); at != "" && !slices.Contains(line, at); at = up(known[at]) {
			line = append(line, at)
		}
		last := up(known[line[len(line)-1]])
		if last == "" || slices.Contains(ids, task.ID) {
			continue
		}
		circle := line[slices.Index(line, last):]
		walk(slices.MinFunc(circle, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		}))
	}
	return ids
}

func TestTreeOrderAgainstModel(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 9))
	for range 20 {
		files := forest(rnd, 60+rnd.IntN(700))
		book := records.NewBook(files)
		for range 3 {
			want := grown(t, book)
			if got := pages(t, book, records.Filter{}, 0); !slices.Equal(got, want) {
				t.Fatalf("\n got %v\nwant %v", got, want)
			}
			f := records.Filter{Status: records.Todo, Plan: "p1"}
			want = slices.DeleteFunc(want, func(id string) bool {
				task, err := book.Task(id)
				return err != nil || task.Status != f.Status || task.Plan != f.Plan
			})
			for _, size := range []int{0, 1 + rnd.IntN(50)} {
				if got := pages(t, book, f, size); !slices.Equal(got, want) {
					t.Fatalf("in pages of %d\n got %v\nwant %v", size, got, want)
				}
			}
			path := "tasks/t1.md" // the order follows a change
			files[path] = &fstest.MapFile{Data: []byte(taskFile("t1", "todo", "plan: p1", fmt.Sprintf("parent: t%d", 2+rnd.IntN(60))))}
			book = book.Advance(files, []string{path})
		}
	}
}

func TestPageGoesOnBehindATaskThatIsThere(t *testing.T) {
	t.Parallel()
	plain := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t3.md": taskFile("t3", "todo")}
	if page, _, err := plain.book().Select(records.Filter{}, 2, 0); err != nil || len(page) != 1 {
		t.Errorf("%v, %v", page, err)
	}
	plain["tasks/t4.md"] = taskFile("t4", "todo", "parent: t1")
	_, _, err := plain.book().Select(records.Filter{}, 2, 0)
	var refusal *records.Refusal
	if !errors.As(err, &refusal) || refusal.Field != "after" || refusal.Given != "t2" {
		t.Errorf("%v", err)
	}
}
