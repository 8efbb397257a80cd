package channel_test

import (
	"slices"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
)

// TestP30AClaimThatIsOver: at the end of a claim, and once that is written, whoever
// listens, whoever comes back and whoever begins to follow the plan see the same.
func TestP30AClaimThatIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.call(t, "plan_create", `{"title":"P"}`)
	w.call(t, "task_add", `{"title":"A","plan":"p1"}`)
	w.call(t, "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	hub := newHub(t, w)
	passive := newClient(hub)
	if !passive.follow(t, "p1") {
		t.Fatal("there is no plan")
	}
	agree := func(moment string, want records.Status) {
		t.Helper()
		fresh, back := newClient(hub), newClient(hub)
		fresh.follow(t, "p1")
		back.states["p1"] = &channel.State{Plan: passive.states["p1"].Plan, Tasks: slices.Clone(passive.states["p1"].Tasks)}
		missed, err := back.reader.Resume("p1", passive.at)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range missed {
			back.take(t, b)
		}
		passive.takeAll(t)
		now := document(t, fresh.states["p1"])
		for who, c := range map[string]*client{"who listened": passive, "who came back": back} {
			if got := document(t, c.states["p1"]); got != now {
				t.Errorf("%s, %s sees\n%s\nand who begins\n%s", moment, who, got, now)
			}
		}
		if got := fresh.states["p1"].Tasks[0]; got.Status != want || (got.Lease != nil) != (want == records.Doing) || (got.Owner != "") != (want == records.Doing) {
			t.Errorf("%s the task is %s of %q under %+v, want %s", moment, got.Status, got.Owner, got.Lease, want)
		}
	}
	agree("under a claim", records.Doing)
	w.clock.Pass(30 * time.Minute)
	agree("at its end", records.Doing)
	if _, err := w.store.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	agree("once that is written", records.Todo)
	if len(passive.wires) != 1 {
		t.Errorf("who listened was told %q", passive.wires)
	}
}
