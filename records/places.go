package records

import "slices"

// places is where the tasks of a chunk stand in the tree, by slot: what an order
// of all tasks is made of without a look at any of them. It is made when first
// asked, which no list does whose tasks have neither parent nor rank.
type places struct {
	parent [chunkSize]int32 // the number of the parent that is named, 0 for none
	plan   [chunkSize]int32 // the number of the plan, 0 for none, oddPlan for what is no id
	own    slots            // tasks that have a rank of their own
	ranks  map[int]ranked   // theirs
}

// oddPlan stands for every plan that is named and has no number.
const oddPlan = -1

func (c *chunk) places() *places {
	c.placing.Do(func() {
		p := &places{ranks: map[int]ranked{}}
		for i := range c.summary().all.each {
			t := c.slots[i].task
			if k, n, ok := ParseID(t.Parent); ok && k == TaskKind {
				p.parent[i] = int32(n)
			}
			p.plan[i] = planNumber(t.Plan)
			if validRank(t.Rank) {
				p.own.add(i)
				p.ranks[i] = placeOf(c.base+i, t.Rank)
			}
		}
		c.placed = p
	})
	return c.placed
}

// planNumber is what places holds of a plan.
func planNumber(id string) int32 {
	k, n, ok := ParseID(id)
	switch {
	case ok && k == PlanKind:
		return int32(n)
	case id != "":
		return oddPlan
	}
	return 0
}

// Depth gives how many tasks a task stands under, from parent to parent. It is 0
// where the parent is not there, or is a task of another plan: then the task is
// shown with those that have no parent. Where parents go round in a circle, the
// lowest number stands on top.
func (b *Book) Depth(t *Task) (int, error) {
	line := []*Task{t}
	for {
		at := line[len(line)-1]
		parent, err := b.parent(at)
		if err != nil || parent == nil {
			return len(line) - 1, err
		}
		if again := slices.IndexFunc(line, func(t *Task) bool { return t.ID == parent.ID }); again >= 0 {
			return again + lowest(line[again:]), nil
		}
		line = append(line, parent)
	}
}

// parent gives the task that another one stands under, nil for none.
func (b *Book) parent(t *Task) (*Task, error) {
	if t.Parent == "" {
		return nil, nil
	}
	parent, err := b.Task(t.Parent)
	if err != nil || parent == nil || parent.Plan != t.Plan {
		return nil, err
	}
	return parent, nil
}

// lowest gives the index of the task with the lowest number.
func lowest(circle []*Task) int {
	best, top := 0, maxNumber+1
	for i, t := range circle {
		if _, n, _ := ParseID(t.ID); n < top {
			best, top = i, n
		}
	}
	return best
}
