package records_test

import (
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

// A page goes down the tree, and says how deep each task stands.
func ExampleBook_Select_order() {
	book := records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Ship the parser\nstatus: todo\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Tell the users\nstatus: todo\n---\n")},
		"tasks/t3.md": {Data: []byte("---\nid: t3\ntitle: Fix the tabs\nstatus: todo\nparent: t1\n---\n")},
		"tasks/t4.md": {Data: []byte("---\nid: t4\ntitle: Begin here\nstatus: todo\nrank: \"V1U\"\n---\n")},
	})
	page, _, err := book.Select(records.Filter{}, 0, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range page {
		fmt.Println(strings.Repeat("  ", t.Depth) + t.Line())
	}
	depth, err := book.Depth(page[2].Task)
	fmt.Println(depth, err)
	// Output:
	// t4 todo medium Begin here
	// t1 todo medium Ship the parser
	//   t3 todo medium Fix the tabs
	// t2 todo medium Tell the users
	// 1 <nil>
}
