package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/sweep"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// storm is a list that several programs change at once, beside a host that is
// stopped and started again.
type storm struct {
	t       testing.TB
	dir     string
	want    int64 // changes in all
	changes atomic.Int64
	url     atomic.Pointer[string]
	more    sync.Cond // there was a change, or there are no more

	mu    sync.Mutex
	plans []string // that there are, or were a moment ago
}

// TestP30Case117Followers: clients that are written from the protocol alone have, at
// any moment, what a fresh subscribe gives: whoever changes the list, whatever is cut
// off, and though the host is stopped and started again.
func TestP30Case117Followers(t *testing.T) {
	t.Parallel()
	s := &storm{t: t, dir: repotest.New(t), want: 1000}
	s.more.L = &s.mu
	if os.Getenv("GIT_TASKS_TEST_FULL") == "1" {
		s.want = 10_000
		if raced() { // which takes five times as long
			s.want = 4000
		}
	}
	first := s.store(tools.Config{})
	for range 5 {
		s.addPlan(first)
	}
	stop := s.host()
	over, end := context.WithCancel(t.Context())
	followers := make([]*follower, 4)
	var writing, following sync.WaitGroup
	for i := range followers {
		f := &follower{id: fmt.Sprint("follower ", i), rand: rand.New(rand.NewPCG(uint64(i), 7)), states: map[string]state{},
			url: func() string { return *s.url.Load() }}
		followers[i] = f
		following.Go(func() { s.follow(over, f) })
	}
	writers := []func(*tools.Store, *rand.Rand){s.byTool, s.byHand(), s.byHarness(first)}
	stores := []*tools.Store{first, s.store(tools.Config{}), s.store(tools.Config{})}
	for i := range 12 { // most by tools of one program
		write, store, r := writers[max(0, i-9)], stores[max(0, i-9)], rand.New(rand.NewPCG(uint64(i), 8))
		writing.Go(func() {
			for s.changes.Load() < s.want && !t.Failed() {
				write(store, r)
			}
		})
	}
	restarts := s.restart(stop)
	writing.Wait()
	s.changed(0) // where they gave up
	end()
	following.Wait()
	restarts()
	var all follower
	for _, f := range followers {
		s.settle(f)
		t.Logf("%s: %d actions, compared %d times, %d replays, %d states after a drop, %d starts", f.id, f.actions, f.compared, f.replays, f.snapshots, f.starts)
		all.actions, all.compared, all.replays = all.actions+f.actions, all.compared+f.compared, all.replays+f.replays
		all.snapshots, all.starts = all.snapshots+f.snapshots, all.starts+f.starts
	}
	if all.actions == 0 || all.compared == 0 || all.replays == 0 || all.snapshots == 0 || all.starts <= len(followers) {
		t.Error("they saw too little")
	}
	s.sound(first)
}

// sound has the list checked: what is wrong with it came by eve, who writes what she
// last read, stamps and ids of others included.
func (s *storm) sound(store *tools.Store) {
	hers := repotest.Git(s.t, s.dir, "log", "--author=eve", "--format=commit %H", "main")
	for _, problem := range toolstest.Problems(s.t, store) {
		if commit, _, named := strings.Cut(problem, ":"); !named || !strings.Contains(hers, commit) {
			s.t.Errorf("check: %s", problem)
		}
	}
}

// store opens the list once more, as another program does.
func (s *storm) store(cfg tools.Config) *tools.Store {
	cfg.Path = s.dir
	return toolstest.Again(s.t, cfg)
}

// host starts a host, and gives what stops it.
func (s *storm) host() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, serve.Config{Store: s.store(tools.Config{}), Listen: "127.0.0.1:0", Ready: func(address string) error {
			ready <- address
			return nil
		}})
	}()
	select {
	case url := <-ready:
		s.url.Store(&url)
	case err := <-ended:
		s.t.Errorf("the host did not start: %v", err)
	}
	return func() {
		cancel()
		if err := <-ended; err != nil {
			s.t.Errorf("the host ended with %v", err)
		}
	}
}

// restart has the host stop and start again at a third and two thirds of the
// changes; wait returns once the last one runs.
func (s *storm) restart(stop func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range int64(2) {
			s.mu.Lock()
			for s.changes.Load() < s.want*(n+1)/3 && !s.t.Failed() {
				s.more.Wait()
			}
			s.mu.Unlock()
			stop()
			stop = s.host()
		}
	}()
	return func() {
		<-done
		s.t.Cleanup(stop)
	}
}

// follow has a follower do something at each change, until ctx ends.
func (s *storm) follow(ctx context.Context, f *follower) {
	defer context.AfterFunc(ctx, s.more.Broadcast)()
	for seen := int64(-1); ctx.Err() == nil && !s.t.Failed(); {
		s.lost(f, f.step(s.channels()))
		s.mu.Lock()
		for s.changes.Load() == seen && ctx.Err() == nil {
			s.more.Wait()
		}
		seen = s.changes.Load()
		s.mu.Unlock()
	}
}

// changed counts changes.
func (s *storm) changed(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes.Add(int64(n))
	s.more.Broadcast()
}

// lost has a follower without a connection begin anew.
func (s *storm) lost(f *follower, err error) {
	switch {
	case errors.Is(err, errLost):
		if f.conn != nil {
			f.conn.CloseNow()
		}
		f.conn = nil
	case err != nil:
		s.t.Errorf("%s: %v", f.id, err)
	}
}

// settle holds what a follower has in the end to a fresh subscribe.
func (s *storm) settle(f *follower) {
	for tries := 0; f.conn == nil && tries < 10_000; tries++ {
		s.lost(f, f.connect())
	}
	for _, uri := range s.channels() {
		if s.lost(f, f.subscribe(uri)); s.t.Failed() {
			return
		}
	}
	f.conn.CloseNow()
}

func (s *storm) known() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.plans)
}

// channels are what a client may follow.
func (s *storm) channels() []string {
	uris := []string{"ahp-session:/s0", "ahp-session:/s1", "ahp-session:/s2"}
	for _, id := range s.known() {
		uris = append(uris, "x-ahpd-plans://"+id)
	}
	return uris
}

func (s *storm) plan(r *rand.Rand) string { return s.known()[r.IntN(len(s.known()))] }

// made counts a change; what the list refused is none.
func (s *storm) made(commit string, err error) {
	if err != nil {
		refusals := []tools.Code{tools.Invalid, tools.NotFound, tools.Conflict, tools.Held, tools.Busy}
		if !slices.Contains(refusals, tools.AsError(err).Code) {
			s.t.Errorf("a change failed: %v", err)
		}
		return
	}
	if commit != "" {
		s.changed(1)
	}
}

func (s *storm) call(store *tools.Store, tool string, input map[string]any) tools.Answer {
	data, err := json.Marshal(input)
	if err != nil {
		s.t.Error(err)
	}
	answer, err := tools.Call(context.Background(), store, store.HostCaller(), tool, data)
	s.made(answer.Commit, err)
	return answer
}

func (s *storm) addPlan(store *tools.Store) {
	answer := s.call(store, "plan_create", map[string]any{"title": "Plan", "scope": map[string]any{"kind": "bot", "bot": "b"}})
	if len(answer.Records) == 1 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.plans = append(s.plans, answer.Records[0].(*records.Plan).ID)
		s.plans = s.plans[max(0, len(s.plans)-7):]
	}
}

// task is one of the newest that there may be.
func (s *storm) task(r *rand.Rand) string {
	return fmt.Sprintf("t%d", 1+max(0, int(s.changes.Load())/4-r.IntN(60)))
}

// byTool makes a call of a tool.
func (s *storm) byTool(store *tools.Store, r *rand.Rand) {
	title := fmt.Sprint(r.IntN(1000))
	switch r.IntN(8) {
	case 0, 1, 2:
		s.call(store, "task_add", map[string]any{"title": title, "plan": s.plan(r), "session": fmt.Sprint("s", r.IntN(3))})
	case 3:
		s.call(store, "task_set", map[string]any{"task": s.task(r), "plan": s.plan(r)})
	case 4:
		s.call(store, "task_set", map[string]any{"task": s.task(r), "plan": ""})
	case 5:
		s.call(store, "plan_set", map[string]any{"plan": s.plan(r), "title": title})
	default:
		s.call(store, "task_set", map[string]any{"task": s.task(r), "title": title, "status": []string{"doing", "done", "todo"}[r.IntN(3)]})
	}
}

// byHand commits files as another program does: records, broken and mended ones,
// several at once, and merges; now and then it is a push.
func (s *storm) byHand() func(*tools.Store, *rand.Rand) {
	eve := repo.Person{Name: "eve", Mail: "eve@example.org"}
	door := repotest.Open(s.t, s.dir, repo.Options{Committer: eve})
	var before repo.ID
	return func(store *tools.Store, r *rand.Rand) {
		if r.IntN(20) == 0 {
			s.byPush(store, r)
			return
		}
		files := map[string]string{}
		for range 1 + r.IntN(4) {
			id := s.task(r)
			switch r.IntN(4) {
			case 0:
				files[id] = ""
			case 1:
				files[id] = "<<<<<<< HEAD\n"
			default:
				files[id] = fmt.Sprintf("---\nid: %s\ntitle: By hand %d\nstatus: todo\nplan: %s\n---\n", id, r.IntN(1000), s.plan(r))
			}
		}
		if plan := s.plan(r); r.IntN(6) == 0 {
			files[plan] = []string{"", "no record", "---\nid: " + plan + "\nscope: {kind: bot, bot: b}\ntitle: Mended\nstatus: active\n---\n"}[r.IntN(3)]
		}
		p := repo.Proposal{Author: eve, Message: repo.Message{Subject: "by hand"}}
		for id, text := range files {
			one := repo.File{Path: records.PathOf(id), Data: []byte(text)}
			if text == "" {
				one.Data = nil
			}
			p.Files = append(p.Files, one)
		}
		if r.IntN(10) == 0 {
			p.Merge = before
		}
		receipt, err := door.Update(context.Background(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
			before = tip.ID()
			return []repo.Proposal{p}, nil
		})
		commit := ""
		if err == nil && len(receipt.Commits) > 0 {
			commit = receipt.Commits[0].String()
		}
		s.made(commit, err)
	}
}

// byPush lands a draft that somebody's clone had on an older commit of the list.
func (s *storm) byPush(store *tools.Store, r *rand.Rand) {
	ref := fmt.Sprint("refs/waiting/", s.changes.Load())
	repotest.Git(s.t, s.dir, "update-ref", ref, "refs/heads/main~1")
	draft := fmt.Sprintf("---\ntitle: Pushed\nstatus: todo\nplan: %s\n---\n", s.plan(r))
	id, err := repo.ParseID(repotest.Foreign(s.t, s.dir, ref, "mia", "a draft", repo.File{Path: "tasks/pushed.md", Data: []byte(draft)}))
	if err != nil {
		s.t.Error(err)
	}
	landed, err := store.Land(context.Background(), tools.Landing{Ref: "refs/for/main", New: id})
	s.made(landed.Commit.String(), err)
}

// byHarness translates lists, finishes plans, sweeps what is finished long ago, and
// makes new ones.
func (s *storm) byHarness(first *tools.Store) func(*tools.Store, *rand.Rand) {
	later := s.store(tools.Config{Settings: &tools.Settings{Options: tools.Options{SweepAfterDays: 30}},
		Now: func() time.Time { return time.Now().AddDate(0, 0, 60) }})
	caller, err := first.Caller(tools.Who{Session: "one"})
	if err != nil {
		s.t.Error(err)
	}
	return func(store *tools.Store, r *rand.Rand) {
		if r.IntN(40) == 0 {
			s.call(store, "plan_set", map[string]any{"plan": s.plan(r), "status": "done"})
			gone, err := sweep.Pass(context.Background(), later)
			if err != nil {
				s.t.Errorf("a sweep failed: %v", err)
			}
			s.changed(len(gone))
			s.addPlan(store)
			return
		}
		var list []translate.Entry
		for i := range 1 + r.IntN(4) {
			list = append(list, translate.Entry{Text: fmt.Sprint("step ", i), Status: []string{"pending", "in_progress", "completed"}[r.IntN(3)]})
		}
		planned, err := store.PlanUpdate(context.Background(), caller, translate.Update{Session: fmt.Sprint("s", r.IntN(3)), Tool: "TodoWrite", List: list})
		if s.made(planned.Commit, err); planned.Plan != "" && r.IntN(20) == 0 {
			s.mu.Lock()
			defer s.mu.Unlock()
			if !slices.Contains(s.plans, planned.Plan) {
				s.plans = append(s.plans, planned.Plan)
			}
		}
	}
}
