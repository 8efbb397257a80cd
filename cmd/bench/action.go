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
	"sync/atomic"
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
	wire        bool // through a host, each reader with a WebSocket
}

func actionRows() []row {
	var list []row
	for _, c := range []crowd{
		{"action", "commit to action, p99, 100 plans", 100, 200, false},
		{"action-one", "commit to action, p99, one plan", 1, 20, false},
		{"action-wire", "commit to action over WebSocket, p99, 100 plans", 100, 200, true},
		{"action-wire-one", "commit to action over WebSocket, p99, one plan", 1, 20, true},
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
	a := &audience{crowd: c, said: map[string]*saying{}, heard: map[string]hearing{}}
	stop, err := a.open(b, dir)
	if err != nil {
		return reading{}, err
	}
	var got reading
	if err = a.prepare(ctx); err == nil {
		got, err = b.compare(1, false, func() (float64, error) { return a.show(ctx, b) },
			func() (float64, error) { return b.start(ctx) })
	}
	return got, errors.Join(err, stop())
}

// audience is a crowd that listens to a list.
type audience struct {
	crowd
	plans, tasks []string
	changes      int // that were made so far

	// call makes a call of a tool, and gives the id of the record.
	call func(ctx context.Context, tool string, input map[string]any) (id string, err error)
	// gather gives what has one reader after the other follow a plan; what each is
	// told goes to hear.
	gather func(ctx context.Context) (follow func(plan string) (listen func(), err error), err error)

	came atomic.Int64 // messages, since the show began
	ears []*ear       // of the show

	mu    sync.Mutex
	said  map[string]*saying // by the message that ears were sent
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

// open opens the list in this process, or has a host open it.
func (a *audience) open(b *bench, dir string) (stop func() error, err error) {
	if a.wire {
		h, err := b.startHost(dir)
		if err != nil {
			return nil, err
		}
		c := newClient(h.url, connections)
		a.call = func(ctx context.Context, tool string, input map[string]any) (string, error) {
			text, _, err := c.ask(ctx, "bench", tool, input)
			id, _, _ := strings.Cut(text, " ")
			return id, err
		}
		a.gather = func(ctx context.Context) (func(string) (func(), error), error) {
			return func(plan string) (func(), error) {
				e, err := newEar(ctx, strings.TrimSuffix(h.url, "/mcp"), plan)
				a.ears = append(a.ears, e)
				return func() { a.listen(ctx, e) }, err
			}, nil
		}
		return h.stop, nil
	}
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return nil, err
	}
	a.call = func(ctx context.Context, tool string, input map[string]any) (string, error) {
		data, err := json.Marshal(input)
		if err != nil {
			return "", err
		}
		answer, err := tools.Call(ctx, s, s.HostCaller(), tool, data)
		if err != nil {
			return "", err
		}
		id, _ := answer.Records[0].(records.Record).Name()
		return id, nil
	}
	a.gather = func(ctx context.Context) (func(string) (func(), error), error) { return a.readers(ctx, s) }
	return s.Close, nil
}

// prepare makes the plans, each with a task.
func (a *audience) prepare(ctx context.Context) error {
	for range a.crowd.plans {
		plan, err := a.call(ctx, "plan_create", map[string]any{"title": "followed", "scope": map[string]any{"kind": "bot", "bot": "bench"}})
		if err != nil {
			return err
		}
		task, err := a.call(ctx, "task_add", map[string]any{"title": "0", "plan": plan})
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
	a.ears = nil
	a.came.Store(0)
	ctx, cancel := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	follow, err := a.gather(ctx)
	if err != nil {
		return 0, err
	}
	for i := range subscribers {
		listen, err := follow(a.plans[i%len(a.plans)])
		if err != nil {
			return 0, err
		}
		readers.Go(listen)
	}
	n := max(100, 2*a.rate)
	if b.quick {
		n = 5
	}
	answered, err := a.change(ctx, n)
	if err != nil {
		return 0, err
	}
	if err := a.all(ctx, len(answered)*subscribers/len(a.plans)); err != nil {
		return 0, err
	}
	for _, e := range a.ears {
		if err := a.heed(e); err != nil {
			return 0, err
		}
	}
	if err := b.same("who heard of which change", a.told(answered), a.meant(answered)); err != nil {
		return 0, err
	}
	var took []float64
	for title, at := range answered {
		took = append(took, max(0.001, milliseconds(a.heard[title].last.Sub(at))))
	}
	slices.Sort(took)
	return took[(len(took)*99-1)/100], nil
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
			_, err := a.call(ctx, "task_set", map[string]any{"task": task, "title": title})
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

// readers gives readers of a hub in this process.
func (a *audience) readers(ctx context.Context, s *tools.Store) (func(string) (func(), error), error) {
	moved, err := s.Moved(ctx)
	if err != nil {
		return nil, err
	}
	hub, err := channel.NewHub(s, moved)
	if err != nil {
		return nil, err
	}
	return func(plan string) (func(), error) {
		reader := hub.Reader()
		_, _, err := reader.Follow(plan)
		return func() {
			defer reader.Close()
			for {
				batch, err := reader.Next(ctx)
				if err != nil {
					return
				}
				if batch.States != nil || len(batch.Actions) != 1 || batch.Actions[0].Task == nil {
					a.fail(fmt.Errorf("%d changes in one, and %d states", len(batch.Actions), len(batch.States)))
					continue
				}
				id, title := batch.Actions[0].Task.Name()
				a.hear(time.Now(), id, title, batch.Actions[0].Type)
				a.came.Add(1)
			}
		}, err
	}, nil
}

// hear notes when a reader was told of a change.
func (a *audience) hear(at time.Time, task, title string, kind channel.Type) {
	if kind != channel.TaskSet {
		a.fail(fmt.Errorf("a reader was told of %s", kind))
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.heard[title]
	if at.Before(before.last) {
		at = before.last
	}
	a.heard[title] = hearing{task, before.readers + 1, at}
}

// fail notes that a reader was told what it should not be.
func (a *audience) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrong = errors.Join(a.wrong, err)
}

// all waits until so many messages have come to readers.
func (a *audience) all(ctx context.Context, meant int) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); ; {
		missing := meant - int(a.came.Load())
		a.mu.Lock()
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
