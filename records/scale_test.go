package records_test

import (
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

const long = 100_000

// longBook is a Book of long tasks of about a kilobyte, two in seven of them
// todo, one in five behind another, with the tree it is of.
var longBook = sync.OnceValues(func() (*records.Book, fstest.MapFS) {
	files := fstest.MapFS{}
	statuses := []string{"todo", "doing", "done", "todo", "review", "blocked", "done"}
	body := strings.Repeat("What the task is about, in words of some length. ", 12)
	for i := 1; i <= long; i++ {
		id := fmt.Sprintf("t%d", i)
		more := []string{"labels:", "  - docs", fmt.Sprintf("  - l%d", i%30), fmt.Sprintf("plan: p%d", 1+i/20),
			"folder: /srv/work", fmt.Sprintf("session: ahp-session:/s%d", i%500)}
		if i%5 == 0 {
			more = append(more, "blockedBy:", fmt.Sprintf("  - t%d", i/2))
		} else {
			more = append(more, "blockedBy: []")
		}
		more = append(more, "refs: []", "created:", "  at: 2026-10-18T10:00:00.000Z", "  by: ana", "  in: ahp-session:/one")
		if i%3 == 0 {
			more = append(more, "approved:", "  at: 2026-10-18T10:00:00.000Z", "  by: bob")
		}
		text := "---\nid: " + id + "\ntitle: Read the plan and say what it lacks\nstatus: " + statuses[i%7] + "\n" +
			strings.Join(more, "\n") + "\n---\n\n" + body + "\n"
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(text)}
	}
	files["tasks/.highest"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("t%d\n", long))}
	return records.NewBook(files), files
})

// BenchmarkPage is a page of fifty out of a hundred thousand tasks.
func BenchmarkPage(b *testing.B) {
	yes := true
	book, _ := longBook()
	for name, f := range map[string]records.Filter{
		"all": {}, "status": {Status: records.Todo}, "ready": {Ready: &yes}, "plan": {Plan: "p700"}, "label": {Labels: []string{"docs", "l7"}},
		"by": {By: "bob"}, "text": {Text: "LACKS"}, "no such text": {Text: "xyzzy"},
	} {
		b.Run(name, func(b *testing.B) {
			want, _, err := book.Select(f, 0, 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				page, left, err := book.Select(f, 0, 50)
				if err != nil || len(page)+left != len(want) {
					b.Fatal(len(page), left, err)
				}
			}
		})
	}
}

// BenchmarkAdvanceLong is one changed record among a hundred thousand, and the
// page that somebody looks at then.
func BenchmarkAdvanceLong(b *testing.B) {
	book, files := longBook()
	path := []string{records.PathOf("t50000")}
	if _, _, err := book.Select(records.Filter{}, 0, 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		book = book.Advance(files, path)
		if page, _, err := book.Select(records.Filter{Plan: "p2501"}, 0, 50); err != nil || len(page) != 20 {
			b.Fatal(page, err)
		}
	}
}

// BenchmarkPageAfterMove is a move among a hundred thousand tasks, every second of
// which has a parent and every fortieth a rank, and the page that somebody looks at
// then: the order of all is made anew.
func BenchmarkPageAfterMove(b *testing.B) {
	_, files := longBook()
	files = maps.Clone(files)
	for i := 1; i <= long; i++ {
		id := fmt.Sprintf("t%d", i)
		more := [][]string{nil, {fmt.Sprintf("parent: t%d", 1+i/2)}, nil, {fmt.Sprintf("parent: t%d", 1+i/50)}}[i%4]
		if i%40 == 0 {
			more = append(more, fmt.Sprintf("rank: \"X%05dz\"", long-i/2))
		}
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo", more...))}
	}
	book := records.NewBook(files)
	path := records.PathOf("t50000")
	if _, _, err := book.Select(records.Filter{}, 0, 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		book = book.Advance(files, []string{path})
		if page, left, err := book.Select(records.Filter{}, 0, 50); err != nil || len(page) != 50 || left != long-50 {
			b.Fatal(len(page), left, err)
		}
	}
}

// BenchmarkBookMemory is what a Book of a hundred thousand tasks holds, its
// indexes included, besides the tree it was read from.
func BenchmarkBookMemory(b *testing.B) {
	_, files := longBook()
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		book := records.NewBook(files)
		if _, left, err := book.Select(records.Filter{}, 0, 50); err != nil || left != long-50 {
			b.Fatal(left, err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/long, "B/record")
		runtime.KeepAlive(book)
	}
}

// watched counts what was asked of a tree.
type watched struct {
	fstest.MapFS
	lists, reads *atomic.Int64
}

func (w watched) ReadDir(name string) ([]fs.DirEntry, error) {
	w.lists.Add(1)
	return w.MapFS.ReadDir(name)
}

func (w watched) ReadFile(name string) ([]byte, error) {
	w.reads.Add(1)
	return w.MapFS.ReadFile(name)
}

// To show, add or set a task costs a few files and at most a folder, however long
// the list is.
func TestOneRecordCostsAFewFiles(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"tasks/.highest": {Data: []byte("t12300\n")}}
	for n := 1; n < 12345; n += 7 {
		id := fmt.Sprintf("t%d", n)
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo", "plan: p1"))}
	}
	files["plans/p1.md"] = &fstest.MapFile{Data: []byte(planFile("p1", "active"))}
	for name, do := range map[string]func(b *records.Book) error{
		"show": func(b *records.Book) error { _, err := b.Task("t8"); return err },
		"add":  func(b *records.Book) error { return judged(b, add("a")) },
		"set":  func(b *records.Book) error { return judged(b, set("t8", "doing")) },
		"plan": func(b *records.Book) error {
			return judged(b, records.SetTask{Task: "t8", Fields: records.Fields{Plan: ptr("")}})
		},
	} {
		w := watched{files, new(atomic.Int64), new(atomic.Int64)}
		if err := do(records.NewBook(w)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if lists, reads := w.lists.Load(), w.reads.Load(); lists > 1 || reads > 6 {
			t.Errorf("%s lists %d folders and reads %d files", name, lists, reads)
		}
	}
}

// judged applies an edit and has the gate look at it.
func judged(b *records.Book, e records.Edit) error {
	o, err := b.Apply(e, records.Mark{At: noon}, records.Rules{})
	if err != nil {
		return err
	}
	faults, err := records.CheckMove(b, o.Book, pathsOf(o.Files))
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%v", faults)
	}
	return err
}
