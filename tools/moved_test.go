package tools_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestMoved has many wait for the same branch, some of whom leave: whoever is left
// is told of every move, and who left is told that it is over.
func TestMoved(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	wait := func() (<-chan struct{}, context.CancelFunc) {
		ctx, leave := context.WithCancel(t.Context())
		moved, err := s.Moved(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return moved, leave
	}
	over := func(moved <-chan struct{}) {
		for range moved {
		}
	}
	for range 2 { // and when all have left, it begins again
		first, leaveFirst := wait()
		second, leaveSecond := wait()
		addTask(t, s, "A")
		<-first
		<-second
		leaveFirst()
		over(first)
		third, leaveThird := wait()
		addTask(t, s, "B")
		<-second
		<-third
		leaveSecond()
		leaveThird()
		over(second)
		over(third)
	}
}

func addTask(t *testing.T, s *tools.Store, title string) {
	t.Helper()
	if _, err := tools.Call(t.Context(), s, s.HostCaller(), "task_add", json.RawMessage(`{"title":"`+title+`"}`)); err != nil {
		t.Fatal(err)
	}
}
