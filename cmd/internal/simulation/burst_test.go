package simulation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/sweep"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// burst is what is done at once: nobody knows in which order it will be, so the
// model follows the order of the commits.
type burst struct {
	calls  []burstCall
	clones []*clone // that push,
	refs   []string // each to its ref
	swept  []string // the lines that a sweep has to give
	sweeps bool
	draft  bool
}

// burstCall is a call that has to change something wherever in the order it
// comes.
type burstCall struct {
	by, tool, title, note string
	task                  int
	store                 *tools.Store
	got                   toolstest.Result
}

func (s *simulation) editClone(r *rapid.T) {
	s.edit(r, s.clones[rapid.IntRange(0, 1).Draw(r, "clone")])
}

// edit has somebody commit something in their clone.
func (s *simulation) edit(r *rapid.T, c *clone) {
	n := s.anyTask(r)
	var e handEdit
	var err error
	what := rapid.SampledFrom([]string{"draft", "title", "title", "status"}).Draw(r, "what")
	switch {
	case n == 0 || what == "draft":
		e, err = c.draft()
	case what == "status" && !c.moves(n) && !s.claimed[n] && s.model.tasks[n].owner == "" && s.model.tasks[n].plan == "": // those of plans are held to their last stamp by the sweep
		e, err = c.edit(n, "status", rapid.SampledFrom([]string{"todo", "doing", "blocked", "review", "done"}).Draw(r, "status"))
	default:
		e, err = c.edit(n, "title", fmt.Sprintf("%s says %d", c.by, c.count))
	}
	if err != nil {
		r.Fatal(err)
	}
	s.ledger.subjects[e.subject] = entry{by: c.by, edit: e, took: func(string) string {
		s.model.byHand(c.by)
		if e.task == 0 {
			s.model.drafts[e.path] = modelDraft{e.value, c.by}
			return ""
		}
		return s.model.editTask(e, c.by)
	}}
}

// refs are where a clone can push to: the branch, and where a push is merged.
var refs = []string{branch, "refs/for/main"}

func (s *simulation) push(r *rapid.T) {
	c := s.clones[rapid.IntRange(0, 1).Draw(r, "clone")]
	if len(c.edits) == 0 {
		s.edit(r, c)
	}
	s.run(r, burst{clones: []*clone{c}, refs: []string{rapid.SampledFrom(refs).Draw(r, "ref")}})
}

// meet has a task changed, or taken off the list, that somebody has edited in a
// clone, and merges what they push.
func (s *simulation) meet(r *rapid.T) {
	c := s.clones[rapid.IntRange(0, 1).Draw(r, "clone")]
	s.edit(r, c)
	for _, e := range c.edits {
		if _, known := s.model.tasks[e.task]; !known {
			continue
		}
		if rapid.Bool().Draw(r, "remove") {
			s.removeTask(e.task)
			break
		}
		named := map[string]string{"status": rapid.SampledFrom([]string{"todo", "doing", "done"}).Draw(r, "status")}
		refused, changed := s.model.setTask(e.task, "ana", named)
		s.call(r, "ana", "task_set", map[string]any{"task": fmt.Sprintf("t%d", e.task), "status": named["status"]}, refused, changed)
		break
	}
	s.run(r, burst{clones: []*clone{c}, refs: refs[1:]})
}

func (s *simulation) sweep(r *rapid.T) { s.run(r, s.sweeping(burst{})) }

// sweeping lets a burst sweep all plans that are finished by now. A clone that
// would stamp a task of one stays out of it.
func (s *simulation) sweeping(b burst) burst {
	s.clock.Pass(sweepAfter + time.Second)
	b.sweeps = true
	for i, c := range slices.Backward(b.clones) {
		if slices.ContainsFunc(c.edits, func(e handEdit) bool {
			t, known := s.model.tasks[e.task]
			return e.key == "status" && (!known || t.plan != "")
		}) {
			b.clones, b.refs = slices.Concat(b.clones[:i], b.clones[i+1:]), slices.Concat(b.refs[:i], b.refs[i+1:])
		}
	}
	return b
}

// atOnce has several callers call, the clones push, somebody commit by hand and
// the sweep run, all at the same time.
func (s *simulation) atOnce(r *rapid.T) {
	b := burst{clones: s.clones[:], draft: rapid.Bool().Draw(r, "a draft")}
	for _, c := range b.clones {
		if rapid.Bool().Draw(r, "edits") {
			s.edit(r, c)
		}
		b.refs = append(b.refs, rapid.SampledFrom(refs).Draw(r, "ref"))
	}
	flat := slices.Sorted(maps.Keys(s.model.tasks)) // those of plans may be swept
	flat = slices.DeleteFunc(flat, func(n int) bool { return s.model.tasks[n].plan != "" })
	for i := range rapid.IntRange(2, 8).Draw(r, "calls") {
		c := burstCall{by: person(r), tool: "task_add", store: s.stores[rapid.IntRange(0, 1).Draw(r, "store")]}
		c.title = fmt.Sprintf("%s at once %d", c.by, i)
		if len(flat) > 0 && rapid.Bool().Draw(r, "set") {
			c.tool, c.task = "task_set", rapid.SampledFrom(flat).Draw(r, "task")
			c.note = fmt.Sprintf("%s noted %d at %d", c.by, i, len(s.ledger.commits))
		}
		b.calls = append(b.calls, c)
	}
	if rapid.Bool().Draw(r, "sweep") {
		b = s.sweeping(b)
	}
	s.run(r, b)
}

// run does all at once, and then lets the model do it in the order of the
// commits.
func (s *simulation) run(r *rapid.T, b burst) {
	before := s.tip(r).ID()
	errs := make([]error, len(b.clones)+1)
	var all sync.WaitGroup
	for i := range b.calls {
		all.Go(func() { b.calls[i].make(s.t) })
	}
	for i, c := range b.clones {
		all.Go(func() { errs[i] = c.push(b.refs[i], s.clock.Now()) })
	}
	if b.sweeps {
		all.Go(func() { b.swept, errs[len(b.clones)] = sweep.Pass(s.t.Context(), s.stores[0]) })
	}
	if b.draft {
		s.draftFile()
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		r.Fatal(err)
	}
	for _, c := range b.calls {
		if c.got.Code != "" || c.got.Commit == "" {
			r.Fatalf("%s %+v: %+v", c.tool, c, c.got)
		}
		s.ledger.commits[c.got.Commit] = entry{by: c.by, took: func(string) string { return c.took(s.model) }}
	}
	took := s.replay(r, before)
	for _, c := range b.calls {
		if !took[c.got.Commit] {
			r.Fatalf("%+v was acknowledged and is not on the branch", c)
		}
	}
	for _, c := range b.clones {
		s.checkPush(r, c, took)
	}
	if b.sweeps {
		s.checkSwept(r, b.swept)
	}
	s.follower.check(r, s.scratch(r))
}

// checkPush holds a push to what became of it: what landed is on the branch, all of
// it, and check finds it clean; a refusal has its reason.
func (s *simulation) checkPush(r *rapid.T, c *clone, took map[string]bool) {
	for _, e := range c.landed {
		if !took[e.subject] {
			r.Fatalf("%+v was pushed, and is not on the branch", e)
		}
	}
	if len(c.landed) > 0 {
		s.sound(r)
	}
	if c.refused == "" {
		return
	}
	if !slices.ContainsFunc(c.edits, func(e handEdit) bool {
		_, broken := s.model.broken[e.task]
		held := s.claimed[e.task] && strings.Contains(c.refused, fmt.Sprintf("t%d is held by", e.task))
		return broken || held || s.model.approve && e.key == "status" && e.value == "doing" && strings.Contains(c.refused, "approved")
	}) {
		r.Fatalf("%s was refused %+v: %s", c.by, c.edits, c.refused)
	}
	c.edits = nil
}

// checkSwept holds what a sweep said to what it did: no finished plan is left but those
// of which somebody holds a task.
func (s *simulation) checkSwept(r *rapid.T, said []string) {
	for n, p := range s.model.plans {
		if over := p.status == "done" || p.status == "dropped"; over && !s.model.holds(fmt.Sprintf("p%d", n)) {
			r.Fatalf("p%d is %s, and the sweep left it", n, p.status)
		}
	}
	slices.Sort(said)
	slices.Sort(s.ledger.swept)
	if !slices.Equal(said, s.ledger.swept) {
		r.Fatalf("the sweep said %q, and its commits say %q", said, s.ledger.swept)
	}
	s.ledger.swept = nil
}

// make makes the call.
func (c *burstCall) make(t testing.TB) {
	input := map[string]any{"title": c.title}
	if c.task > 0 {
		input = map[string]any{"task": fmt.Sprintf("t%d", c.task), "note": c.note}
	}
	data, err := json.Marshal(input)
	if err != nil {
		panic(err) // strings alone
	}
	c.got = toolstest.Direct(t, toolstest.List{Store: c.store}, tools.Who{Person: c.by, Folder: "/srv/work"}, c.tool, string(data))
}

// took has the model do the call, and says how its answer differs.
func (c *burstCall) took(m *model) string {
	if c.task > 0 {
		if refused, changed := m.setTask(c.task, c.by, map[string]string{"note": c.note}); refused || !changed {
			return fmt.Sprintf("%+v changed nothing", c)
		}
		return ""
	}
	want := fmt.Sprintf("t%d todo medium %s", m.addTask(modelTask{title: c.title}), c.title)
	if c.got.Text != want {
		return fmt.Sprintf("answered %q, want %q", c.got.Text, want)
	}
	return ""
}
