package simulation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/hooks"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

const branch = "refs/heads/main"

// simulation is a list that several callers change through two stores while
// two people push to it from clones, others commit to it by hand, and finished
// plans are swept, beside the model of it.
type simulation struct {
	t        *testing.T
	dir      string
	clock    *toolstest.Clock
	cfg      tools.Config
	stores   [2]*tools.Store
	clones   [2]*clone
	bare     *repo.Repo // reads the tree as it is
	feed     *feed
	follower *follower
	model    *model
	ledger   ledger
	files    map[int]string // what broken files held
	drafts   int
	claimed  map[int]bool // tasks that were ever claimed or somebody's
}

// TestSimulation makes random calls, alone and many at once, pushes to the branch
// and to where they are merged, through the hooks that init writes, commits by
// hand and sweeps, and after each step holds both stores to a plain model and to
// a Book read from scratch. What the gate took, check finds clean. At the end each
// commit has to be one that somebody was told of or made, by its own author, and
// whoever followed the changes, or the channels of the plans, has to know the list
// as it is. A history that fails is shrunk and printed with its seed, which
// -rapid.seed plays again.
func TestSimulation(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	defer all.Wait()
	for i := range sideBySide {
		all.Go(func() { t.Run(fmt.Sprint(i), simulate) })
	}
}

// sideBySide is how many histories are played at a time, however few the cores are:
// each waits for the disk and for git, mostly.
const sideBySide = 5

func simulate(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newSimulation(t, rapid.Bool().Draw(r, "approval first"))
		defer s.feed.end()
		defer func() { s.follower.end() }()
		s.plan(r) // so that there is something to clone
		s.clones = [2]*clone{newClone(t, s.dir, "zoe"), newClone(t, s.dir, "lea")}
		r.Repeat(map[string]func(*rapid.T){
			"add":          s.add,
			"plan":         s.plan,
			"set":          s.set,
			"set one had":  s.setWanted,
			"setPlan":      s.setPlan,
			"stamp":        s.stamp,
			"claim":        s.claim,
			"next":         s.next,
			"release":      s.release,
			"move":         s.move,
			"pass":         s.pass,
			"arrive":       s.arrive,
			"draft":        s.draft,
			"remove":       s.remove,
			"break":        s.breakFile,
			"repair":       s.repair,
			"edit a clone": s.editClone,
			"push":         s.push,
			"meet":         s.meet,
			"sweep":        s.sweep,
			"at once":      s.atOnce,
			"reopen":       s.reopen,
			"":             s.check,
		})
		s.checkHistory(r)
		s.feed.check(r, s.scratch(r))
		s.follower.check(r, s.scratch(r))
		s.sound(r)
	})
}

// sweepAfter is when a finished plan is old enough to go.
const sweepAfter = 30 * 24 * time.Hour

func newSimulation(t *testing.T, approvalFirst bool) *simulation {
	dir, clock := repotest.New(t), toolstest.NewClock()
	s := &simulation{t: t, dir: dir, clock: clock, files: map[int]string{}, model: newModel(approvalFirst, clock.Now),
		claimed: map[int]bool{}, ledger: ledger{commits: map[string]entry{}, subjects: map[string]entry{}}}
	s.cfg = tools.Config{Path: dir, Now: clock.Now, Settings: &tools.Settings{Options: tools.Options{
		RequireApproval: approvalFirst, SweepAfterDays: sweepAfter.Hours() / 24}}}
	s.bare = repotest.Open(t, dir, repo.Options{})
	s.stores = [2]*tools.Store{toolstest.Again(t, s.cfg), toolstest.Again(t, s.cfg)}
	equip(t, s.stores[0], approvalFirst)
	s.feed = newFeed(t, toolstest.Again(t, s.cfg))
	s.follower = newFollower(t, s.cfg)
	return s
}

// equip gives a list what init gives it: a key, and the hooks that pushes go
// through, which run this test binary.
func equip(t *testing.T, s *tools.Store, approvalFirst bool) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"plugins": [{"name": "@ahpd/tasks", "options": {"requireApproval": %t}}]}`, approvalFirst)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Enroll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := hooks.Install(s.Dir(), hooks.Script{Program: program,
		Flags: []string{"--repo", ".", "--branch", "main", "--config", settings}}); err != nil {
		t.Fatal(err)
	}
}

// reopen is the end of one process and the start of another: of a caller's, or of
// that of who follows.
func (s *simulation) reopen(r *rapid.T) {
	i := rapid.IntRange(0, 2).Draw(r, "store")
	if i == 2 {
		s.follower.restart(r)
		s.follower.check(r, s.scratch(r))
		return
	}
	if err := s.stores[i].Close(); err != nil {
		r.Fatal(err)
	}
	s.stores[i] = toolstest.Again(s.t, s.cfg)
}

// sound has the list checked: nothing is wrong but the files that the list itself
// says it cannot read, every stamp that stands a tool wrote, and nothing came past
// the gate but what mia put beside it.
func (s *simulation) sound(r *rapid.T) {
	book := s.scratch(r)
	report, err := s.stores[0].Check(s.t.Context())
	if err != nil {
		r.Fatal(err)
	}
	report.Problems = slices.DeleteFunc(report.Problems, func(problem string) bool {
		return slices.ContainsFunc(book.Faults(), func(f records.Fault) bool { return strings.HasPrefix(problem, f.String()) })
	})
	if len(report.Problems)+len(report.Proof.Unproven) > 0 {
		r.Fatalf("check says %q, unproven %q", report.Problems, report.Proof.Unproven)
	}
	for _, note := range report.Notes {
		commit, came := strings.CutPrefix(note, "commit ")
		if !came || !strings.Contains(note, "came past the gate") {
			continue
		}
		commit, _, _ = strings.Cut(commit, ":")
		if repotest.Git(s.t, s.dir, "log", "-1", "--format=%an", commit) != mia {
			r.Fatalf("check says %s", note)
		}
	}
}

// tip is where the branch is.
func (s *simulation) tip(r *rapid.T) *repo.Snapshot {
	tip, err := s.bare.Tip()
	if err != nil {
		r.Fatal(err)
	}
	return tip
}

func (s *simulation) scratch(r *rapid.T) *records.Book { return records.NewBook(s.tip(r).FS()) }

// check holds both stores to the model and to the tree; then a second passes.
func (s *simulation) check(r *rapid.T) {
	defer s.clock.Pass(time.Second)
	tip := s.tip(r)
	scratch := records.NewBook(tip.FS())
	if d := s.model.differs(scratch); d != "" {
		r.Fatalf("the branch has %s", d)
	}
	counts := everything(r, scratch.AsOf(s.clock.Now(), nil))
	for i, store := range s.stores {
		list := listing(toolstest.Direct(s.t, toolstest.List{Store: store}, tools.Who{}, "task_list", `{}`).Text)
		if want := listing(s.model.taskList()); list.sorted() != want.sorted() {
			r.Fatalf("store %d, task_list:\n%s\nwant, in any order,\n%s", i, list, want)
		}
		if got, want := toolstest.Direct(s.t, toolstest.List{Store: store}, tools.Who{}, "plan_list", `{}`).Text, s.model.planList(); got != want {
			r.Fatalf("store %d, plan_list:\n%s\nwant\n%s", i, got, want)
		}
		if d := s.model.listed(list.numbers()); d != "" {
			r.Fatalf("store %d: %s", i, d)
		}
		book, id, err := store.Book()
		if err != nil || id != tip.ID() {
			r.Fatalf("store %d is at %s, %v; the branch at %s", i, id, err, tip.ID())
		}
		if got := everything(r, book); !reflect.DeepEqual(got, counts) {
			r.Fatalf("store %d has\n%+v\nread from scratch\n%+v", i, got, counts)
		}
	}
	for n := range s.model.plans {
		s.follower.follow(r, fmt.Sprintf("p%d", n))
	}
}

// everything is what a Book says.
func everything(r *rapid.T, b *records.Book) (all []any) {
	tasks, err := b.Tasks()
	if err != nil {
		r.Fatal(err)
	}
	plans, err := b.Plans()
	if err != nil {
		r.Fatal(err)
	}
	for t := range tasks {
		all = append(all, *t)
	}
	for p := range plans {
		all = append(all, *p)
	}
	for _, k := range []records.Kind{records.TaskKind, records.PlanKind} {
		next, err := b.Apply(addOf(k), records.Mark{}, records.Rules{})
		all = append(all, next.IDs, err)
	}
	_, warnings, err := b.Check()
	if err != nil {
		r.Fatal(err)
	}
	return append(all, append([]records.Fault{}, b.Faults()...), append([]string{}, b.Drafts()...), append([]records.Fault{}, warnings...))
}

// addOf makes a record of a kind, to see which id it would get.
func addOf(k records.Kind) records.Edit {
	title := "next"
	if k == records.PlanKind {
		return records.AddPlan{Title: title, Scope: records.Scope{Kind: records.BotScope, Bot: "b"}}
	}
	return records.AddTask{Fields: records.Fields{Title: &title}}
}
