package detail_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/detail"
)

func ExampleOf() {
	book := records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Read the plan\nstatus: doing\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Write it\nstatus: todo\nblockedBy: [t1]\n" +
			"packet: {objective: A parser, branchPolicy: task/t2}\n---\n\nSee the plan.\n")},
	})
	record, err := book.Task("t2")
	if err != nil {
		log.Fatal(err)
	}
	task, err := detail.Of(book, "5f2c81d", record, true)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(task.Text())
	fmt.Println("--")
	fmt.Println(task.Brief())
	// Output:
	// t2 todo medium Write it
	// blockedBy: t1
	// packet: {"branchPolicy":"task/t2","objective":"A parser"}
	// blocked: true
	// openBlockers: t1
	// commit: 5f2c81d
	//
	// See the plan.
	// --
	// # t2 Write it
	//
	// ## Objective
	//
	// A parser
	//
	// ## Branch policy
	//
	// task/t2
	//
	// ## Body
	//
	// See the plan.
}
