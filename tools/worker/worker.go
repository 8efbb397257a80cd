package worker

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	// tool is what the Tool trailer of a worker's own commits says.
	tool = "work"
	// lookEvery is how long it goes without a look at the list where no signal comes.
	lookEvery = 30 * time.Second
	// retry is how long a worker waits where the list could not be read or written.
	retry = 5 * time.Second
	// reportAgain is how long it waits where what became of a task could not be said.
	reportAgain = time.Second
	// pause is how long it claims nothing after a command that was not ready for its
	// task.
	pause = time.Minute
)

// Config says what a worker does.
type Config struct {
	Store  *tools.Store
	Caller tools.Caller // in a session that is the worker's alone

	Plan     string   // only tasks of this plan; "" for any
	Labels   []string // only tasks with all of these
	Priority string   // only tasks of this priority; "" for any

	Lease      time.Duration // how long a claim holds by itself
	Max        int           // end after so many tasks; 0 for never
	UntilEmpty bool          // end when nothing is left that may become ready

	Command []string // the program and its arguments
	Dir     string
	Environ []string
	Stdout  io.Writer   // of the command; nil for nowhere
	Stderr  io.Writer   // the same
	Said    func(Event) // is told what happens; nil for nobody
}

// check refuses what no worker can run by, and fills in what may be left out.
func (c *Config) check() error {
	if len(c.Command) == 0 {
		return &tools.Error{Code: tools.Invalid, Message: "the worker has no command to run."}
	}
	if c.Stderr == nil {
		c.Stderr = io.Discard
	}
	if c.Said == nil {
		c.Said = func(Event) {}
	}
	return nil
}

// Claimed is what an [Event] says of a task that a worker begins.
const Claimed = "claim"

// What else becomes of one.
const (
	done     = "done"
	blocked  = "blocked"
	released = "release"
	lost     = "lost"  // the claim is no longer the worker's
	moved    = "moved" // the command moved it itself
)

// Event is what happened to a task.
type Event struct {
	Task  string `json:"task"`
	What  string `json:"what"` // claim, and then done, blocked, release, lost or moved
	Title string `json:"title"`
	Why   string `json:"why,omitempty"` // how the command ended, or who has the task
}

// Failed reports whether a task was given up that was not done: but for one of a
// worker that was told to stop.
func (e Event) Failed() bool {
	return e.What == blocked || e.What == lost || e.What == released && e.Why != ""
}

// worker is one that runs.
type worker struct {
	Config
	signals <-chan struct{} // of [tools.Store.WithClaims]; nil once that ended
}

// Run works until ctx ends, or until what the Config says. The error is of the list
// or of the command, which then did no task.
func Run(ctx context.Context, cfg Config) error {
	if err := cfg.check(); err != nil {
		return err
	}
	if name := cfg.Command[0]; !strings.Contains(name, "/") {
		if _, err := exec.LookPath(name); err != nil {
			return cannotRun(err)
		}
	}
	moved, err := cfg.Store.Moved(ctx)
	if err != nil {
		return err
	}
	w := &worker{cfg, cfg.Store.WithClaims(moved)}
	for n := 0; cfg.Max == 0 || n < cfg.Max; n++ {
		c, err := w.next(ctx)
		if c == nil || err != nil {
			return err
		}
		wait, err := c.do(ctx)
		if err != nil {
			return err
		}
		if wait > 0 && (cfg.Max == 0 || n+1 < cfg.Max) {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
		}
	}
	return nil
}

// next waits for a task and claims it; nil where there is none to wait for.
func (w *worker) next(ctx context.Context) (*claim, error) {
	for ctx.Err() == nil {
		c, wait, err := w.claim(ctx)
		if err != nil && ctx.Err() == nil {
			if !passes(err) {
				return nil, err
			}
			w.Store.Log().Warn("nothing was claimed; it is tried again", "error", err)
			wait = retry
		}
		if c != nil || wait == 0 {
			return c, nil
		}
		w.wait(ctx, wait)
	}
	return nil, nil
}

// passes reports whether a failure may be over by itself: another was quicker, or
// the list could not be read or written.
func passes(err error) bool {
	switch tools.AsError(err).Code {
	case tools.Held, tools.Busy, tools.Conflict, tools.Internal:
		return true
	}
	return false
}

// wait waits for a signal, or until a time is over.
func (w *worker) wait(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case _, open := <-w.signals:
		if !open {
			w.signals = nil
		}
	case <-timer.C:
	case <-ctx.Done():
	}
}

// claim claims a task, or says how long to wait where none is ready; 0 is that no
// more will be.
func (w *worker) claim(ctx context.Context) (*claim, time.Duration, error) {
	book, _, err := w.Store.Book()
	if err != nil {
		return nil, 0, err
	}
	if ready, err := w.any(book, records.Filter{Ready: new(true)}); err != nil || !ready {
		if err == nil && w.UntilEmpty {
			if more, err := w.awaits(book); err != nil || !more {
				return nil, 0, err
			}
		}
		return nil, lookEvery, err
	}
	began := w.Store.Now()
	input, err := json.Marshal(map[string]any{"next": true, "leaseFor": w.Lease.String(),
		"plan": orNone(w.Plan), "labels": w.Labels, "priority": orNone(w.Priority)})
	if err != nil {
		return nil, 0, err
	}
	answer, err := tools.Call(ctx, w.Store, w.Caller, "task_claim", input)
	if err != nil || answer.Commit == "" {
		return nil, lookEvery, err // another was quicker
	}
	c, err := w.claimed(answer, began)
	return c, 0, err
}

// orNone is a text that a call names, nil where it is empty.
func orNone(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// any reports whether a task that the worker may do meets a filter.
func (w *worker) any(book *records.Book, f records.Filter) (bool, error) {
	page, _, err := book.Select(w.selected(f), 0, 1)
	return len(page) > 0, err
}

func (w *worker) selected(f records.Filter) records.Filter {
	f.Unowned, f.Plan, f.Labels, f.Priority = true, w.Plan, w.Labels, records.Priority(w.Priority)
	f.Rules = records.Rules{RequireApproval: w.Store.Options().RequireApproval}
	return f
}

// awaits reports whether something that the worker may do may still become ready:
// what another holds may come back, and what is being done may be waited for.
func (w *worker) awaits(book *records.Book) (bool, error) {
	f := w.selected(records.Filter{Status: records.Doing})
	f.Unowned = false
	held, _, err := book.Select(f, 0, 0)
	if err != nil || slices.ContainsFunc(held, func(t *records.Listed) bool { return t.Lease != nil }) {
		return err == nil, err
	}
	waiting, _, err := book.Select(w.selected(records.Filter{Status: records.Todo}), 0, 0)
	if err != nil {
		return false, err
	}
	var ahead []string
	for _, t := range waiting {
		ahead = append(ahead, t.BlockedBy...)
	}
	return anyDoing(book, ahead)
}

// anyDoing reports whether one of some tasks is being done, or what they wait for.
func anyDoing(book *records.Book, ids []string) (bool, error) {
	for seen := map[string]bool{}; len(ids) > 0; {
		id := ids[0]
		if ids = ids[1:]; seen[id] {
			continue
		}
		seen[id] = true
		t, err := book.Task(id)
		switch {
		case err != nil:
			return false, err
		case t == nil || !t.Status.Open():
		case t.Status == records.Doing:
			return true, nil
		default:
			ids = append(ids, t.BlockedBy...)
		}
	}
	return false, nil
}

// say tells what happened to a task.
func (w *worker) say(t *records.Task, what, why string) {
	w.Said(Event{Task: t.ID, What: what, Title: t.Title, Why: why})
}
