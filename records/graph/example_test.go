package graph_test

import (
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/records/graph"
)

func ExampleOf() {
	g, err := graph.Of(records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Read the plan\nstatus: done\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Write the parser\nstatus: doing\nblockedBy: [t1]\n---\n")},
	}), "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Text())
	fmt.Println(strings.Join(strings.SplitN(g.Mermaid(), "\n", 4)[:3], "\n"))
	// Output:
	// Task Graph:
	// ✅ t1 [DONE] Read the plan
	//   🚧 t2 [DOING] Write the parser
	//     └─ depends on: Read the plan
	// ```mermaid
	// flowchart TD
	//   t1["✅ t1 Read the plan"]:::done
}
