package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

const (
	// shapeVersion is part of a made list's name. It changes with anything that
	// this file or stream.go writes.
	shapeVersion = 1

	changes  = 10 // that each task goes through, the first of them its making
	interval = 37 // tasks that are made between two changes of one
	minPlan  = 5
	maxPlan  = 50
)

// epoch is when the first plan of every shape was made.
var epoch = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

var (
	verbs    = strings.Fields("Read Fix Move Split Name Test Trim Cache Check Draw Parse Merge Sort Load Measure Document")
	objects  = strings.Fields("lexer parser index socket cursor ledger footer header importer exporter gate queue panel board clock token")
	places   = strings.Fields("lists tables quotes branches folders sessions comments merges pushes retries timeouts listings")
	labelSet = strings.Fields("bug docs api ui speed safety later small release ci")
	people   = strings.Fields("ana bob mia pilot scout tailor")
	reviewer = []string{"ana", "mia"}
)

// shape is a list as a team of people and agents would have it: plans of five to
// fifty tasks, one after the other, each task with labels, a body of up to 4 KB,
// blockers among the earlier ones of its plan, all five stamps, and ten changes
// behind it. It is the same for the same seed, whatever the size: a smaller list
// is the beginning of a larger one, but for the last plan.
type shape struct {
	seed  uint64
	tasks int
	plan  []int // by task number less one: the number of its plan
	first []int // by plan number less one: its first task
}

func newShape(seed uint64, tasks int) *shape {
	s := &shape{seed: seed, tasks: tasks}
	r := rand.New(rand.NewPCG(seed, 0))
	for len(s.plan) < tasks {
		s.first = append(s.first, len(s.plan)+1)
		for range min(minPlan+r.IntN(maxPlan-minPlan+1), tasks-len(s.plan)) {
			s.plan = append(s.plan, len(s.first))
		}
	}
	return s
}

// change is one commit of the history to be.
type change struct {
	record records.Record // as it is then
	what   string         // for the subject
	tool   string
	by, in string
	at     time.Time
}

// history yields every change in the order in which it was made, a tick for each
// task and after the last one as many as it takes to end them all.
func (s *shape) history(yield func(change) bool) {
	live := map[int]*life{}
	second := 0
	now := func() time.Time {
		second += 40
		return epoch.Add(time.Duration(second) * time.Second)
	}
	for tick := 1; tick <= s.tasks+interval*(changes-1); tick++ {
		if tick <= s.tasks {
			live[tick] = s.newLife(tick)
			if p := s.plan[tick-1]; s.first[p-1] == tick && !s.planHistory(p, now, yield) {
				return
			}
		}
		for j := range changes {
			i := tick - j*interval
			if i < 1 || i > s.tasks {
				continue
			}
			if !yield(live[i].step(j, now())) {
				return
			}
			if j == changes-1 {
				delete(live, i)
			}
		}
	}
}

// planHistory is how a plan comes about: made, approved, active.
func (s *shape) planHistory(n int, now func() time.Time, yield func(change) bool) bool {
	r := rand.New(rand.NewPCG(s.seed, 1<<40+uint64(n)))
	p := &records.Plan{ID: fmt.Sprintf("p%d", n), Title: title(r), Status: records.Draft,
		Scope: records.Scope{Kind: records.FolderScope, Folder: "/srv/work"}, Goal: text(r, 200+r.IntN(400))}
	by, approver, at := pick(r, people), pick(r, reviewer), now()
	p.Created = &records.Stamp{At: records.FormatTime(at), By: by}
	if !yield(change{p, "add", "plan_create", by, "", at}) {
		return false
	}
	at = now()
	p.Approved = &records.Stamp{At: records.FormatTime(at), By: approver}
	if !yield(change{p, "approved", "plan_approve", approver, "", at}) {
		return false
	}
	p.Status = records.Active
	return yield(change{p, "active", "plan_set", approver, "", now()})
}

// life is a task on its way.
type life struct {
	task    records.Task
	r       *rand.Rand
	session string
	agent   string
	end     records.Status
}

func (s *shape) newLife(n int) *life {
	r := rand.New(rand.NewPCG(s.seed, uint64(n)))
	l := &life{r: r, agent: pick(r, people), session: fmt.Sprintf("ahp-session:/%08x", r.Uint32()), end: ending(r)}
	l.task = records.Task{ID: fmt.Sprintf("t%d", n), Title: title(r), Status: records.Todo, Priority: priority(r),
		Plan: fmt.Sprintf("p%d", s.plan[n-1]), Folder: "/srv/work", Labels: labels(r, r.IntN(3)), Body: body(r)}
	if earlier := n - s.first[s.plan[n-1]-1]; earlier > 0 && r.IntN(3) == 0 {
		for range 1 + r.IntN(min(3, earlier)) {
			id := fmt.Sprintf("t%d", n-1-r.IntN(earlier))
			if !slices.Contains(l.task.BlockedBy, id) {
				l.task.BlockedBy = append(l.task.BlockedBy, id)
			}
		}
	}
	return l
}

// final gives a task as its last change leaves it, without its stamps' times.
func (s *shape) final(n int) *records.Task {
	l := s.newLife(n)
	for j := range changes {
		l.step(j, epoch)
	}
	return &l.task
}

// step makes the change of a number: a task is made, approved, begun, noted on,
// put to review, reviewed, and ends as it was drawn to.
func (l *life) step(j int, at time.Time) change {
	t, r := &l.task, l.r
	c := change{record: t, tool: "task_set", by: l.agent, in: l.session, at: at}
	stamp := func() *records.Stamp { return &records.Stamp{At: records.FormatTime(at), By: c.by, In: c.in} }
	switch j {
	case 0:
		c.what, c.tool = "add", "task_add"
		t.Created = stamp()
	case 1:
		c.what, c.tool, c.by, c.in = "approved", "task_approve", pick(r, reviewer), ""
		t.Approved = stamp()
	case 2:
		c.what = "doing"
		t.Status, t.Session, t.Active = records.Doing, l.session, "Reading the "+pick(r, objects)
		t.Started = stamp()
	case 4:
		c.what = "set labels"
		old := t.Labels
		if t.Labels = labels(r, 1+r.IntN(4)); slices.Equal(t.Labels, old) {
			t.Labels = append(slices.Clone(old), "again") // or it were no change
		}
	case 6:
		c.what = "review"
		t.Status, t.Active = records.Review, ""
		t.Finished = stamp()
	case 7:
		c.what, c.tool, c.by, c.in = "reviewed", "task_review", pick(r, reviewer), ""
		t.Reviewed = stamp()
	case 9:
		if l.end != t.Status {
			c.what, t.Status = string(l.end), l.end
			break
		}
		fallthrough
	default:
		c.what = "set note"
		t.Note = fmt.Sprintf("%s the %s (%d)", pick(r, verbs), pick(r, objects), j)
	}
	copied := *t
	c.record = &copied
	return c
}

func ending(r *rand.Rand) records.Status {
	switch n := r.IntN(100); {
	case n < 55:
		return records.Done
	case n < 75:
		return records.Todo
	case n < 85:
		return records.Doing
	case n < 90:
		return records.Blocked
	case n < 95:
		return records.Review
	}
	return records.Dropped
}

func priority(r *rand.Rand) records.Priority {
	return []records.Priority{"", "", records.Medium, records.High, records.Low}[r.IntN(5)]
}

func title(r *rand.Rand) string {
	return fmt.Sprintf("%s the %s of %s %d", pick(r, verbs), pick(r, objects), pick(r, places), r.IntN(1000))
}

func labels(r *rand.Rand, n int) []string {
	var list []string
	for range n {
		if l := pick(r, labelSet); !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// body is often nothing, mostly a paragraph, and at times 4 KB: records of 1 KB
// in the mean.
func body(r *rand.Rand) string {
	switch n := r.IntN(100); {
	case n < 35:
		return ""
	case n < 70:
		return text(r, 50+r.IntN(350))
	case n < 92:
		return text(r, 400+r.IntN(1500))
	}
	return text(r, 1500+r.IntN(2500))
}

// text is sentences, a paragraph each few, of about so many bytes.
func text(r *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		if b.Len() > 0 {
			b.WriteString([]string{" ", " ", " ", "\n\n", "\n- "}[r.IntN(5)])
		}
		fmt.Fprintf(&b, "%s the %s before the %s of %s %d.", pick(r, verbs), pick(r, objects), pick(r, objects), pick(r, places), r.IntN(100))
	}
	return b.String()
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }
