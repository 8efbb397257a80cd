package records

import (
	"math"
	"math/bits"
)

// facet is something that many records have in common, under which a chunk
// lists them.
type facet struct {
	of    facetKind
	value string // "" where the kind says it all
}

type facetKind uint8

const (
	ofAll      facetKind = iota // every readable record
	ofStatus                    // its status
	ofPlan                      // the plan a task names
	ofSession                   // the bare session of a task, or of a plan's scope
	ofOwner                     // who a task is assigned to
	ofLabel                     // one of its labels
	ofPerson                    // a person in one of its stamps
	ofApproved                  // it has an approved stamp
	ofWaiting                   // it names tasks that it waits for
)

// slots is a set of the places in a chunk.
type slots [chunkSize / 64]uint64

func (s *slots) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s *slots) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s *slots) remove(i int)   { s[i/64] &^= 1 << (i % 64) }

func (s slots) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s slots) and(t slots) slots {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

func (s slots) or(t slots) slots {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s slots) without(t slots) slots {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// from takes away the places below i.
func (s slots) from(i int) slots {
	for w := range s {
		switch low := i - 64*w; {
		case low >= 64:
			s[w] = 0
		case low > 0:
			s[w] &= ^uint64(0) << low
		}
	}
	return s
}

// each yields the places in their order.
func (s slots) each(yield func(int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(i*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// summary is what a chunk holds under other keys than the number. Each chunk
// makes its own when first asked, so a change costs one chunk's worth of it and
// no index over the whole is ever kept in step by hand.
type summary struct {
	facets map[facet]slots
	done   slots            // tasks that keep nobody waiting
	noted  slots            // with something to report
	newest [chunkSize]int64 // the last time in any stamp, Unix milliseconds
	waits  map[int][]int    // the numbers that a task's blockers spell, 0 for none
}

func (c *chunk) summary() *summary {
	c.once.Do(func() {
		s := summary{facets: map[facet]slots{}, waits: map[int][]int{}}
		for i := range s.newest {
			s.newest[i] = math.MinInt64
		}
		for i, files := range c.slots {
			if len(files) == 0 {
				continue
			}
			if len(files) > 1 || files[0].notable() {
				s.noted.add(i)
			}
			if r := files[0].record(); r != nil {
				s.add(files[0], i)
			}
		}
		c.made = s
	})
	return &c.made
}

// add lists a readable record.
func (s *summary) add(l *leaf, at int) {
	s.put(facet{of: ofAll}, at)
	if t := l.task; t != nil {
		s.put(facet{ofStatus, string(t.Status)}, at)
		s.putNamed(facet{ofPlan, t.Plan}, at)
		s.putNamed(facet{ofSession, BareSession(t.Session)}, at)
		s.putNamed(facet{ofOwner, t.Owner}, at)
		for _, label := range t.Labels {
			s.put(facet{ofLabel, label}, at)
		}
		if t.Approved != nil {
			s.put(facet{of: ofApproved}, at)
		}
		if t.Status == Done {
			s.done.add(at)
		}
		if len(t.BlockedBy) > 0 {
			s.put(facet{of: ofWaiting}, at)
			s.waits[at] = taskNumbers(t.BlockedBy)
		}
		for _, stamp := range [...]*Stamp{t.Created, t.Approved, t.Started, t.Finished, t.Reviewed} {
			s.stamp(stamp, at)
		}
		return
	}
	s.put(facet{ofStatus, string(l.plan.Status)}, at)
	if l.plan.Scope.Kind == SessionScope {
		s.putNamed(facet{ofSession, BareSession(l.plan.Scope.Session)}, at)
	}
}

// taskNumbers gives the number of each task id, 0 for what is none.
func taskNumbers(ids []string) []int {
	numbers := make([]int, len(ids))
	for i, id := range ids {
		if k, n, ok := ParseID(id); ok && k == TaskKind {
			numbers[i] = n
		}
	}
	return numbers
}

func (s *summary) stamp(stamp *Stamp, at int) {
	if stamp == nil {
		return
	}
	s.put(facet{ofPerson, stamp.By}, at)
	if when, ok := stamp.Time(); ok {
		s.newest[at] = max(s.newest[at], when.UnixMilli())
	}
}

func (s *summary) put(f facet, at int) {
	set := s.facets[f]
	set.add(at)
	s.facets[f] = set
}

// putNamed lists a record under a value that it has.
func (s *summary) putNamed(f facet, at int) {
	if f.value != "" {
		s.put(f, at)
	}
}

// plansOf gives the plans whose scope is a session, given bare.
func (x *index) plansOf(bare string) (plans []string) {
	for _, c := range x.table(PlanKind).chunks {
		for i := range c.summary().facets[facet{ofSession, bare}].each {
			plans = append(plans, c.slots[i][0].plan.ID)
		}
	}
	return plans
}

// ofSession gives the places of the tasks that name a session, or one of its
// plans.
func (s *summary) ofSession(bare string, plans []string) slots {
	found := s.facets[facet{ofSession, bare}]
	for _, plan := range plans {
		found = found.or(s.facets[facet{ofPlan, plan}])
	}
	return found
}
