package tools_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// worker calls a tool as w<n> in its session, and gives the text.
func worker(t *testing.T, s *tools.Store, n, tool, input string) string {
	t.Helper()
	got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "w" + n, Session: "s" + n}, tool, input)
	return got.Text
}

// history is what the last commits say: author, subject and trailers, oldest first.
func history(t *testing.T, dir string, n string) string {
	t.Helper()
	return repotest.Git(t, dir, "log", "--reverse", "-"+n, "--format=%an|%s|%(trailers:key=Reclaimed,key=Forced,separator=;)", "refs/heads/main")
}

// TestQueueReclaimThenChange: who changes a task whose claim is over leaves two
// commits, in this order and in one move of the branch.
func TestQueueReclaimThenChange(t *testing.T) {
	t.Parallel()
	dir, clock := repotest.New(t), toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: dir, Now: clock.Now})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	clock.Pass(30 * time.Minute)
	repotest.Git(t, dir, "config", "core.logAllRefUpdates", "always")
	moves := len(strings.Split(repotest.Git(t, dir, "reflog", "refs/heads/main"), "\n"))
	if got := worker(t, s, "2", "task_claim", `{"task":"t1"}`); got != "t1 doing medium A" {
		t.Fatal(got)
	}
	if got := history(t, dir, "2"); got != "w2|t1 reclaim: A|Reclaimed: ahp-session:/s1 lease\nw2|t1 claim: A|" {
		t.Errorf("history\n%s", got)
	}
	if after := len(strings.Split(repotest.Git(t, dir, "reflog", "refs/heads/main"), "\n")); after > moves+1 {
		t.Errorf("the branch moved %d times", after-moves)
	}
	if got := worker(t, s, "1", "task_set", `{"task":"t1","status":"done","force":true}`); got != "t1 done medium A" {
		t.Fatal(got)
	}
	if got := history(t, dir, "1"); got != "w1|t1 done: A|Forced: ahp-session:/s2" {
		t.Errorf("history\n%s", got)
	}
	toolstest.Check(t, s)
}

// TestQueueTheHostReclaims: a claim that is over is written as such by the host, for
// a subscriber that only listens; no read writes it.
func TestQueueTheHostReclaims(t *testing.T) {
	t.Parallel()
	dir, clock := repotest.New(t), toolstest.NewClock()
	s := toolstest.Open(t, tools.Config{Path: dir, Now: clock.Now})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_add", `{"title":"B"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	worker(t, s, "1", "task_claim", `{"task":"t2","leaseFor":"45m"}`)
	_, tip, _ := s.Book()
	feed, err := s.Feed(tip)
	if err != nil {
		t.Fatal(err)
	}
	if next, err := s.Reclaim(t.Context()); err != nil || !next.Equal(clock.Now().Add(30*time.Minute)) {
		t.Errorf("the next claim ends at %v, %v", next, err)
	}
	clock.Pass(30 * time.Minute)
	if got := worker(t, s, "2", "task_list", `{}`); got != "t1 todo medium A\nt2 doing medium B" {
		t.Errorf("the list is\n%s", got)
	}
	if _, now, _ := s.Book(); now != tip {
		t.Error("a read wrote something")
	}
	if next, err := s.Reclaim(t.Context()); err != nil || !next.Equal(clock.Now().Add(15*time.Minute)) {
		t.Errorf("the next claim ends at %v, %v", next, err)
	}
	told := 0
	for move, err := range feed.Moves() {
		told++
		if err != nil || move.By != "host" || move.What != "t1 reclaim: A" || move.Changes[0].After.Status != records.Todo {
			t.Errorf("told of %+v, %v", move.Event, err)
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	toolstest.Check(t, s)
}

// TestQueueClaimsAreTakenBackInTime: at the start what ran out before, then each at
// its moment, those that are made meanwhile as well.
func TestQueueClaimsAreTakenBackInTime(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	synctest.Test(t, func(t *testing.T) {
		s := toolstest.Open(t, tools.Config{Path: dir})
		worker(t, s, "1", "task_add", `{"title":"A"}`)
		worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"1m"}`)
		<-time.After(time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { s.KeepClaims(ctx); close(ended) }()
		synctest.Wait()
		status := func() string {
			task, _, _ := strings.Cut(repotest.Git(t, dir, "log", "-1", "--format=%an %s", "refs/heads/main"), ":")
			return task
		}
		if got := status(); got != "host t1 reclaim" {
			t.Errorf("at the start: %s", got)
		}
		worker(t, s, "2", "task_claim", `{"task":"t1","leaseFor":"1500ms"}`)
		<-time.After(1499 * time.Millisecond)
		synctest.Wait()
		if got := status(); got != "w2 t1 claim" {
			t.Errorf("before the end: %s", got)
		}
		<-time.After(time.Millisecond)
		synctest.Wait()
		if got := status(); got != "host t1 reclaim" {
			t.Errorf("at the end: %s", got)
		}
		stop()
		<-ended
	})
}

// TestQueueWhoWaitsSeesTheEndOfAClaim: by its time, by its session, and of one that was
// made meanwhile; nothing is written, and there is one signal for each.
func TestQueueWhoWaitsSeesTheEndOfAClaim(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	synctest.Test(t, func(t *testing.T) {
		s := toolstest.Open(t, tools.Config{Path: dir})
		moved := make(chan struct{}, 1)
		moves := func(n, call string) {
			t.Helper()
			worker(t, s, n, "task_claim", call)
			moved <- struct{}{}
		}
		worker(t, s, "1", "task_add", `{"title":"A"}`)
		worker(t, s, "1", "task_add", `{"title":"B"}`)
		signals, from := s.WithClaims(moved), time.Now()
		within := func(least, most time.Duration, want string) {
			t.Helper()
			<-signals
			if after := time.Since(from); after < least || after > most {
				t.Errorf("a signal came after %v, not within %v and %v", after, least, most)
			}
			if got := worker(t, s, "3", "task_list", `{}`); got != want {
				t.Errorf("the list is\n%s\nwant\n%s", got, want)
			}
		}
		moves("1", `{"task":"t1","leaseFor":"1h"}`)
		within(0, 0, "t1 doing medium A\nt2 todo medium B")
		moves("2", `{"task":"t2"}`)
		within(0, 0, "t1 doing medium A\nt2 doing medium B")
		within(time.Hour, time.Hour, "t1 todo medium A\nt2 doing medium B")
		<-time.After(time.Hour)
		if err := s.ReportSession(t.Context(), tools.Session{Session: "ahp-session:/s2", Ended: true}); err != nil {
			t.Fatal(err)
		}
		within(2*time.Hour, 2*time.Hour+5*time.Second, "t1 todo medium A\nt2 todo medium B")
		<-time.After(time.Hour)
		select {
		case <-signals:
			t.Error("there was a signal of nothing")
		default:
		}
		close(moved)
		if _, open := <-signals; open {
			t.Error("the signals outlive the branch's")
		}
	})
	if n := strings.Count(repotest.Git(t, dir, "log", "--format=%s", "refs/heads/main"), "reclaim"); n != 0 {
		t.Errorf("%d claims were taken back", n)
	}
}

// TestQueueAFullDiskHoldsNothing: what cannot be written counts all the same, fails no
// read, and is written once that can be done.
func TestQueueAFullDiskHoldsNothing(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	var full atomic.Bool
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now, Fault: func(string, string) error {
		if full.Load() {
			return errors.New("no space left on device")
		}
		return nil
	}})
	worker(t, s, "1", "task_add", `{"title":"A"}`)
	worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"1m"}`)
	clock.Pass(time.Minute)
	full.Store(true)
	if _, err := s.Reclaim(t.Context()); err == nil {
		t.Error("a full disk takes it")
	}
	if got := worker(t, s, "2", "task_list", `{"ready":true}`); got != "t1 todo medium A" {
		t.Errorf("the list is\n%s", got)
	}
	full.Store(false)
	if _, err := s.Reclaim(t.Context()); err != nil {
		t.Error(err)
	}
	if got := worker(t, s, "2", "task_claim", `{"next":true}`); got != "t1 doing medium A" {
		t.Error(got)
	}
}

// TestQueueOneThatFailsKeepsNoneBack: of several claims that are over, each that can be
// written is, and those that cannot are named.
func TestQueueOneThatFailsKeepsNoneBack(t *testing.T) {
	t.Parallel()
	dir, clock := repotest.New(t), toolstest.NewClock()
	var once atomic.Bool
	s := toolstest.Open(t, tools.Config{Path: dir, Now: clock.Now, Fault: func(op, _ string) error {
		if op == "create" && once.CompareAndSwap(true, false) {
			return errors.New("input/output error")
		}
		return nil
	}})
	for n := 1; n <= 3; n++ {
		worker(t, s, "1", "task_add", fmt.Sprintf(`{"title":"%c"}`, 'A'+n-1))
		worker(t, s, "1", "task_claim", fmt.Sprintf(`{"task":"t%d","leaseFor":"1m"}`, n))
	}
	clock.Pass(time.Minute)
	once.Store(true)
	_, err := s.Reclaim(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "take back the claim of t1: ") || strings.Contains(err.Error(), "t2") || tools.AsError(err).Code != tools.Internal {
		t.Errorf("it says %v", err)
	}
	if got := history(t, dir, "2"); got != "host|t2 reclaim: B|Reclaimed: ahp-session:/s1 lease\nhost|t3 reclaim: C|Reclaimed: ahp-session:/s1 lease" {
		t.Errorf("history\n%s", got)
	}
	if _, err := s.Reclaim(t.Context()); err != nil {
		t.Error(err)
	}
	if got := history(t, dir, "1"); got != "host|t1 reclaim: A|Reclaimed: ahp-session:/s1 lease" {
		t.Errorf("history\n%s", got)
	}
}
