package records

import (
	"cmp"
	"slices"
)

// Change is what happened to one record between two Books: added where there is
// no Before, removed where there is no After. Exactly one pair is used.
type Change struct {
	Before, After         *Task
	PlanBefore, PlanAfter *Plan
}

// Changes gives what differs between two Books whose trees differ in the named
// files: removals first, then plans, then tasks, each by number and plans ahead
// of tasks. A record that can no longer be read counts as removed, one that was
// mended as added. A file that says the same in other words is no change.
func Changes(old, next *Book, paths []string) ([]Change, error) {
	type number struct {
		kind Kind
		n    int
	}
	var numbers []number
	for _, path := range paths {
		if n := numberOf(reach(path)); n > 0 {
			numbers = append(numbers, number{kindOfPath(path), n})
		}
	}
	slices.SortFunc(numbers, func(a, b number) int {
		return cmp.Or(-cmp.Compare(a.kind, b.kind), cmp.Compare(a.n, b.n))
	})
	var removed, rest []Change
	for _, at := range slices.Compact(numbers) {
		before, err := old.holder(at.kind, at.n, false)
		if err != nil {
			return nil, err
		}
		after, err := next.holder(at.kind, at.n, false)
		if err != nil {
			return nil, err
		}
		c := between(before, after)
		switch {
		case c == (Change{}):
		case c.After == nil && c.PlanAfter == nil:
			removed = append(removed, c)
		default:
			rest = append(rest, c)
		}
	}
	next.carry(old, paths) // what was found out of the one holds for the other
	return append(removed, rest...), nil
}

// between gives the change of one number, zero for none.
func between(before, after *leaf) Change {
	var c Change
	was, is := before.record(), after.record()
	if was != nil && is != nil && same(was, is) {
		return c
	}
	if was != nil {
		c.Before, c.PlanBefore = before.task, before.plan
	}
	if is != nil {
		c.After, c.PlanAfter = after.task, after.plan
	}
	return c
}
