package channel_test

import (
	"context"
	"errors"
	"testing"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// client is what somebody knows who is told by a reader. It fails where what it
// is told does not follow from what it was told before.
type client struct {
	reader *channel.Reader
	states map[string]*channel.State // of the plans it follows
	at     repo.ID                   // the last commit it was told of
	wires  []string                  // every action, as it is sent
	anew   int                       // how often it was given states
}

func newHub(t testing.TB, w *world) *channel.Hub {
	t.Helper()
	return hubUntil(t.Context(), t, w)
}

// hubUntil gives a hub that ends with ctx.
func hubUntil(ctx context.Context, t fataler, w *world) *channel.Hub {
	t.Helper()
	moved, err := w.store.Moved(ctx)
	if err != nil {
		t.Fatal(err)
	}
	hub, err := channel.NewHub(w.store, moved)
	if err != nil {
		t.Fatal(err)
	}
	return hub
}

func newClient(hub *channel.Hub) *client {
	return &client{reader: hub.Reader(), states: map[string]*channel.State{}}
}

// follow follows a plan, and reports whether there is one.
func (c *client) follow(t fataler, plan string) bool {
	t.Helper()
	state, at, err := c.reader.Follow(plan)
	if errors.Is(err, channel.ErrNoPlan) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	c.states[plan], c.at = state, at
	return true
}

func (c *client) leave(plan string) {
	c.reader.Leave(plan)
	delete(c.states, plan)
}

// take takes in a batch.
func (c *client) take(t fataler, b channel.Batch) {
	t.Helper()
	c.at = b.At
	if b.States != nil {
		c.anew++
		if len(b.States) != len(c.states) || len(b.Actions) > 0 {
			t.Fatalf("it follows %d plans, and got %d states and %d actions", len(c.states), len(b.States), len(b.Actions))
		}
		c.states = b.States
		return
	}
	for _, a := range b.Actions {
		c.wires = append(c.wires, a.On+" "+document(t, a))
		reduce(t, c.states[a.On], a)
	}
}

// takeAll takes in all there is when it is called.
func (c *client) takeAll(t fataler) {
	t.Helper()
	if _, _, err := c.reader.Follow("p0"); !errors.Is(err, channel.ErrNoPlan) { // the hub is at the tip now
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		b, err := c.reader.Next(over)
		if errors.Is(err, context.Canceled) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		c.take(t, b)
	}
}

// check holds what the client knows to what a tree says.
func (c *client) check(t fataler, book *records.Book) {
	t.Helper()
	for plan, state := range c.states {
		holds(t, book, plan, state)
	}
}

// reduce makes the next state, where the action can follow from this one.
func reduce(t fataler, state *channel.State, a channel.Action) {
	t.Helper()
	if state == nil {
		t.Fatalf("%s came, and is not followed", short([]channel.Action{a}))
	}
	id := a.TaskID
	if a.Task != nil {
		id = a.Task.ID
	}
	known := false
	for _, task := range state.Tasks {
		known = known || task.ID == id
	}
	if a.Type != channel.PlanSet && known != (a.Type != channel.TaskAdded) {
		t.Fatalf("%s came; that the task was there before is %v", short([]channel.Action{a}), known)
	}
	before := len(state.Tasks)
	state.Reduce(a)
	if grown := len(state.Tasks) - before; grown != map[channel.Type]int{channel.TaskAdded: 1, channel.TaskRemoved: -1}[a.Type] {
		t.Fatalf("%s made %d tasks more", short([]channel.Action{a}), grown)
	}
}

// holds wants a state to be that of the tree; of a plan that is not there, to
// have no tasks.
func holds(t fataler, book *records.Book, plan string, state *channel.State) {
	t.Helper()
	want, err := channel.Snapshot(book, plan)
	if err != nil {
		t.Fatal(err)
	}
	if want == nil {
		want = &channel.State{Plan: state.Plan}
	}
	if got, want := document(t, state), document(t, want); got != want {
		t.Fatalf("%s is\n%s\nand should be\n%s", plan, got, want)
	}
}
