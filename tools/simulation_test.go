package tools_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// brokenFile cannot be read, and brokenReason says why.
const (
	brokenFile   = "---\ntitle: [a]\nid: t%d\nstatus: todo\n---\n"
	brokenReason = "title must be a string."
)

// simulation is a list that several callers change through two stores while
// other programs commit to it, beside the model of it.
type simulation struct {
	t      *testing.T
	dir    string
	clock  *toolstest.Clock
	cfg    tools.Config
	stores [2]*tools.Store
	bare   *repo.Repo // reads the tree as it is
	model  *model
	files  map[int]string // what broken files held
	drafts int
}

// TestSimulation makes random calls and foreign commits, and after each step
// holds both stores to a plain model and to a Book read from scratch.
func TestSimulation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		dir, clock := repotest.New(t), toolstest.NewClock()
		s := &simulation{t: t, dir: dir, clock: clock, files: map[int]string{},
			model: newModel(rapid.Bool().Draw(r, "approval first"))}
		s.cfg = tools.Config{Path: dir, Now: clock.Now,
			Settings: &tools.Settings{Options: tools.Options{RequireApproval: s.model.approve}}}
		s.bare = repotest.Open(t, dir, repo.Options{})
		s.stores = [2]*tools.Store{toolstest.Again(t, s.cfg), toolstest.Again(t, s.cfg)}
		r.Repeat(map[string]func(*rapid.T){
			"add":     s.add,
			"plan":    s.plan,
			"set":     s.set,
			"set 2":   s.set,
			"setPlan": s.setPlan,
			"stamp":   s.stamp,
			"arrive":  s.arrive,
			"draft":   s.draft,
			"remove":  s.remove,
			"break":   s.breakFile,
			"repair":  s.repair,
			"reopen":  s.reopen,
			"":        s.check,
		})
		for _, store := range s.stores {
			toolstest.Check(t, store)
		}
	})
}

// call makes a call through either store, and checks whether it was refused
// and whether it made a commit.
func (s *simulation) call(r *rapid.T, by, tool string, input any, refused, changed bool) string {
	data, err := json.Marshal(input)
	if err != nil {
		r.Fatal(err)
	}
	s.clock.Pass(1e9)
	store := s.stores[rapid.IntRange(0, 1).Draw(r, "store")]
	got := toolstest.Direct(s.t, toolstest.List{Store: store}, tools.Who{Person: by, Folder: "/srv/work"}, tool, string(data))
	if (got.Code != "") != refused || (got.Commit != "") != changed {
		r.Fatalf("%s %s: %q %s, commit %q; want refused %v, changed %v", tool, data, got.Text, got.Code, got.Commit, refused, changed)
	}
	return got.Text
}

func person(r *rapid.T) string {
	return rapid.SampledFrom([]string{"ana", "bob", "mia"}).Draw(r, "person")
}

func title(r *rapid.T) string {
	return rapid.SampledFrom([]string{"A", "yes", "a: b", "# x", "- [ ] y", "'q\"", "2026-10-18", "é 🎉", " x "}).Draw(r, "title")
}

// number is mostly one that is there.
func number(r *rapid.T, highest int) int { return rapid.IntRange(1, highest+1).Draw(r, "number") }

func (s *simulation) add(r *rapid.T) {
	by, t := person(r), modelTask{title: title(r), priority: rapid.SampledFrom([]string{"", "high", "medium"}).Draw(r, "priority")}
	input := map[string]any{"title": t.title, "priority": t.priority}
	if rapid.IntRange(0, 3).Draw(r, "into a plan") == 0 {
		n := number(r, s.model.highest[1])
		t.plan = fmt.Sprintf("p%d", n)
		input["plan"] = t.plan
		if _, known := s.model.plans[n]; !known {
			s.call(r, by, "task_add", input, true, false)
			return
		}
	}
	want := fmt.Sprintf("t%d todo %s %s", s.model.addTask(t), either(t.priority, "medium"), t.title)
	if got := s.call(r, by, "task_add", input, false, true); got != want {
		r.Fatalf("task_add gave %q, want %q", got, want)
	}
}

func either(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func (s *simulation) plan(r *rapid.T) {
	by, name := person(r), title(r)
	want := fmt.Sprintf("p%d draft %s", s.model.addPlan(name), name)
	if got := s.call(r, by, "plan_create", map[string]any{"title": name}, false, true); got != want {
		r.Fatalf("plan_create gave %q, want %q", got, want)
	}
}

func (s *simulation) set(r *rapid.T) {
	by, n := person(r), number(r, s.model.highest[0])
	choices := map[string][]string{
		"status": {"todo", "doing", "blocked", "review", "done", "dropped"},
		"note":   {"", "half way", "n: 1"}, "active": {"", "Doing it"}, "priority": {"", "high", "medium", "low"}, "plan": {""},
	}
	for p := range s.model.plans {
		choices["plan"] = append(choices["plan"], fmt.Sprintf("p%d", p))
	}
	slices.Sort(choices["plan"])
	named := map[string]string{}
	input := map[string]any{"task": fmt.Sprintf("t%d", n)}
	for _, field := range slices.Sorted(maps.Keys(choices)) {
		if rapid.Bool().Draw(r, "name "+field) {
			named[field] = rapid.SampledFrom(choices[field]).Draw(r, field)
			input[field] = named[field]
		}
	}
	refused, changed := s.model.setTask(n, by, named)
	s.call(r, by, "task_set", input, refused, changed)
}

func (s *simulation) setPlan(r *rapid.T) {
	by, n := person(r), number(r, s.model.highest[1])
	status := rapid.SampledFrom([]string{"draft", "active", "done", "dropped"}).Draw(r, "status")
	refused, changed := s.model.setPlan(n, by, status)
	s.call(r, by, "plan_set", map[string]any{"plan": fmt.Sprintf("p%d", n), "status": status}, refused, changed)
}

func (s *simulation) stamp(r *rapid.T) {
	by, n := person(r), number(r, s.model.highest[0])
	t, known := s.model.tasks[n]
	tool := rapid.SampledFrom([]string{"task_approve", "task_review"}).Draw(r, "tool")
	if known {
		s.model.mint()
		if tool == "task_approve" {
			t.approvedBy = by
		} else {
			t.reviewedBy = by
		}
		s.model.tasks[n] = t
	}
	s.call(r, by, tool, map[string]any{"task": fmt.Sprintf("t%d", n)}, !known, known)
}

// foreign commits beside the tools.
func (s *simulation) foreign(path, text string) {
	f := repo.File{Path: path}
	if text != "" {
		f.Data = []byte(text)
	}
	repotest.Foreign(s.t, s.dir, branch, "mia", "by hand", f)
}

// arrive is a task that somebody wrote by hand, some numbers ahead.
func (s *simulation) arrive(r *rapid.T) {
	n := s.model.highest[0] + rapid.IntRange(1, 40).Draw(r, "ahead")
	id := fmt.Sprintf("t%d", n)
	s.foreign(records.PathOf(id), "---\nid: "+id+"\ntitle: hand\nstatus: todo\n---\n")
	s.model.highest[0] = n
	s.model.tasks[n] = modelTask{title: "hand", status: "todo"}
}

func (s *simulation) draft(*rapid.T) {
	s.drafts++
	path := fmt.Sprintf("tasks/d%03d.md", s.drafts)
	s.foreign(path, "---\ntitle: "+path+"\n---\n")
	s.model.drafts[path] = path
}

// anyTask draws a task that can be read, 0 where there is none.
func (s *simulation) anyTask(r *rapid.T) int {
	if len(s.model.tasks) == 0 {
		return 0
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(s.model.tasks))).Draw(r, "task")
}

func (s *simulation) remove(r *rapid.T) {
	if n := s.anyTask(r); n > 0 {
		s.foreign(records.PathOf(fmt.Sprintf("t%d", n)), "")
		delete(s.model.tasks, n)
	}
}

func (s *simulation) breakFile(r *rapid.T) {
	if n := s.anyTask(r); n > 0 {
		path := records.PathOf(fmt.Sprintf("t%d", n))
		s.files[n] = repotest.Git(s.t, s.dir, "show", branch+":"+path) + "\n"
		s.foreign(path, fmt.Sprintf(brokenFile, n))
		s.model.broken[n] = s.model.tasks[n]
		delete(s.model.tasks, n)
	}
}

func (s *simulation) repair(r *rapid.T) {
	if len(s.model.broken) == 0 {
		return
	}
	n := rapid.SampledFrom(slices.Sorted(maps.Keys(s.model.broken))).Draw(r, "broken")
	s.foreign(records.PathOf(fmt.Sprintf("t%d", n)), s.files[n])
	s.model.tasks[n] = s.model.broken[n]
	delete(s.model.broken, n)
}

func (s *simulation) reopen(r *rapid.T) {
	i := rapid.IntRange(0, 1).Draw(r, "store")
	if err := s.stores[i].Close(); err != nil {
		r.Fatal(err)
	}
	s.stores[i] = toolstest.Again(s.t, s.cfg)
}

// check holds both stores to the model and to the tree.
func (s *simulation) check(r *rapid.T) {
	tip, err := s.bare.Tip()
	if err != nil {
		r.Fatal(err)
	}
	scratch := everything(r, records.NewBook(tip.FS()))
	for i, store := range s.stores {
		for tool, want := range map[string]string{"task_list": s.model.taskList(), "plan_list": s.model.planList()} {
			if got := toolstest.Direct(s.t, toolstest.List{Store: store}, tools.Who{}, tool, `{}`).Text; got != want {
				r.Fatalf("store %d, %s:\n%s\nwant\n%s", i, tool, got, want)
			}
		}
		book, id, err := store.Book()
		if err != nil || id != tip.ID() {
			r.Fatalf("store %d is at %s, %v; the branch at %s", i, id, err, tip.ID())
		}
		if got := everything(r, book); !reflect.DeepEqual(got, scratch) {
			r.Fatalf("store %d has\n%+v\nread from scratch\n%+v", i, got, scratch)
		}
		for n, want := range s.model.tasks {
			task, err := book.Task(fmt.Sprintf("t%d", n))
			if err != nil || task == nil {
				r.Fatalf("t%d is %v, %v", n, task, err)
			}
			if d := want.differs(task); d != "" {
				r.Fatalf("store %d: %s", i, d)
			}
		}
		for n, want := range s.model.plans {
			plan, err := book.Plan(fmt.Sprintf("p%d", n))
			if err != nil || plan == nil {
				r.Fatalf("p%d is %v, %v", n, plan, err)
			}
			if d := want.differs(plan); d != "" {
				r.Fatalf("store %d: %s", i, d)
			}
		}
	}
}

// add makes a record of a kind, to see which id it would get.
func add(k records.Kind) records.Edit {
	title := "next"
	if k == records.PlanKind {
		return records.AddPlan{Title: title, Scope: records.Scope{Kind: records.BotScope, Bot: "b"}}
	}
	return records.AddTask{Fields: records.Fields{Title: &title}}
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
		next, err := b.Apply(add(k), records.Mark{}, records.Rules{})
		all = append(all, next.IDs, err)
	}
	_, warnings, err := b.Check()
	if err != nil {
		r.Fatal(err)
	}
	return append(all, append([]records.Fault{}, b.Faults()...), append([]string{}, b.Drafts()...), append([]records.Fault{}, warnings...))
}
