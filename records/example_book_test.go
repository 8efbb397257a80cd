package records_test

import (
	"fmt"
	"log"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

func ExampleBook_Apply() {
	// Any fs.FS with tasks/ and plans/ at its top is a list; this one is empty.
	book := records.NewBook(fstest.MapFS{})

	title, note := "Read the plan", "half way"
	mark := records.Mark{By: "ana", At: time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)}
	added, err := book.Apply(records.AddTask{Fields: records.Fields{Title: &title}}, mark, records.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	set, err := added.Book.Apply(records.SetTask{Task: "t1", Fields: records.Fields{Note: &note}}, mark, records.Rules{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(added.IDs[0], added.What, "and", set.What)
	fmt.Print(string(set.Files[0].Data))

	_, err = set.Book.Apply(records.Approve{ID: "t2"}, mark, records.Rules{})
	fmt.Println(err)
	// Output:
	// t1 add and set note
	// ---
	// id: t1
	// title: Read the plan
	// status: todo
	// labels: []
	// blockedBy: []
	// refs: []
	// note: half way
	// created:
	//   at: 2026-10-18T10:00:00.000Z
	//   by: ana
	// ---
	// task must match the id of a known task (see task_list).
}

func ExampleNewBook() {
	tree := fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Ship it\nstatus: todo\nblockedBy: [t2]\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Read the plan\nstatus: done\n---\n")},
		"tasks/t3.md": {Data: []byte("---\nid: t3\ntitle: Rest\nstatus: waiting\n---\n")},
		"tasks/x.md":  {Data: []byte("---\ntitle: No id yet\n---\n")},
	}
	book := records.NewBook(tree)
	tasks, err := book.Tasks()
	if err != nil {
		log.Fatal(err)
	}
	for task := range tasks {
		ready, err := book.Ready(task, false)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task.Line(), ready)
	}
	fmt.Println(book.Drafts())
	fmt.Println(book.Faults())

	// The tree moved on: the next Book reads the changed file alone.
	tree["tasks/t3.md"] = &fstest.MapFile{Data: []byte("---\nid: t3\ntitle: Rest\nstatus: todo\n---\n")}
	next := book.Advance(tree, []string{"tasks/t3.md"})
	changes, err := records.Changes(book, next, []string{"tasks/t3.md"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(changes[0].Before == nil, changes[0].After.Line())
	// Output:
	// t1 todo medium Ship it true
	// t2 done medium Read the plan false
	// [tasks/x.md]
	// [tasks/t3.md:4: status must be todo, doing, blocked, review, done, or dropped.]
	// true t3 todo medium Rest
}

func ExampleBook_OpenCount() {
	book := records.NewBook(fstest.MapFS{
		"plans/p1.md": {Data: []byte("---\nid: p1\ntitle: Ship it\nscope: {kind: session, session: one}\nstatus: active\n---\n")},
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Read the plan\nstatus: done\nplan: p1\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Write it\nstatus: doing\nsession: ahp-session:/one\n---\n")},
	})
	open, some, err := book.OpenCount("ahp-session:/one")
	fmt.Println(open, some, err)
	open, some, err = book.OpenCount("two")
	fmt.Println(open, some, err)
	// Output:
	// 1 true <nil>
	// 0 false <nil>
}

func ExampleChanges() {
	old := records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Ship it\nstatus: todo\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Rest\nstatus: todo\n---\n")},
	})
	next := old.Advance(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Ship it\nstatus: doing\n---\n")},
		"plans/p1.md": {Data: []byte("---\nid: p1\ntitle: Autumn\nscope: {kind: bot, bot: pilot}\nstatus: draft\n---\n")},
	}, []string{"plans/p1.md", "tasks/t1.md", "tasks/t2.md"})
	changes, err := records.Changes(old, next, []string{"plans/p1.md", "tasks/t1.md", "tasks/t2.md"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		switch {
		case c.After != nil && c.Before != nil:
			fmt.Println("set", c.After.Line())
		case c.PlanAfter != nil && c.PlanBefore == nil:
			fmt.Println("added", c.PlanAfter.Line())
		case c.Before != nil && c.After == nil:
			fmt.Println("removed", c.Before.ID)
		}
	}
	// Output:
	// removed t2
	// added p1 draft Autumn
	// set t1 doing medium Ship it
}
