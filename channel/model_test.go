package channel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// history is a list that everything happens to, and those who follow it.
type history struct {
	*world
	t       testing.TB
	hub     *channel.Hub
	clients []*client
	marks   []repo.ID // where the branch was
}

var planIDs = []string{"p1", "p2", "p3"}

// TestP30Model: whatever happens to history, the actions of any stretch of it
// turn the state at its beginning into that at its end, and so does what a hub
// sends, and what it sends to those who come back.
func TestP30Model(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newLawless(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		hub := hubUntil(ctx, r, w)
		h := &history{world: w, t: t, hub: hub}
		for range 2 {
			h.clients = append(h.clients, newClient(hub))
		}
		hub.SetLimit(rapid.SampledFrom([]int{3, 1000}).Draw(r, "limit"))
		r.Repeat(map[string]func(*rapid.T){
			"tool": h.tool, "tool again": h.tool, "by hand": h.byHand, "by hand again": h.byHand,
			"rewind": h.rewind, "merge": h.merge, "claim": h.claim, "time": h.time,
			"follow": h.follow, "leave": h.leave, "come back": h.comeBack, "take": h.take,
			"": h.check,
		})
	})
}

// tool is any call, which may be refused.
func (h *history) tool(r *rapid.T) {
	plan, task := rapid.SampledFrom(planIDs).Draw(r, "plan"), fmt.Sprintf("t%d", rapid.IntRange(1, 6).Draw(r, "task"))
	title := rapid.StringMatching(`[a-z]{1,3}`).Draw(r, "title")
	one := rapid.SampledFrom([]struct {
		tool  string
		input map[string]any
	}{
		{"plan_create", map[string]any{"title": title}},
		{"task_add", map[string]any{"title": title, "plan": plan}},
		{"task_set", map[string]any{"task": task, "plan": plan}},
		{"task_set", map[string]any{"task": task, "plan": "", "title": title}},
		{"task_set", map[string]any{"task": task, "status": "doing", "title": title}},
		{"plan_set", map[string]any{"plan": plan, "title": title}},
		{"task_approve", map[string]any{"task": task}},
	}).Draw(r, "call")
	h.may(r, one.tool, one.input)
}

// claim takes a task for a minute.
func (h *history) claim(r *rapid.T) {
	h.may(r, "task_claim", map[string]any{"next": true, "plan": rapid.SampledFrom(planIDs).Draw(r, "plan"), "leaseFor": "1m"})
}

// time has claims run out; nobody may have written that yet.
func (h *history) time(*rapid.T) { h.clock.Pass(time.Minute) }

// may is a call that may be refused.
func (h *history) may(r *rapid.T, tool string, fields map[string]any) {
	input, err := json.Marshal(fields)
	if err != nil {
		r.Fatal(err)
	}
	_, err = tools.Call(context.Background(), h.store, h.store.HostCaller(), tool, input)
	if err == nil {
		return
	}
	if code := tools.AsError(err).Code; code != tools.NotFound && code != tools.Invalid && (code != tools.Conflict || tool != "task_claim") {
		r.Fatalf("%s %s: %v", tool, input, err)
	}
}

// files draws what a commit of another program changes.
func files(r *rapid.T) []repo.File {
	var all []repo.File
	for range rapid.IntRange(1, 4).Draw(r, "files") {
		id := rapid.SampledFrom([]string{"p1", "p2", "p3", "t1", "t2", "t3", "t4", "t5", "t6"}).Draw(r, "id")
		if slices.ContainsFunc(all, func(f repo.File) bool { return f.Path == records.PathOf(id) }) {
			continue
		}
		title := rapid.StringMatching(`[a-z]{1,3}`).Draw(r, "title")
		switch what := rapid.IntRange(0, 5).Draw(r, "what"); {
		case what == 0:
			all = append(all, gone(id))
		case what == 1:
			all = append(all, broken(id))
		case id[0] == 'p':
			all = append(all, plan(id, title))
		default:
			all = append(all, task(id, title, rapid.SampledFrom([]string{"", "p1", "p2", "p3", "p9"}).Draw(r, "plan")))
		}
	}
	return all
}

func (h *history) byHand(r *rapid.T) { h.commit(r, repo.ID{}, files(r)...) }

// pick draws a commit that was the tip once.
func (h *history) pick(r *rapid.T) repo.ID {
	return h.marks[rapid.IntRange(0, len(h.marks)-1).Draw(r, "commit")]
}

func (h *history) rewind(r *rapid.T) {
	if to := h.pick(r); !to.IsZero() {
		repotest.Git(h.t, h.dir, "update-ref", branch, to.String())
	}
}

// merge brings in a commit of long ago, or of a history that was left.
func (h *history) merge(r *rapid.T) { h.commit(r, h.pick(r), files(r)...) }

func (h *history) client(r *rapid.T) *client {
	return h.clients[rapid.IntRange(0, len(h.clients)-1).Draw(r, "client")]
}

func (h *history) follow(r *rapid.T) {
	c := h.client(r)
	c.takeAll(r)
	c.follow(r, rapid.SampledFrom(planIDs).Draw(r, "plan"))
}

func (h *history) leave(r *rapid.T) { h.client(r).leave(rapid.SampledFrom(planIDs).Draw(r, "plan")) }

func (h *history) take(r *rapid.T) { h.client(r).takeAll(r) }

// comeBack is a client whose connection drops, and who goes on from its commit.
func (h *history) comeBack(r *rapid.T) {
	i := rapid.IntRange(0, len(h.clients)-1).Draw(r, "client")
	old := h.clients[i]
	old.reader.Close()
	if _, err := old.reader.Next(context.Background()); !errors.Is(err, channel.ErrEnded) {
		r.Fatalf("a closed reader gave %v", err)
	}
	c := newClient(h.hub)
	h.clients[i] = c
	for _, plan := range slices.Sorted(maps.Keys(old.states)) {
		missed, err := c.reader.Resume(plan, old.at)
		if errors.Is(err, channel.ErrNoPlan) {
			continue
		}
		if err != nil {
			r.Fatal(err)
		}
		c.states[plan], c.at = old.states[plan], old.at
		for _, b := range missed {
			c.take(r, b)
		}
	}
}

// check marks where the branch is, replays a stretch of history up to it, and
// takes in what one of the clients is told.
func (h *history) check(r *rapid.T) {
	tip, err := h.eve.Tip()
	if err != nil {
		r.Fatal(err)
	}
	book := records.NewBook(tip.FS())
	h.marks = append(h.marks, tip.ID())
	h.replay(r, h.pick(r), book)
	c := h.client(r)
	c.takeAll(r)
	c.check(r, book)
}

// replay turns the states at a commit into those at the tip.
func (h *history) replay(r *rapid.T, from repo.ID, book *records.Book) {
	feed, err := h.store.Feed(from)
	if err != nil {
		r.Fatal(err)
	}
	states := map[string]*channel.State{"p9": {}}
	_, old := feed.At()
	for _, plan := range planIDs {
		if states[plan], err = channel.Snapshot(old, plan); err != nil {
			r.Fatal(err)
		}
		if states[plan] == nil {
			states[plan] = &channel.State{}
		}
	}
	for m, err := range feed.Moves() {
		if err != nil {
			r.Fatal(err)
		}
		actions, err := channel.Actions(m)
		if err != nil {
			r.Fatal(err)
		}
		for _, a := range actions {
			reduce(r, states[a.On], a)
		}
	}
	for plan, state := range states {
		holds(r, book, plan, state)
	}
}
