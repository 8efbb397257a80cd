package repo

import (
	"container/heap"
	"iter"
)

// Log walks back from the snapshot's commit along first parents: what the
// branch was, step by step. It ends with an error where a commit cannot be
// read.
func (s *Snapshot) Log() iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		for id := s.id; !id.IsZero(); {
			c, err := s.commit(id)
			if !yield(c, err) || err != nil {
				return
			}
			id = c.firstParent()
		}
	}
}

func (c Commit) firstParent() ID {
	if len(c.Parents) == 0 {
		return ID{}
	}
	return c.Parents[0]
}

// Touched lists, sorted, the paths of the files that a commit changed against
// its first parent.
func (s *Snapshot) Touched(c Commit) ([]string, error) {
	before, err := s.snapshot(c.firstParent())
	if err != nil {
		return nil, err
	}
	after := Snapshot{c.ID, c.tree, s.reader}
	return after.changedFrom(before.root)
}

// History gives every commit that the snapshot's one can be reached from, each
// after its parents, over all parents of a merge. Where until says yes of a
// commit, it and what lies behind it are left out; nil never says so. Dates
// decide only between commits that neither way depend on each other, since
// nobody's clock can be trusted with more.
func (s *Snapshot) History(until func(Commit) bool) ([]Commit, error) {
	commits := map[ID]Commit{}
	children := map[ID]int{} // how many of a commit's children are still to come
	seen := map[ID]bool{}
	stack := []ID{s.id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] || id.IsZero() {
			continue
		}
		seen[id] = true
		c, err := s.commit(id)
		if err != nil {
			return nil, err
		}
		if until != nil && until(c) {
			continue
		}
		commits[id] = c
		for _, p := range c.Parents {
			children[p]++
			stack = append(stack, p)
		}
	}
	order := make([]Commit, 0, len(commits))
	ready := &newestFirst{}
	if c, ok := commits[s.id]; ok {
		heap.Push(ready, c)
	}
	for ready.Len() > 0 {
		c := heap.Pop(ready).(Commit)
		order = append(order, c)
		for _, p := range c.Parents {
			children[p]--
			if parent, ok := commits[p]; ok && children[p] == 0 {
				heap.Push(ready, parent)
			}
		}
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order, nil
}

type newestFirst []Commit

func (h newestFirst) Len() int           { return len(h) }
func (h newestFirst) Less(i, j int) bool { return h[i].CommitTime.After(h[j].CommitTime) }
func (h newestFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newestFirst) Push(x any)        { *h = append(*h, x.(Commit)) }
func (h *newestFirst) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
