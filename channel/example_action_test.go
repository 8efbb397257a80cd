package channel_test

import (
	"fmt"

	"github.com/git-tasks/git-tasks/channel"
)

// A stretch of history is told again as the actions that it was: those of each
// plan's channel, in the order in which they were sent.
func ExampleActions() {
	call, s, done := exampleList()
	defer done()
	_, last, err := s.Book()
	if err != nil {
		panic(err)
	}
	call("task_add", `{"title":"Write it down","plan":"p1"}`)
	call("plan_set", `{"plan":"p1","title":"Ship it today"}`)
	call("task_set", `{"task":"t1","plan":""}`)
	feed, err := s.Feed(last)
	if err != nil {
		panic(err)
	}
	for move, err := range feed.Moves() {
		if err != nil {
			panic(err)
		}
		actions, err := channel.Actions(move)
		if err != nil {
			panic(err)
		}
		for _, a := range actions {
			switch a.Type {
			case channel.TaskAdded, channel.TaskSet:
				fmt.Println(a.On, a.Type, a.Task.Title)
			case channel.TaskRemoved:
				fmt.Println(a.On, a.Type, a.TaskID)
			case channel.PlanSet:
				fmt.Println(a.On, a.Type, a.Plan.Title)
			}
		}
	}
	// Output:
	// p1 x-ahpd-plans/taskAdded Write it down
	// p1 x-ahpd-plans/set Ship it today
	// p1 x-ahpd-plans/taskRemoved t1
}
