package records_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

func ExampleBook_OpenBlockers() {
	book := records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Read the plan\nstatus: done\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Write it\nstatus: dropped\n---\n")},
		"tasks/t3.md": {Data: []byte("---\nid: t3\ntitle: Ship it\nstatus: todo\nblockedBy: [t1, t2, t4]\n---\n")},
	})
	task, err := book.Task("t3")
	if err != nil {
		log.Fatal(err)
	}
	open, err := book.OpenBlockers(task)
	fmt.Println(open, err) // only done frees; t4 may be about to come
	// Output: [t2 t4] <nil>
}
