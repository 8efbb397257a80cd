package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

const day = 24 * time.Hour

var start = time.Date(2026, 10, 1, 10, 0, 0, 0, time.UTC)

// list is a list with a clock that the test moves.
type list struct {
	t    *testing.T
	dir  string
	log  bytes.Buffer
	said func() // called after each line of the log
	mu   sync.Mutex
	now  time.Time
	fail error // what every file call of the write door fails with
	*tools.Store
}

func newList(t *testing.T, sweepAfterDays float64) *list {
	t.Helper()
	l := &list{t: t, dir: repotest.New(t), now: start}
	var err error
	l.Store, err = tools.Open(tools.Config{Path: l.dir, Now: l.clock, Log: slog.New(slog.NewTextHandler(l, nil)),
		Settings: &tools.Settings{Options: tools.Options{SweepAfterDays: sweepAfterDays}},
		Fault: func(string, string) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.fail
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if report, err := l.Check(context.Background()); err != nil || len(report.Problems) > 0 {
			t.Errorf("check: %v, %v", report.Problems, err)
		}
		l.Close()
	})
	return l
}

func (l *list) Write(line []byte) (int, error) {
	l.log.Write(line)
	if l.said != nil {
		l.said()
	}
	return len(line), nil
}

func (l *list) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *list) at(d time.Duration) *list {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = start.Add(d)
	return l
}

func (l *list) failWith(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
}

func (l *list) call(tool, input string) string {
	l.t.Helper()
	caller, err := l.Caller(tools.Who{Person: "ana", Folder: "/srv/work"})
	if err != nil {
		l.t.Fatal(err)
	}
	answer, err := tools.Call(l.t.Context(), l.Store, caller, tool, json.RawMessage(input))
	if err != nil {
		l.t.Fatal(err)
	}
	return answer.Text
}

func (l *list) sweep(want ...string) {
	l.t.Helper()
	got, err := Pass(l.t.Context(), l.Store)
	if err != nil || strings.Join(got, ";") != strings.Join(want, ";") {
		l.t.Errorf("swept %q, %v; want %q", got, err, want)
	}
}

// finished makes p1, done on day 0, with t1 done and t2 todo, and t3 done in no
// plan.
func finished(l *list) {
	l.call("plan_create", `{"title":"Ship it"}`)
	l.call("task_add", `{"title":"one","plan":"p1"}`)
	l.call("task_add", `{"title":"two","plan":"p1"}`)
	l.call("task_add", `{"title":"flat"}`)
	l.call("task_set", `{"task":"t1","status":"done"}`)
	l.call("task_set", `{"task":"t3","status":"done"}`)
	l.call("plan_set", `{"plan":"p1","status":"done"}`)
}

func TestCase123NothingGoesWithoutTheSetting(t *testing.T) {
	t.Parallel()
	l := newList(t, 0)
	finished(l)
	l.at(1000 * day).sweep()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
		defer cancel()
		Run(ctx, l.Store, func(time.Time, error) { t.Error("it looked, and nobody asked for it") })
	})
	if got := l.call("task_list", `{}`); strings.Count(got, "\n") != 2 {
		t.Errorf("after the pass:\n%s", got)
	}
}

func TestCase124AReviewKeepsThePlan(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	l.at(29*day).call("task_review", `{"task":"t2"}`)
	l.at(31 * day).sweep()
}

func TestCase125AllOlderGoes(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	l.at(30 * day).sweep() // exactly as old as the setting is not older
	l.at(30*day + time.Millisecond).sweep("p1: 2 tasks")
	if got := l.call("task_list", `{}`); got != "t3 done medium flat" {
		t.Errorf("after the pass:\n%s", got)
	}
	if got := l.call("plan_list", `{}`); got != "No plans match." {
		t.Errorf("after the pass:\n%s", got)
	}
	want := "host <host@localhost>\np1 sweep 2 tasks\n\np1 done Ship it\nt1 done medium one\nt2 todo medium two\n\nTool: sweep\n"
	if got := repotest.Git(t, l.dir, "log", "-1", "--format=%an <%ae>%n%B", "main"); got != want {
		t.Errorf("commit:\n%s", got)
	}
	if got := l.call("plan_create", `{"title":"next"}`) + l.call("task_add", `{"title":"next"}`); got != "p2 draft nextt4 todo medium next" {
		t.Errorf("ids after the sweep: %s", got)
	}
}

// TestQueueTheSweepIsHeldToClaims: a plan of which somebody holds a task stays, for as
// long as they do; who only held one keeps nothing.
func TestQueueTheSweepIsHeldToClaims(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	l.call("task_claim", `{"task":"t2","leaseFor":"800h"}`)
	l.at(32 * day).sweep()
	book, _, err := l.Book()
	if err != nil {
		t.Fatal(err)
	}
	line, err := sweepPlan(t.Context(), l.Store, "p1", l.Now().Add(-30*day))
	if err != nil || line != "" {
		t.Errorf("a plan that is held: %q, %v", line, err)
	}
	if _, err := l.Update(t.Context(), l.HostCaller(), tool, func(*records.Book) ([]tools.Step, error) {
		step, err := due(book, "p1", l.Now().Add(-30*day))
		return []tools.Step{*step}, err
	}); tools.AsError(err).Message != "conflict: t2 is held by ana until 2026-11-03T18:00:00.000Z." {
		t.Errorf("what goes all the same gets %v", err)
	}
	l.at(34 * day).sweep("p1: 2 tasks")
	want := "host|t2 reclaim: two|Reclaimed: ana lease\nhost|p1 sweep 2 tasks|"
	if got := repotest.Git(t, l.dir, "log", "--reverse", "-2", "--format=%an|%s|%(trailers:key=Reclaimed,separator=;)", "main"); got != want {
		t.Errorf("history\n%s", got)
	}
}

func TestCase126ActivePlansAndFlatTasksStay(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	l.call("plan_set", `{"plan":"p1","status":"active"}`)
	l.at(1000 * day).sweep()
	if got := l.call("task_list", `{}`); strings.Count(got, "\n") != 2 {
		t.Errorf("after the pass:\n%s", got)
	}
}

func TestCase127AFailingPassIsLoggedAndTheNextWorks(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	l.at(31 * day)
	l.failWith(errDisk)
	ctx, cancel := context.WithCancel(t.Context())
	l.said = cancel // look once, fail, log, then stop
	looks := 0
	Run(ctx, l.Store, func(at time.Time, err error) {
		if looks++; !at.Equal(l.Now()) || err == nil {
			t.Errorf("a look at %v was told as one at %v that gave %v", l.Now(), at, err)
		}
	})
	if l.said = nil; looks != 1 {
		t.Errorf("%d looks were told of, want one", looks)
	}
	if _, err := Pass(t.Context(), l.Store); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("a pass on a failing disk: %v", err)
	}
	if !strings.Contains(l.log.String(), "sweep failed") || !strings.Contains(l.log.String(), "disk on fire") {
		t.Errorf("log: %s", l.log.String())
	}
	l.failWith(nil)
	l.sweep("p1: 2 tasks")
}

var errDisk = diskError("disk on fire")

type diskError string

func (e diskError) Error() string { return string(e) }

// TestScheduleSurvivesAPanic is the order of cron's wrappers: with the panic
// caught outside, the second hour would be skipped for ever.
func TestScheduleSurvivesAPanic(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		c := schedule(l.Store, cron.Every(time.Hour), func() {
			runs++
			panic("first and second")
		})
		c.Start()
		<-time.After(2*time.Hour + time.Minute)
		<-c.Stop().Done()
		if runs != 2 {
			t.Errorf("%d runs in two hours", runs)
		}
	})
}

func TestAnUnreadableTaskDoesNotGoWithItsPlan(t *testing.T) {
	t.Parallel()
	l := newList(t, 30)
	finished(l)
	broken := repotest.Foreign(t, l.dir, "refs/heads/main", "bob", "break it",
		repo.File{Path: "tasks/t2.md", Data: []byte("---\nid: t2\ntitle: a: b\nstatus: todo\nplan: p1\n---\n")})
	l.at(1000 * day).sweep("p1: 1 task")
	if got := repotest.Git(t, l.dir, "show", "main:tasks/t2.md"); got != repotest.Git(t, l.dir, "show", broken+":tasks/t2.md") {
		t.Errorf("the file was touched: %s", got)
	}
	repotest.Foreign(t, l.dir, "refs/heads/main", "bob", "mend it",
		repo.File{Path: "tasks/t2.md", Data: []byte("---\nid: t2\ntitle: \"a: b\"\nstatus: todo\nplan: p1\n---\n")})
	if got := l.call("task_list", `{}`); got != "t2 todo medium a: b\nt3 done medium flat" {
		t.Errorf("after the mend:\n%s", got)
	}
}
