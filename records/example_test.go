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

// A fault says where it is and which field it is about, so that an editor can
// jump there; a warning leaves the record readable.
func ExampleFault() {
	p := records.Parse("tasks/login.md", []byte("---\ntitle: Fix login\nstatus: later\n---\n"))
	for _, f := range p.Faults {
		fmt.Printf("line %d, %s: %s\n", f.Line, f.Field, f.Reason)
	}
	p = records.Parse("tasks/login.md", []byte("---\ntitle: Fix #12\n---\n"))
	fmt.Println("draft:", p.Draft, "faults:", len(p.Faults))
	for _, w := range p.Warnings {
		fmt.Printf("line %d, %s\n", w.Line, w.Field)
	}
	// Output:
	// line 3, status: status must be todo, doing, blocked, review, done, or dropped.
	// draft: true faults: 0
	// line 2, title
}

// Tasks and plans are written alike.
func ExampleRecord() {
	for _, r := range []records.Record{
		&records.Task{ID: "t8", Title: "Ship it", Status: records.Todo},
		&records.Plan{ID: "p1", Title: "Autumn", Status: records.Draft, Scope: records.Scope{Kind: records.BotScope, Bot: "pilot"}},
	} {
		fmt.Printf("%s\n%s", r.Line(), r.Encode())
	}
	// Output:
	// t8 todo medium Ship it
	// ---
	// id: t8
	// title: Ship it
	// status: todo
	// labels: []
	// blockedBy: []
	// refs: []
	// ---
	// p1 draft Autumn
	// ---
	// id: p1
	// scope:
	//   kind: bot
	//   bot: pilot
	// title: Autumn
	// status: draft
	// refs: []
	// ---
}

// A record's kind says which folder it lies in.
func ExampleKind() {
	kind, n, ok := records.ParseID("p12")
	fmt.Println(kind.Dir(), n, ok, records.PathOf("p1234"))
	// Output:
	// plans 12 true plans/12/p1234.md
}
