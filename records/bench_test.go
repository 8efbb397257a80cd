package records_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

// heap is a tree of n tasks over n/10 plans.
func heap(n int) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 1; i <= n; i++ {
		id := fmt.Sprintf("t%d", i)
		plan := fmt.Sprintf("p%d", 1+i/10)
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo", "plan: "+plan, "session: ahp-session:/one"))}
		if i%10 == 0 {
			files[records.PathOf(plan)] = &fstest.MapFile{Data: []byte(planFile(plan, "active"))}
		}
	}
	files["tasks/.highest"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("t%d\n", n))}
	return files
}

// BenchmarkAdvance is one changed record; its cost and its bytes must hardly
// grow with the number of records.
func BenchmarkAdvance(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := heap(n)
			book := records.NewBook(files)
			if _, err := book.Tasks(); err != nil {
				b.Fatal(err)
			}
			path := []string{records.PathOf(fmt.Sprintf("t%d", n/2))}
			b.ReportAllocs()
			for b.Loop() {
				book = book.Advance(files, path)
				if of, err := book.TasksOf("p2"); err != nil || of == nil {
					b.Fatal(err)
				}
				book.Faults()
			}
		})
	}
}

// BenchmarkApply is a status move through the Book and the gate.
func BenchmarkApply(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			book := records.NewBook(heap(n))
			if _, err := book.Tasks(); err != nil {
				b.Fatal(err)
			}
			moves := []string{"doing", "todo"}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				o, err := book.Apply(set("t50", moves[i%2]), records.Mark{At: noon}, records.Rules{})
				if err != nil {
					b.Fatal(err)
				}
				if faults, err := records.CheckMove(book, o.Book, pathsOf(o.Files)); err != nil || len(faults) > 0 {
					b.Fatal(faults, err)
				}
				book = o.Book
			}
		})
	}
}

// BenchmarkPointRead is what a command without a host does to show one task.
func BenchmarkPointRead(b *testing.B) {
	files := heap(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if task, err := records.NewBook(files).Task("t5000"); err != nil || task == nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck is a check of a list that was read, where every other task names
// what never was.
func BenchmarkCheck(b *testing.B) {
	files := heap(10_000)
	for i := 1; i <= 10_000; i += 2 {
		id := fmt.Sprintf("t%d", i)
		files[records.PathOf(id)].Data = []byte(taskFile(id, "todo", fmt.Sprintf("blockedBy: [t%d, never]", i+1)))
	}
	book := records.NewBook(files)
	if _, err := book.Tasks(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, warnings, err := book.Check(); err != nil || len(warnings) != 5_000 {
			b.Fatal(len(warnings), err)
		}
	}
}
