package channel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// exampleList is a list with one plan, in a folder of its own; done removes it.
func exampleList() (call func(tool, input string), s *tools.Store, done func()) {
	s, done, err := toolstest.OpenExample(tools.Config{})
	if err != nil {
		panic(err)
	}
	call = func(tool, input string) {
		if _, err := tools.Call(context.Background(), s, s.HostCaller(), tool, json.RawMessage(input)); err != nil {
			panic(err)
		}
	}
	call("plan_create", `{"title":"Ship it","scope":{"kind":"bot","bot":"b"}}`)
	return call, s, done
}

// exampleHub is a hub that lives as long as ctx.
func exampleHub(ctx context.Context, s *tools.Store) (*channel.Hub, error) {
	moved, err := s.Moved(ctx)
	if err != nil {
		return nil, err
	}
	return channel.NewHub(s, moved)
}

// A host has one hub, and a reader for each connection. What the reader is given
// is ready to be sent.
func ExampleHub() {
	call, s, done := exampleList()
	defer done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hub, err := exampleHub(ctx, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	reader := hub.Reader()
	defer reader.Close()
	state, _, err := reader.Follow("p1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s%s: %s, %d tasks\n", channel.Scheme, state.Plan.ID, state.Plan.Title, len(state.Tasks))
	call("task_add", `{"title":"Write it down","plan":"p1"}`)
	call("task_set", `{"task":"t1","plan":""}`)
	for range 2 {
		batch, err := reader.Next(ctx) // waits for it
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, action := range batch.Actions {
			state.Reduce(action)
			fmt.Printf("%s: %d tasks\n", action.Type, len(state.Tasks))
		}
	}
	reader.Leave("p1")
	cancel()
	if _, err := reader.Next(context.Background()); errors.Is(err, channel.ErrEnded) {
		fmt.Println(err)
	}
	// Output:
	// x-ahpd-plans://p1: Ship it, 0 tasks
	// x-ahpd-plans/taskAdded: 1 tasks
	// x-ahpd-plans/taskRemoved: 0 tasks
	// the channel has ended
}

// A client that was away goes on from the last commit it was told of, with what
// it knew then.
func ExampleReader_Resume() {
	call, s, done := exampleList()
	defer done()
	book, last, err := s.Book()
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := channel.Snapshot(book, "p1")
	if err != nil {
		fmt.Println(err)
		return
	}
	call("task_add", `{"title":"Write it down","plan":"p1"}`)
	call("task_set", `{"task":"t1","status":"done"}`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	hub, err := exampleHub(ctx, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	reader := hub.Reader()
	defer reader.Close()
	missed, err := reader.Resume("p1", last)
	if errors.Is(err, channel.ErrNoPlan) {
		fmt.Println("the plan was swept")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, batch := range missed {
		for _, action := range batch.Actions {
			state.Reduce(action)
			fmt.Printf("%s %s\n", action.Type, action.Task.Status)
		}
		last = batch.At // where it goes on from another time
	}
	_, now, err := s.Book()
	fmt.Println(state.Tasks[0].Line(), last == now, err)
	// Output:
	// x-ahpd-plans/taskAdded todo
	// x-ahpd-plans/taskSet done
	// t1 done medium Write it down true <nil>
}
