package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// claim is a task that the worker holds.
type claim struct {
	*worker
	task  *records.Task // as it was claimed
	feed  *tools.Feed   // from the claim on
	until time.Time     // the end of the lease, as Store.Now tells the time

	moved bool   // by the command itself
	lost  string // to whom; "" while it is ours
}

// claimed reads the answer of task_claim.
func (w *worker) claimed(answer tools.Answer, began time.Time) (*claim, error) {
	at, err := w.Store.FindCommit(answer.Commit)
	if err != nil {
		return nil, err
	}
	feed, err := w.Store.Feed(at)
	if err != nil {
		return nil, err
	}
	id, _, _ := strings.Cut(answer.Text, " ")
	_, book := feed.At()
	task, err := book.Task(id)
	if err != nil {
		return nil, err
	}
	c := &claim{worker: w, task: task, feed: feed, until: began.Add(w.Lease)}
	w.say(task, Claimed, "")
	return c, nil
}

// isOurs reports whether the task is still held by the very claim that was made.
func (c *claim) isOurs(t *records.Task) bool {
	return t != nil && t.Status == records.Doing && t.Lease != nil &&
		t.Lease.In == c.task.Lease.In && t.Lease.At == c.task.Lease.At
}

// do runs the command for the task and reports what it comes to. wait is how long to
// claim nothing.
func (c *claim) do(ctx context.Context) (wait time.Duration, err error) {
	brief, err := c.brief(ctx)
	if err != nil {
		return 0, errors.Join(err, c.release(ctx, ""))
	}
	p, err := start(c.Command, c.Dir, append(c.Environ, "GIT_TASKS_TASK="+c.task.ID, "GIT_TASKS_SESSION="+c.Caller.Session()), brief, c.Stdout, c.Stderr)
	if err != nil {
		return 0, errors.Join(err, c.release(ctx, ""))
	}
	exit := c.follow(ctx, p)
	c.runOut()
	switch {
	case c.lost != "":
		c.say(c.task, lost, c.lost)
		return 0, nil
	case c.moved:
		c.say(c.task, moved, exit.String())
		return 0, nil
	case ctx.Err() != nil:
		return 0, c.release(ctx, "")
	}
	return c.report(ctx, exit)
}

// brief is the task as Markdown.
func (c *claim) brief(ctx context.Context) (string, error) {
	input, err := json.Marshal(map[string]any{"task": c.task.ID, "packet": true})
	if err != nil {
		return "", err
	}
	answer, err := tools.Call(ctx, c.Store, c.Caller, "task_get", input)
	return answer.Text + "\n", err
}

// follow waits for the end of the command. Meanwhile it renews the lease, and stops
// the command when it is told to or the claim is lost.
func (c *claim) follow(ctx context.Context, p *process) ending {
	half := c.Lease / 2
	renew, over := time.NewTimer(half), time.NewTimer(c.Lease)
	defer renew.Stop()
	defer over.Stop()
	told := ctx.Done()
	for {
		select {
		case exit := <-p.ended:
			return exit
		case <-told:
			told = nil
			p.stop()
		case _, open := <-c.worker.signals:
			if !open {
				c.worker.signals = nil
			}
			c.look()
		case <-renew.C:
			if c.renew(ctx) {
				renew.Reset(half)
			} else {
				renew.Reset(max(half/8, time.Second))
			}
		case <-over.C:
		}
		switch c.runOut(); {
		case c.lost != "":
			p.stop()
		case !c.moved:
			over.Reset(c.until.Sub(c.Store.Now()))
		}
	}
}

// runOut sees whether the lease is over. No timer says so: they stand still while the
// machine sleeps.
func (c *claim) runOut() {
	if !c.moved && c.lost == "" && !c.Store.Now().Before(c.until) {
		c.lost = notRenewed
	}
}

// look takes what happened to the task since the last look.
func (c *claim) look() {
	for m, err := range c.feed.Moves() {
		if err != nil {
			return // the next look begins there
		}
		t, err := m.Book.Task(c.task.ID)
		switch {
		case err != nil || c.lost != "":
		case c.isOurs(t):
			c.moved = false
		case m.Session == c.Caller.Session():
			c.moved = true
		case !c.moved:
			c.lost = "it was taken by " + m.By + " (" + m.What + ")"
		}
	}
}

var errLost = errors.New("the claim is lost")

// notRenewed is how a claim is lost to nobody: the renewals failed, or the process
// was held up, until the lease was over.
const notRenewed = "its lease ran out and could not be renewed"

// change makes an edit of the task in the same step that sees that the claim still
// counts.
func (c *claim) change(ctx context.Context, f records.Fields) error {
	_, err := c.Store.Update(ctx, c.Caller, tool, func(book *records.Book) ([]tools.Step, error) {
		t, err := book.AsOf(c.Store.Now(), nil).Task(c.task.ID)
		if err != nil {
			return nil, err
		}
		if !c.isOurs(t) {
			return nil, errLost
		}
		return []tools.Step{{Edit: records.SetTask{Task: c.task.ID, Fields: f}}}, nil
	})
	return err
}

// renew moves the lease on. Of a task that is no longer held there is none.
func (c *claim) renew(ctx context.Context) bool {
	if c.moved || c.lost != "" {
		return false
	}
	began := c.Store.Now()
	err := c.change(ctx, records.Fields{LeaseFor: &c.Lease})
	switch {
	case errors.Is(err, errLost):
		if c.look(); !c.moved && c.lost == "" {
			c.lost = notRenewed
		}
	case err == nil:
		c.until = began.Add(c.Lease)
	case ctx.Err() == nil:
		c.Store.Log().Warn("a lease could not be renewed; it is tried again", "task", c.task.ID, "error", err)
	}
	return err == nil
}

// lastWait is how long a worker that was told to stop tries to say so.
const lastWait = 1500 * time.Millisecond

// finally makes the last edit of the task, again and again where the list cannot be
// written, as long as the lease holds.
func (c *claim) finally(ctx context.Context, what, why string, f records.Fields) error {
	for {
		at, stop := context.WithCancel(ctx)
		if ctx.Err() != nil {
			stop()
			at, stop = context.WithTimeout(context.WithoutCancel(ctx), lastWait)
		}
		err := c.change(at, f)
		stop()
		var refusal *records.Refusal
		switch {
		case err == nil:
			c.say(c.task, what, why)
			return nil
		case errors.Is(err, errLost):
			if c.look(); c.moved {
				c.say(c.task, moved, why)
			} else {
				c.say(c.task, lost, cmp.Or(c.lost, notRenewed))
			}
			return nil
		case errors.As(err, &refusal), ctx.Err() != nil, !c.Store.Now().Before(c.until):
			return fmt.Errorf("reporting %s of %s: %w", what, c.task.ID, err)
		}
		c.Store.Log().Warn("what became of a task could not be reported; it is tried again", "task", c.task.ID, "error", err)
		select {
		case <-time.After(reportAgain):
		case <-ctx.Done():
		}
	}
}

// report says what the command came to.
func (c *claim) report(ctx context.Context, exit ending) (wait time.Duration, err error) {
	switch exit.code {
	case 0:
		err := c.finally(ctx, done, "", records.Fields{Status: new(string(records.Done))})
		var refusal *records.Refusal
		if errors.As(err, &refusal) {
			return 0, c.block(ctx, "exit 0, but "+refusal.Text)
		}
		return 0, err
	case notNow:
		return pause, c.release(ctx, exit.String())
	case notExecutable, notFound:
		err := &tools.Error{Code: tools.Invalid, Message: "the command cannot be run (" + exit.String() + "): nothing is claimed any more"}
		return 0, errors.Join(err, c.release(ctx, exit.String()))
	}
	return 0, c.block(ctx, exit.String())
}

// block leaves the task to a person, with how the command ended.
func (c *claim) block(ctx context.Context, why string) error {
	why = records.Visible(why)
	return c.finally(ctx, blocked, why, records.Fields{Status: new(string(records.Blocked)), Note: &why})
}

// release gives the task back, with a note where there is something to say.
func (c *claim) release(ctx context.Context, why string) error {
	f := records.Fields{Status: new(string(records.Todo)), Owner: new(""), LeasedUntil: new(time.Time{})}
	if why != "" {
		why = records.Visible(why)
		f.Note = &why
	}
	return c.finally(ctx, released, why, f)
}
