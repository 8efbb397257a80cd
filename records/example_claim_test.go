package records_test

import (
	"fmt"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// A worker claims a task for half an hour, and is not heard of again.
func ExampleBook_Claims() {
	book := records.NewBook(fstest.MapFS{
		"tasks/t1.md": {Data: []byte("---\nid: t1\ntitle: Ship it\nstatus: todo\n---\n")},
		"tasks/t2.md": {Data: []byte("---\nid: t2\ntitle: Test it\nstatus: todo\nparent: t1\nblockedBy:\n  - t1\n---\n")},
	})
	ten := time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)
	half := 30 * time.Minute

	mark := records.Mark{By: "w1", In: "ahp-session:/s1", At: ten}
	claimed, err := book.Apply(claim("t1", &mark.By, &half), mark, records.Rules{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claimed.IDs, claimed.What)

	mark = records.Mark{By: "w2", In: "ahp-session:/s2", At: ten.Add(time.Minute)}
	_, err = claimed.Book.Apply(claim("t1", &mark.By, nil), mark, records.Rules{})
	fmt.Println(err)
	_, err = claimed.Book.Apply(records.RemoveTask{Task: "t1"}, mark, records.Rules{})
	fmt.Println(err)

	claims, err := claimed.Book.Claims()
	fmt.Println(claims[0].Lease.Until, err)
	later := claimed.Book.AsOf(ten.Add(half), nil)
	task, err := later.Task("t1")
	fmt.Println(task.Line(), err)

	mark.At = ten.Add(half)
	over, err := claimed.Book.Apply(records.Reclaim{Task: "t1"}, mark, records.Rules{})
	fmt.Println(over.What, over.Reclaimed, err)

	children, _ := book.Children("t1")
	open, _ := book.OpenBlockers(children[0])
	fmt.Println(children[0].Line(), "waits for", open)
	// Output:
	// [t1] claim
	// conflict: t1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:30:00.000Z.
	// conflict: t1 is held by w1 in ahp-session:/s1 until 2026-10-18T10:30:00.000Z.
	// 2026-10-18T10:30:00.000Z <nil>
	// t1 todo medium Ship it <nil>
	// reclaim ahp-session:/s1 lease <nil>
	// t2 todo medium Test it waits for [t1]
}

// claim is the patch that a claim is.
func claim(task string, owner *string, lease *time.Duration) records.SetTask {
	doing := string(records.Doing)
	return records.SetTask{Task: task, Fields: records.Fields{Owner: owner, Status: &doing, LeaseFor: lease}}
}
