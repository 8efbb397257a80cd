package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// tool is what the Tool trailer of a sweep's commit says.
const tool = "sweep"

// Run looks once and then every hour until ctx ends, and waits for a pass that
// is under way. Each time it goes by the settings that are in force then; where
// they ask for no sweep nothing is looked at. After each look passed is told of
// its time and its error.
func Run(ctx context.Context, s *tools.Store, passed func(at time.Time, err error)) {
	pass := func() {
		if s.Options().SweepAfterDays == 0 {
			return
		}
		_, err := Pass(ctx, s)
		if err != nil {
			s.Log().Error("sweep failed; the next hour's pass looks again", "error", err)
		}
		passed(s.Now(), err)
	}
	c := schedule(s, cron.Every(time.Hour), pass)
	c.Start()
	guarded(s, pass)()
	<-ctx.Done()
	<-c.Stop().Done()
}

// schedule makes a job that is skipped while it still runs. A panic is caught
// inside of that: caught outside, it would leave the job marked as running for
// ever.
func schedule(s *tools.Store, when cron.Schedule, job func()) *cron.Cron {
	log := logger{s}
	c := cron.New(cron.WithLocation(time.UTC), cron.WithLogger(log),
		cron.WithChain(cron.SkipIfStillRunning(log), cron.Recover(log)))
	c.Schedule(when, cron.FuncJob(job))
	return c
}

// guarded is a job as the schedule runs it, for the look at the start.
func guarded(s *tools.Store, job func()) func() {
	return cron.Recover(logger{s})(cron.FuncJob(job)).Run
}

// logger hands cron's words to the store's log.
type logger struct{ store *tools.Store }

func (l logger) Info(msg string, kv ...any) { l.store.Log().Debug("sweep: "+msg, kv...) }

func (l logger) Error(err error, msg string, kv ...any) {
	l.store.Log().Error("sweep: "+msg, append(kv, "error", err)...)
}

// Pass looks once and sweeps what is due, oldest plan first. It gives a line
// per plan that went: "p1: 12 tasks". With no sweepAfterDays nothing is due.
func Pass(ctx context.Context, s *tools.Store) ([]string, error) {
	days := s.Options().SweepAfterDays
	if days == 0 {
		return nil, nil
	}
	before := s.Now().Add(-time.Duration(days * 24 * float64(time.Hour)))
	book, _, err := s.Book()
	if err != nil {
		return nil, err
	}
	plans, err := book.Plans()
	if err != nil {
		return nil, err
	}
	var swept []string
	var failed []error
	for p := range plans {
		line, err := sweepPlan(ctx, s, p.ID, before)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.ID, err))
		} else if line != "" {
			swept = append(swept, line)
		}
	}
	return swept, errors.Join(failed...)
}

// sweepPlan takes one plan off if it is due at the tip, and nobody is at work on it.
func sweepPlan(ctx context.Context, s *tools.Store, id string, before time.Time) (string, error) {
	book, _, err := s.Book()
	if err != nil {
		return "", err
	}
	if step, err := due(book, id, before); err != nil || step == nil {
		return "", err
	}
	if held, err := isHeld(book, id); held || err != nil {
		return "", err
	}
	line := ""
	_, err = s.Update(ctx, s.HostCaller(), tool, func(book *records.Book) ([]tools.Step, error) {
		step, err := due(book, id, before)
		if err != nil || step == nil {
			line = ""
			return nil, err
		}
		line = fmt.Sprintf("%s: %s", id, count(len(step.Body)-1))
		return []tools.Step{*step}, nil
	})
	var refused *records.Refusal
	if errors.As(err, &refused) && refused.Kind == records.Held {
		return "", nil // somebody took up a task of it just now
	}
	return line, err
}

// isHeld reports whether somebody holds a task of a plan, by the Book as it counts now.
func isHeld(book *records.Book, plan string) (bool, error) {
	tasks, err := book.TasksOf(plan)
	if err != nil {
		return false, err
	}
	for t := range tasks {
		if t.Status == records.Doing && t.Lease != nil {
			return true, nil
		}
	}
	return false, nil
}

// due gives the step that sweeps a plan, nil when it is not to go.
func due(book *records.Book, id string, before time.Time) (*tools.Step, error) {
	plan, err := book.Plan(id)
	if err != nil || plan == nil || plan.Status.Open() {
		return nil, err
	}
	newest, remove, body := time.Time{}, records.Remove{}, []string{plan.Line()}
	look := func(stamp *records.Stamp) {
		if at, ok := stamp.Time(); ok && at.After(newest) {
			newest = at
		}
	}
	for _, stamp := range plan.Stamps() {
		look(stamp)
	}
	tasks, err := book.TasksOf(id)
	if err != nil {
		return nil, err
	}
	for t := range tasks {
		remove.IDs = append(remove.IDs, t.ID)
		body = append(body, t.Line())
		for _, stamp := range t.Stamps() {
			look(stamp)
		}
	}
	if newest.IsZero() || !newest.Before(before) {
		return nil, nil // a plan without any stamp says nothing of its age
	}
	remove.IDs = append(remove.IDs, id)
	return &tools.Step{Edit: remove, Subject: id + " sweep " + count(len(body)-1), Body: body}, nil
}

func count(tasks int) string {
	if tasks == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", tasks)
}
