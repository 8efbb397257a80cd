package records_test

import (
	"fmt"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// A file that a person wrote is a task, or it is said what to mend.
func ExampleParse() {
	file := "---\nid: t7\ntitle: Read the plan\nstatus: todo\n---\n"
	fmt.Println(records.Parse("tasks/t7.md", []byte(file)).Task.Line())

	broken := strings.Replace(file, "Read", "Read: twice,", 1)
	for _, f := range records.Parse("tasks/t7.md", []byte(broken)).Faults {
		fmt.Println(f)
		fmt.Println(f.Mend)
	}
	// Output:
	// t7 todo medium Read the plan
	// tasks/t7.md:3: title holds a colon and a blank, which YAML takes for another key: quote it
	// title: "Read: twice, the plan"
}

// A tool changes one field; the lines a person wrote stay as they are.
func ExampleSplice() {
	file := []byte("---\n# from the meeting\nid: t7\ntitle: 'Read the plan'   # soon\nstatus: todo\nroom: 12\n---\n")
	task := records.Parse("tasks/t7.md", file).Task
	task.Status = records.Doing
	task.Labels = []string{"docs"}

	file, err := records.Splice(file, task)
	fmt.Printf("%s%v", file, err)
	// Output:
	// ---
	// # from the meeting
	// id: t7
	// title: 'Read the plan'   # soon
	// status: doing
	// labels:
	//   - docs
	// room: 12
	// ---
	// <nil>
}

// A new record is written whole, in an order that is always the same.
func ExampleTask_Encode() {
	task := &records.Task{ID: "t8", Title: "Ship it: today", Status: records.Todo, Body: "The long text."}
	fmt.Printf("%s", task.Encode())
	// Output:
	// ---
	// id: t8
	// title: "Ship it: today"
	// status: todo
	// labels: []
	// blockedBy: []
	// refs: []
	// ---
	//
	// The long text.
}
