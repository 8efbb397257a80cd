package records

import (
	"math"
	"math/bits"
)

// facet is something that many records have in common, under which a chunk
// lists them.
type facet struct {
	of    facetKind
	value string
}

type facetKind uint8

const (
	ofPlan    facetKind = iota // the plan a task names
	ofSession                  // the bare session of a task, or of a plan's scope
	ofOwner                    // who a task is assigned to
	ofParent                   // the task that it is a part of
	ofLabel                    // one of its labels
	ofPerson                   // a person in one of its stamps
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

// summary is what nearly every question needs of a chunk. Each chunk makes its own
// when first asked, so a change costs one chunk's worth of it and no index over
// the whole is ever kept in step by hand.
type summary struct {
	all      slots         // every readable record
	status   []ofStatus    // each status that one has
	approved slots         // with an approved stamp
	owned    slots         // tasks that have an owner
	waiting  slots         // tasks that name others that they wait for
	waits    map[int][]int // the numbers that their blockers spell, 0 for none
	moved    slots         // tasks that name a parent or have a rank
	noted    slots         // with something to report
}

// ofStatus is the records of one status.
type ofStatus struct {
	status Status
	slots  slots
}

// names is what a chunk holds under what its records name. It is made when first
// asked as well: a command that lists all does without.
type names struct {
	facets map[facet]slots
	newest [chunkSize]int64 // the last time in any stamp, Unix milliseconds
}

func (c *chunk) summary() *summary {
	c.once.Do(func() {
		s := summary{waits: map[int][]int{}}
		for i, l := range c.slots {
			if l == nil {
				continue
			}
			if c.twins[i] != nil || l.notable() {
				s.noted.add(i)
			}
			if l.record() != nil {
				s.add(l, i)
			}
		}
		c.made = s
	})
	return &c.made
}

// add lists a readable record.
func (s *summary) add(l *leaf, at int) {
	s.all.add(at)
	t := l.task
	if t == nil {
		s.of(l.plan.Status).add(at)
		return
	}
	s.of(t.Status).add(at)
	if t.Approved != nil {
		s.approved.add(at)
	}
	if t.Parent != "" || t.Rank != "" {
		s.moved.add(at)
	}
	if t.Owner != "" {
		s.owned.add(at)
	}
	if len(t.BlockedBy) > 0 {
		s.waiting.add(at)
		s.waits[at] = taskNumbers(t.BlockedBy)
	}
}

// of gives the set of a status, to be added to.
func (s *summary) of(status Status) *slots {
	for i := range s.status {
		if s.status[i].status == status {
			return &s.status[i].slots
		}
	}
	s.status = append(s.status, ofStatus{status: status})
	return &s.status[len(s.status)-1].slots
}

// with gives the places of the records of a status.
func (s *summary) with(status Status) slots {
	for _, one := range s.status {
		if one.status == status {
			return one.slots
		}
	}
	return slots{}
}

func (c *chunk) names() *names {
	c.naming.Do(func() {
		n := &names{facets: map[facet]slots{}}
		for i := range n.newest {
			n.newest[i] = math.MinInt64
		}
		for i := range c.summary().all.each {
			n.add(c.slots[i], i)
		}
		c.named = n
	})
	return c.named
}

// add lists a readable record.
func (n *names) add(l *leaf, at int) {
	t := l.task
	if t == nil {
		if l.plan.Scope.Kind == SessionScope {
			n.putNamed(facet{ofSession, BareSession(l.plan.Scope.Session)}, at)
		}
		return
	}
	n.putNamed(facet{ofPlan, t.Plan}, at)
	n.putNamed(facet{ofSession, BareSession(t.Session)}, at)
	n.putNamed(facet{ofOwner, t.Owner}, at)
	n.putNamed(facet{ofParent, t.Parent}, at)
	for _, label := range t.Labels {
		n.put(facet{ofLabel, label}, at)
	}
	for _, stamp := range [...]*Stamp{t.Created, t.Approved, t.Started, t.Finished, t.Reviewed} {
		n.stamp(stamp, at)
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

func (n *names) stamp(stamp *Stamp, at int) {
	if stamp == nil {
		return
	}
	n.put(facet{ofPerson, stamp.By}, at)
	if when, ok := stamp.Time(); ok {
		n.newest[at] = max(n.newest[at], when.UnixMilli())
	}
}

func (n *names) put(f facet, at int) {
	set := n.facets[f]
	set.add(at)
	n.facets[f] = set
}

// putNamed lists a record under a value that it has.
func (n *names) putNamed(f facet, at int) {
	if f.value != "" {
		n.put(f, at)
	}
}

// plansOf gives the plans whose scope is a session, given bare.
func (x *index) plansOf(bare string) (plans []string) {
	for _, c := range x.table(PlanKind).chunks {
		for i := range c.names().facets[facet{ofSession, bare}].each {
			plans = append(plans, c.slots[i].plan.ID)
		}
	}
	return plans
}

// ofSession gives the places of the tasks that name a session, or one of its
// plans.
func (n *names) ofSession(bare string, plans []string) slots {
	found := n.facets[facet{ofSession, bare}]
	for _, plan := range plans {
		found = found.or(n.facets[facet{ofPlan, plan}])
	}
	return found
}
