package channel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// tip gives what the branch says now, read from scratch.
func (w *world) tip(t fataler) *records.Book {
	t.Helper()
	tip, err := w.eve.Tip()
	if err != nil {
		t.Fatal(err)
	}
	return records.NewBook(tip.FS())
}

// TestFollow: a plan is followed where it is there, under its own id alone, and
// no longer when it is left.
func TestFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newClient(newHub(t, w))
	w.call(t, "plan_create", `{"title":"One"}`)
	if !c.follow(t, "p1") {
		t.Fatal("Case107: p1 was made before, and is not there")
	}
	for _, id := range []string{"p9", "p01", "P1", "t1", "", "../p1"} {
		if c.follow(t, id) {
			t.Errorf("Case108: %q is followed", id)
		}
	}
	w.call(t, "task_add", `{"title":"A","plan":"p1"}`)
	w.call(t, "task_add", `{"title":"B","plan":"p1"}`)
	c.leave("p1") // with two actions in the queue
	c.takeAll(t)
	c.follow(t, "p1")
	c.takeAll(t)
	if len(c.wires) > 0 {
		t.Errorf("Case116: what was left, or known from the state, was told: %q", c.wires)
	}
	w.call(t, "task_set", `{"task":"t2","status":"done"}`)
	c.takeAll(t)
	c.check(t, w.tip(t))
	if len(c.wires) != 1 {
		t.Errorf("one change was told as %q", c.wires)
	}
}

// TestP29Slow: a reader that does not read is given states in the end, and then
// goes on; one that does is told of each change, and nobody waits.
func TestP29Slow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hub := newHub(t, w)
	hub.SetLimit(8)
	w.call(t, "plan_create", `{"title":"One"}`)
	w.call(t, "plan_create", `{"title":"Two"}`)
	slow, quick := newClient(hub), newClient(hub)
	for _, c := range []*client{slow, quick} {
		c.follow(t, "p1")
		c.follow(t, "p2")
	}
	const n = 50
	for i := range n {
		w.call(t, "task_add", fmt.Sprintf(`{"title":"%d","plan":"p%d"}`, i, 1+i%2))
		quick.takeAll(t)
	}
	w.call(t, "plan_set", `{"plan":"p2","title":"Deux"}`)
	w.commit(t, repo.ID{}, gone("p2"))
	for _, c := range []*client{slow, quick} {
		c.takeAll(t)
		c.check(t, w.tip(t))
	}
	if quick.anew != 0 || len(quick.wires) != n+1+n/2 || slow.anew != 1 || len(slow.wires) != 0 {
		t.Errorf("the quick one got %d actions and %d times states, the slow one %d and %d",
			len(quick.wires), quick.anew, len(slow.wires), slow.anew)
	}
	if slow.states["p2"].Plan.Title != "Deux" {
		t.Error("a plan that is gone is not shown as it was last")
	}
	w.call(t, "task_add", `{"title":"last","plan":"p1"}`)
	slow.takeAll(t)
	slow.check(t, w.tip(t))
	if len(slow.wires) != 1 {
		t.Errorf("after the states it was told %q", slow.wires)
	}
}

// TestP30Crowd: four writers, four readers that come and go. One reader that
// stays is told what a replay of history says, to the byte; everybody else ends
// up with what the branch says.
func TestP30Crowd(t *testing.T) {
	t.Parallel()
	changes := 40
	if full {
		changes = 600
	}
	w := newLawless(t)
	hub := newHub(t, w)
	hub.SetLimit(100_000) // one of the readers reads when all is over
	for _, id := range planIDs {
		w.call(t, "plan_create", `{"title":"`+id+`"}`)
	}
	_, start, err := w.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	stays := newClient(hub)
	for _, id := range planIDs {
		stays.follow(t, id)
	}
	ctx, over := context.WithCancel(t.Context())
	var writers, readers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() { w.write(t, i, changes) })
	}
	clients := make([]*client, 4)
	for i := range clients {
		readers.Go(func() { clients[i] = comeAndGo(ctx, t, hub, uint64(i)) })
	}
	writers.Wait()
	over()
	readers.Wait()
	book := w.tip(t)
	for _, c := range append(clients, stays) {
		c.takeAll(t)
		c.check(t, book)
	}
	if stays.anew > 0 {
		t.Fatal("the one who stays was too slow")
	}
	replayed := w.replayed(t, start)
	for i := range min(len(replayed), len(stays.wires)) {
		if replayed[i] != stays.wires[i] {
			t.Fatalf("action %d was sent as\n%s\nand is replayed as\n%s", i, stays.wires[i], replayed[i])
		}
	}
	if len(replayed) != len(stays.wires) || len(replayed) < 2*changes {
		t.Errorf("%d actions were sent, and %d are replayed", len(stays.wires), len(replayed))
	}
}

// write makes changes: by tools of this store or another one, or as eve.
func (w *world) write(t testing.TB, who, changes int) {
	mine := *w
	if who%2 == 1 {
		mine.store = toolstest.Again(t, tools.Config{Path: w.dir, Now: toolstest.NewClock().Now})
	}
	r := rand.New(rand.NewPCG(uint64(who), 1))
	var ids []string
	for range changes {
		plan := planIDs[r.IntN(len(planIDs))]
		switch {
		case who == 3:
			id := fmt.Sprintf("t%d", 100_000+r.IntN(5))
			mine.commit(t, repo.ID{}, task(id, fmt.Sprint(r.Int()), plan), repo.File{Path: "tasks/.highest", Data: []byte("t200000\n")})
		case len(ids) == 0 || r.IntN(3) == 0:
			answer := mine.call(t, "task_add", fmt.Sprintf(`{"title":"%d","plan":"%s"}`, r.Int(), plan))
			ids = append(ids, answer.Records[0].(*records.Task).ID)
		default:
			mine.call(t, "task_set", fmt.Sprintf(`{"task":"%s","title":"%d","plan":"%s"}`, ids[r.IntN(len(ids))], r.Int(), plan))
		}
	}
}

// comeAndGo follows and leaves plans, and takes in what it is told, until ctx
// ends.
func comeAndGo(ctx context.Context, t testing.TB, hub *channel.Hub, seed uint64) *client {
	r := rand.New(rand.NewPCG(seed, 2))
	c := newClient(hub)
	for ctx.Err() == nil {
		for _, plan := range planIDs {
			switch {
			case c.states[plan] == nil:
				c.follow(t, plan)
			case r.IntN(3) == 0:
				c.leave(plan)
			}
		}
		for range r.IntN(5) {
			b, err := c.reader.Next(ctx)
			if err != nil {
				break
			}
			c.take(t, b)
		}
		if r.IntN(4) == 0 {
			c.reader.Close()
			c = newClient(hub)
		}
	}
	return c
}

// replayed gives every action since a commit, as it is sent.
func (w *world) replayed(t fataler, from repo.ID) []string {
	t.Helper()
	feed, err := w.store.Feed(from)
	if err != nil {
		t.Fatal(err)
	}
	var wires []string
	for m, err := range feed.Moves() {
		if err != nil {
			t.Fatal(err)
		}
		actions, err := channel.Actions(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actions {
			wires = append(wires, a.On+" "+document(t, a))
		}
	}
	return wires
}

// TestP29Gone: 500 readers that go while they are told leave nothing behind. It
// counts goroutines, so it runs while no other test does.
func TestP29Gone(t *testing.T) {
	w := newWorld(t)
	w.call(t, "plan_create", `{"title":"One"}`)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	hub := hubUntil(ctx, t, w)
	var readers sync.WaitGroup
	for i := range 500 {
		reader := hub.Reader()
		if _, _, err := reader.Follow("p1"); err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			for {
				_, err := reader.Next(ctx)
				if err != nil {
					return
				}
				if i%2 == 0 {
					reader.Close()
				}
			}
		})
	}
	for i := range 10 {
		w.call(t, "task_add", fmt.Sprintf(`{"title":"%d","plan":"p1"}`, i))
	}
	last := newClient(hub)
	last.follow(t, "p1")
	last.check(t, w.tip(t))
	cancel()
	readers.Wait()
	for {
		if _, err := last.reader.Next(context.Background()); errors.Is(err, channel.ErrEnded) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.After(20 * time.Second); runtime.NumGoroutine() > before; {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%d goroutines are left over", runtime.NumGoroutine()-before)
		}
	}
}
