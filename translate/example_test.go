package translate_test

import (
	"fmt"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// A harness says its whole list; the plan of its session follows.
func Example() {
	book := records.NewBook(fstest.MapFS{})
	for _, list := range [][]translate.Entry{
		{{Text: "Read the lexer", Status: "in_progress", Active: "Reading the lexer"}, {Text: "Write the parser", Status: "pending"}},
		{{Text: "Read the lexer", Status: "completed"}, {Text: "Fuzz the parser", Status: "pending", Priority: "high"}},
	} {
		plan, err := translate.Of(book, translate.Update{Session: "one", Tool: "TodoWrite", List: list}, translate.Memory{})
		if err != nil {
			fmt.Println(err)
			return
		}
		after, err := book.Apply(plan.Edits, records.Mark{By: "ana", At: time.Unix(0, 0)}, records.Rules{})
		if err != nil {
			fmt.Println(err)
			return
		}
		book = after.Book
		fmt.Println(plan.ID, "has", after.IDs, "changed; the list is about", plan.Tasks)
	}
	tasks, err := book.TasksOf("p1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for t := range tasks {
		fmt.Println(t.Line())
	}
	// Output:
	// p1 has [p1 t1 t2] changed; the list is about [t1 t2]
	// p1 has [t1 t3 t2] changed; the list is about [t1 t3]
	// t1 done medium Read the lexer
	// t2 dropped medium Write the parser
	// t3 todo high Fuzz the parser
}
