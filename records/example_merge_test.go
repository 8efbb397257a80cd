package records_test

import (
	"fmt"

	"github.com/git-tasks/git-tasks/records"
)

// What gave way is given field by field too, so that a front can show both values
// and let a person choose again.
func ExampleOverruled() {
	of := func(title string) []byte { return []byte("---\nid: t7\ntitle: " + title + "\nstatus: todo\n---\n") }
	m := records.Merge("tasks/t7.md", of("Read it"), of("Read the plan"), of("Read all of it"))
	for _, o := range m.Overruled {
		side := "the branch"
		if o.Pushed {
			side = "the push"
		}
		fmt.Printf("%s, %s: %q of %s gave way to %q\n", o.Path, o.Field, o.Lost, side, o.Kept)
	}
	// Output:
	// tasks/t7.md, title: "Read the plan" of the branch gave way to "Read all of it"
}
