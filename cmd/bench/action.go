package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// subscribers is how many readers there are, over all plans.
const subscribers = 1000

// crowd is readers of so many plans, and so many changes a second.
type crowd struct {
	name, work  string
	plans, rate int
}

func actionRows() []row {
	var list []row
	for _, c := range []crowd{
		{"action", "commit to action, p99, 100 plans", 100, 200},
		{"action-one", "commit to action, p99, one plan", 1, 20},
	} {
		list = append(list, row{name: c.name, work: c.work, unit: "ms", beside: "git --version", budget: "≤ 10 ms", at: anySize,
			share: timeOf(10), run: c.run})
	}
	return list
}

// run has readers follow new plans in a copy of the list, and changes a task of
// each in turn.
func (c crowd) run(ctx context.Context, b *bench, l *list) (reading, error) {
	dir, err := b.copy(l)
	if err != nil {
		return reading{}, err
	}
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return reading{}, err
	}
	defer s.Close()
	a := &audience{store: s, crowd: c, heard: map[string]hearing{}}
	if err := a.prepare(ctx); err != nil {
		return reading{}, err
	}
	return b.compare(1, false, func() (float64, error) { return a.show(ctx, b) },
		func() (float64, error) { return b.start(ctx) })
}

// audience is a crowd that listens to a store.
type audience struct {
	crowd
	store        *tools.Store
	plans, tasks []string
	changes      int // that were made so far

	mu    sync.Mutex
	heard map[string]hearing // by the title that a change gave
	wrong error
}

// hearing is which task a change was of, how many readers heard of it, and when
// the last one did.
type hearing struct {
	task    string
	readers int
	last    time.Time
}

func (a *audience) call(ctx context.Context, tool string, input map[string]string) (id string, err error) {
	data, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	answer, err := tools.Call(ctx, a.store, a.store.HostCaller(), tool, data)
	if err != nil {
		return "", err
	}
	id, _ = answer.Records[0].(records.Record).Name()
	return id, nil
}

// prepare makes the plans, each with a task.
func (a *audience) prepare(ctx context.Context) error {
	for range a.crowd.plans {
		data := json.RawMessage(`{"title":"followed","scope":{"kind":"bot","bot":"bench"}}`)
		answer, err := tools.Call(ctx, a.store, a.store.HostCaller(), "plan_create", data)
		if err != nil {
			return err
		}
		plan, _ := answer.Records[0].(records.Record).Name()
		task, err := a.call(ctx, "task_add", map[string]string{"title": "0", "plan": plan})
		if err != nil {
			return err
		}
		a.plans, a.tasks = append(a.plans, plan), append(a.tasks, task)
	}
	return nil
}

// show makes changes at the rate, and gives the time from a call's answer to the
// moment when the last reader had its action: that which one of a hundred takes
// longer than.
func (a *audience) show(ctx context.Context, b *bench) (float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	moved, err := a.store.Moved(ctx)
	if err != nil {
		cancel()
		return 0, err
	}
	hub, err := channel.NewHub(a.store, moved)
	if err != nil {
		cancel()
		return 0, err
	}
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	for i := range subscribers {
		reader := hub.Reader()
		if _, _, err := reader.Follow(a.plans[i%len(a.plans)]); err != nil {
			return 0, err
		}
		readers.Go(func() { a.listen(ctx, reader) })
	}
	n := max(100, 2*a.rate)
	if b.quick {
		n = 5
	}
	answered, err := a.change(ctx, n)
	if err != nil {
		return 0, err
	}
	if err := a.all(ctx, answered); err != nil {
		return 0, err
	}
	if err := b.same("who heard of which change", a.told(answered), a.meant(answered)); err != nil {
		return 0, err
	}
	var took []float64
	for title, at := range answered {
		took = append(took, max(0.001, milliseconds(a.heard[title].last.Sub(at))))
	}
	slices.Sort(took)
	return took[len(took)*99/100], nil
}

// change makes n changes at the rate, and says when each was answered.
func (a *audience) change(ctx context.Context, n int) (map[string]time.Time, error) {
	answered := map[string]time.Time{}
	var failed error
	var mu sync.Mutex
	var calls sync.WaitGroup
	tick := time.NewTicker(time.Second / time.Duration(a.rate))
	defer tick.Stop()
	for range n {
		a.changes++
		title, task := fmt.Sprint(a.changes), a.tasks[a.changes%len(a.tasks)]
		calls.Go(func() {
			_, err := a.call(ctx, "task_set", map[string]string{"task": task, "title": title})
			mu.Lock()
			defer mu.Unlock()
			answered[title] = time.Now()
			failed = errors.Join(failed, err)
		})
		<-tick.C
	}
	calls.Wait()
	return answered, failed
}

// listen takes in what a reader is told, until ctx ends.
func (a *audience) listen(ctx context.Context, reader *channel.Reader) {
	defer reader.Close()
	for {
		batch, err := reader.Next(ctx)
		if err != nil {
			return
		}
		now := time.Now()
		a.mu.Lock()
		if batch.States != nil || len(batch.Actions) != 1 || batch.Actions[0].Type != channel.TaskSet {
			a.wrong = fmt.Errorf("a reader was told of %d changes in one, and given %d states", len(batch.Actions), len(batch.States))
		} else {
			id, title := batch.Actions[0].Task.Name()
			a.heard[title] = hearing{id, a.heard[title].readers + 1, now}
		}
		a.mu.Unlock()
	}
}

// all waits until there are as many hearings as readers of what was changed.
func (a *audience) all(ctx context.Context, answered map[string]time.Time) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); ; {
		missing := len(answered) * subscribers / len(a.plans)
		a.mu.Lock()
		for title := range answered {
			missing -= a.heard[title].readers
		}
		wrong := a.wrong
		a.mu.Unlock()
		switch {
		case wrong != nil || missing <= 0:
			return wrong
		case time.Now().After(end):
			return fmt.Errorf("%d actions never came", missing)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// told says of each change which task it was heard to be of, and by how many.
func (a *audience) told(answered map[string]time.Time) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var lines []string
	for title := range answered {
		lines = append(lines, fmt.Sprintf("%s %s %d", title, a.heard[title].task, a.heard[title].readers))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// meant is what told should say.
func (a *audience) meant(answered map[string]time.Time) string {
	var lines []string
	for title := range answered {
		n, _ := strconv.Atoi(title)
		lines = append(lines, fmt.Sprintf("%s %s %d", title, a.tasks[n%len(a.tasks)], subscribers/len(a.plans)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
