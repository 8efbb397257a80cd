package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/sweep"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

var (
	soakFor  = flag.Duration("soak", 0, "how long TestSoak goes on; 0 is a round of a few seconds")
	soakSeed = flag.Uint64("soak.seed", 1, "what the callers of TestSoak do is drawn from it")
)

// soaked is a list that everybody writes to at once, each to records of their
// own: callers of this process, callers of a host that is killed now and then,
// processes, and people who push from clones; beside them the sweep.
type soaked struct {
	t      *testing.T
	b      *bench
	dir    string
	cfg    tools.Config
	store  *tools.Store // of this process, open all the time
	until  time.Time    // zero: so many steps
	actors []*actor
	clones []*clone

	hosts sync.RWMutex // held whole while the host is killed and started
	host  *host
	kills int

	calls sync.RWMutex // held whole by a push that would never come through
}

// TestSoak lets everybody at one list, then stops and holds what is there to
// what each was told: no lost update, ids without a gap, each commit by whoever
// made it, the Book equal to the tree, and memory that stays what it was.
//
//	go test ./cmd/bench -run Soak -soak 10m -timeout 30m
func TestSoak(t *testing.T) {
	t.Parallel()
	s := &soaked{t: t, b: small(t), dir: repotest.New(t)}
	s.cfg = tools.Config{Path: s.dir, Settings: &tools.Settings{Options: tools.Options{SweepAfterDays: 1e-6}}}
	s.store = toolstest.Open(t, s.cfg)
	if *soakFor > 0 {
		s.until = time.Now().Add(*soakFor)
	}
	s.start()
	t.Cleanup(func() { s.kill() })

	ctx, stop := context.WithCancel(t.Context())
	var beside, all sync.WaitGroup
	told := make(chan struct{}, 1024)
	beside.Go(func() { s.killNowAndThen(ctx, told) })
	beside.Go(func() { s.sweepNowAndThen(ctx) })
	for i := range 8 {
		a := &actor{s: s, name: fmt.Sprintf("actor-%d", i), r: rand.New(rand.NewPCG(*soakSeed, uint64(i))), steps: 30, tasks: map[string]fields{}, told: told}
		switch {
		case i < 3:
			a.call = a.direct
		case i < 6:
			a.call = a.overHTTP
		default:
			a.call, a.steps = a.asProcess, 6
		}
		s.actors = append(s.actors, a)
		all.Go(a.live)
	}
	for i := range 2 {
		c := &clone{s: s, name: fmt.Sprintf("clone-%d", i), notes: map[string]string{}, steps: 3}
		s.clones = append(s.clones, c)
		all.Go(c.live)
	}
	watch := s.watchMemory(ctx)
	all.Wait()
	stop()
	beside.Wait()
	watch()
	if t.Failed() {
		return
	}
	s.check()
}

// more reports whether a caller that has made so many steps goes on.
func (s *soaked) more(step, steps int) bool {
	if s.t.Failed() {
		return false
	}
	if s.until.IsZero() {
		return step < steps
	}
	return time.Now().Before(s.until)
}

func (s *soaked) start() {
	h, err := s.b.startHost(s.dir)
	if err != nil {
		s.t.Error(err)
		return
	}
	s.host = h
}

// kill ends the host as a power cut does.
func (s *soaked) kill() {
	if s.host != nil {
		s.host.cmd.Process.Kill()
		s.host.cmd.Wait() // it says that it was killed
		s.host = nil
	}
}

// killNowAndThen kills the host and starts it again, each time after so many
// answers of anybody.
func (s *soaked) killNowAndThen(ctx context.Context, told <-chan struct{}) {
	r := rand.New(rand.NewPCG(*soakSeed, 1000))
	for {
		for range 40 + r.IntN(40) {
			select {
			case <-ctx.Done():
				return
			case <-told:
			}
		}
		s.host.cmd.Process.Kill() // while calls are under way
		s.hosts.Lock()
		s.kill()
		s.start()
		s.kills++
		s.hosts.Unlock()
		if s.t.Failed() {
			return
		}
	}
}

// sweepNowAndThen takes finished plans off the list, through a store of its own.
func (s *soaked) sweepNowAndThen(ctx context.Context) {
	own, err := tools.Open(s.cfg)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer own.Close()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		s.calls.RLock()
		_, err := sweep.Pass(ctx, own)
		s.calls.RUnlock()
		if err != nil && ctx.Err() == nil && !held(err) {
			s.t.Errorf("sweep: %v", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// held reports whether a call was refused because another program had the
// branch: nothing was written, and it may be made again.
func held(err error) bool { return strings.Contains(err.Error(), "is held by another git process") }

// check holds what is there to what everybody was told.
func (s *soaked) check() {
	t := s.t
	s.kill()
	ctx := t.Context()
	who := s.store.HostCaller()
	if _, err := tools.Call(ctx, s.store, who, "task_add", []byte(`{"title":"the last"}`)); err != nil { // follow-ups of the last pushes
		t.Fatal(err)
	}
	if _, err := sweep.Pass(ctx, s.store); err != nil {
		t.Fatal(err)
	}
	if s.swept() == 0 || s.kills == 0 {
		t.Errorf("%d plans were swept, and the host was killed %d times: nothing was tried", s.swept(), s.kills)
	}
	authors := s.commits()
	for _, a := range s.actors {
		a.checkCommits(authors)
	}
	for _, c := range s.clones {
		for _, id := range c.pushed {
			if authors[id] != c.name {
				t.Errorf("%s pushed %s; its author is %q", c.name, id, authors[id])
			}
		}
	}
	s.checkIDs()
	book, tip, err := s.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range s.actors {
		a.checkTasks(book)
	}
	for _, c := range s.clones {
		c.checkNotes(book)
	}
	bare := repotest.Open(t, s.dir, repo.Options{})
	at, err := bare.Tip()
	if err != nil {
		t.Fatal(err)
	}
	if at.ID() != tip || !reflect.DeepEqual(everything(t, book), everything(t, records.NewBook(at.FS()))) {
		t.Errorf("the Book at %s is not what the tree at %s says", tip, at.ID())
	}
	cut := 0
	for _, a := range s.actors {
		cut += a.cut
	}
	t.Logf("%d commits, %d plans swept, %d kills, %d calls cut off", len(authors), s.swept(), s.kills, cut)
}

// commits gives the author of every commit on the branch.
func (s *soaked) commits() map[string]string {
	authors := map[string]string{}
	for line := range strings.SplitSeq(repotest.Git(s.t, s.dir, "log", "--format=%H %an", "main"), "\n") {
		id, author, _ := strings.Cut(line, " ")
		authors[id] = author
	}
	return authors
}

func (s *soaked) swept() int {
	return strings.Count(repotest.Git(s.t, s.dir, "log", "--format=%an %s", "main"), "host p")
}

// checkIDs: every number up to the highest was given to one record, once.
func (s *soaked) checkIDs() {
	for kind, folder := range map[string]string{"t": "tasks", "p": "plans"} {
		times := map[string]int{}
		out := repotest.Git(s.t, s.dir, "log", "--format=", "--name-only", "--no-renames", "--diff-filter=A", "main", "--", folder)
		for path := range strings.SplitSeq(out, "\n") {
			id := strings.TrimSuffix(filepath.Base(path), ".md")
			if _, _, ok := records.ParseID(id); ok {
				times[id]++
			}
		}
		for n := 1; n <= len(times); n++ {
			if got := times[fmt.Sprintf("%s%d", kind, n)]; got != 1 {
				s.t.Errorf("%s%d of %d was added %d times", kind, n, len(times), got)
			}
		}
	}
}

func everything(t *testing.T, b *records.Book) (all []any) {
	tasks, err := b.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	plans, err := b.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for task := range tasks {
		all = append(all, *task)
	}
	for plan := range plans {
		all = append(all, *plan)
	}
	return append(all, len(b.Faults()), len(b.Drafts()))
}

// watchMemory looks at what this process holds, the store among it, from a third
// of the time on. What the callers remember is small beside the room it leaves.
func (s *soaked) watchMemory(ctx context.Context) (end func()) {
	if *soakFor < time.Minute {
		return func() {}
	}
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	early := make(chan uint64, 1)
	go func() {
		select {
		case <-ctx.Done():
		case <-time.After(*soakFor / 3):
			early <- live()
		}
	}()
	return func() {
		then, now := <-early, live()
		s.t.Logf("%d MiB live at a third, %d MiB at the end", then>>20, now>>20)
		if now > then+then/2+32<<20 {
			s.t.Errorf("memory grew from %d to %d bytes", then, now)
		}
	}
}
