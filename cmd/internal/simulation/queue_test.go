package simulation_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"
)

// isMoved reports whether somebody moves a task in their clone: what becomes of that
// depends on what they knew of whose it is.
func (s *simulation) isMoved(n int) bool { return s.clones[0].moves(n) || s.clones[1].moves(n) }

// wanted draws a task's number: mostly of one that somebody has, or had, so that they
// meet.
func (s *simulation) wanted(r *rapid.T) int {
	had := slices.DeleteFunc(slices.Sorted(maps.Keys(s.claimed)), func(n int) bool { return !s.model.knows(n) })
	if len(had) > 0 && rapid.IntRange(0, 3).Draw(r, "one that was claimed") > 0 {
		return had[len(had)-rapid.IntRange(1, min(3, len(had))).Draw(r, "of the last")]
	}
	if n := s.anyTask(r); n > 0 {
		return n
	}
	return number(r, s.model.highest[0])
}

// claim is of any task, by whoever may have it or not, for ever or for half an hour.
func (s *simulation) claim(r *rapid.T) {
	by, n := person(r), s.wanted(r)
	if s.isMoved(n) {
		return
	}
	named, input := map[string]string{"status": "doing", "owner": by}, map[string]any{"task": fmt.Sprintf("t%d", n)}
	if rapid.Bool().Draw(r, "for a time") {
		named["leaseFor"], input["leaseFor"] = "30m", "30m"
	}
	if rapid.IntRange(0, 4).Draw(r, "by force") == 0 {
		named["force"], input["force"] = "", true
	}
	s.claimed[n] = true
	refused, changed := s.model.setTask(n, by, named)
	s.call(r, by, "task_claim", input, refused, changed)
}

// next claims the first that is ready and nobody's.
func (s *simulation) next(r *rapid.T) {
	by := person(r)
	if len(s.model.drafts) > 0 {
		return // one of them may be the next, once it has its id
	}
	for _, n := range s.model.shown {
		t := s.model.tasks[n].asOf(s.clock.Now())
		if t.status != "todo" || t.owner != "" || s.model.approve && t.approvedBy == "" {
			continue
		}
		if s.isMoved(n) {
			return
		}
		s.claimed[n] = true
		refused, changed := s.model.setTask(n, by, map[string]string{"status": "doing", "owner": by, "leaseFor": "30m"})
		got := s.call(r, by, "task_claim", map[string]any{"next": true, "leaseFor": "30m"}, refused, changed)
		if taken := (listing(got)).numbers(); len(taken) != 1 || taken[0] != n {
			r.Fatalf("the next is t%d, and %s was claimed", n, got)
		}
		return
	}
	s.call(r, by, "task_claim", map[string]any{"next": true}, false, false)
}

func (s *simulation) release(r *rapid.T) {
	by, n := person(r), s.wanted(r)
	if s.isMoved(n) {
		return
	}
	refused, changed := s.model.setTask(n, by, map[string]string{"status": "todo", "owner": "", "leasedUntil": "0"})
	s.call(r, by, "task_release", map[string]any{"task": fmt.Sprintf("t%d", n)}, refused, changed)
}

// move puts a task below another, or beside one, which may not be one to stand by.
func (s *simulation) move(r *rapid.T) {
	by, n := person(r), s.anyTask(r)
	if n == 0 {
		return
	}
	side := rapid.SampledFrom([]string{"before", "after", "parent"}).Draw(r, "side")
	to := fmt.Sprintf("t%d", s.anyTask(r))
	if side == "parent" && rapid.IntRange(0, 3).Draw(r, "below none") == 0 {
		to = ""
	}
	refused, changed := s.model.setTask(n, by, map[string]string{side: to})
	s.call(r, by, "task_set", map[string]any{"task": fmt.Sprintf("t%d", n), side: to}, refused, changed)
}

// pass is time in which claims run out.
func (s *simulation) pass(r *rapid.T) {
	s.clock.Pass(time.Duration(rapid.IntRange(1, 40).Draw(r, "minutes")) * time.Minute)
}
