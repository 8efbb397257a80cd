package channel_test

import (
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestQueueAClaimThatIsOverIsTold: whoever begins to follow a plan finds the task todo
// though nobody has written it, and whoever only listens is told once the host has.
func TestQueueAClaimThatIsOverIsTold(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	call := func(tool, input string) {
		t.Helper()
		if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "w1", Session: "s1"}, tool, input); got.Code != "" {
			t.Fatal(got.Text)
		}
	}
	call("plan_create", `{"title":"P"}`)
	call("task_add", `{"title":"A","plan":"p1"}`)
	call("task_claim", `{"task":"t1","leaseFor":"30m"}`)
	moved, err := s.Moved(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	hub, err := channel.NewHub(s, moved)
	if err != nil {
		t.Fatal(err)
	}
	follow := func(want records.Status) *channel.Reader {
		t.Helper()
		reader := hub.Reader()
		t.Cleanup(reader.Close)
		state, _, err := reader.Follow("p1")
		if err != nil || len(state.Tasks) != 1 || state.Tasks[0].Status != want {
			t.Fatalf("followed %+v, %v, want %s", state, err, want)
		}
		return reader
	}
	passive := follow(records.Doing)
	clock.Pass(30 * time.Minute)
	follow(records.Todo)
	if _, err := s.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	batch, err := passive.Next(t.Context())
	if err != nil || len(batch.Actions) != 1 || batch.Actions[0].Type != channel.TaskSet {
		t.Fatalf("told %+v, %v", batch, err)
	}
	if task := batch.Actions[0].Task; task.Status != records.Todo || task.Owner != "" || task.Lease != nil {
		t.Errorf("told of %+v", task)
	}
}
