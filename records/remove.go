package records

import (
	"fmt"
	"slices"
	"strings"
)

// removeTask takes one task out of the tree, by the rules of a change of it.
func (b *Book) removeTask(e RemoveTask, m Mark, r Rules) (Outcome, error) {
	old, err := b.knownTask(e.Task)
	if err != nil {
		return Outcome{}, err
	}
	lifted, err := old.guard(nil, m, r, e.Force)
	if err != nil {
		return Outcome{}, err
	}
	if err := b.checkChildren(old.ID); err != nil {
		return Outcome{}, err
	}
	o, err := b.takeOff([]string{old.ID})
	o.lift(lifted)
	return o, err
}

// checkChildren refuses to remove a task that others name as their parent.
func (b *Book) checkChildren(id string) error {
	children, err := b.Children(id)
	if err != nil {
		return err
	}
	var ids []string
	for _, child := range children {
		if child.ID != id { // one that a file has below itself goes with it
			ids = append(ids, child.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return conflict(id, id+" is the parent of "+strings.Join(ids, ", "))
}

// remove takes records out of the tree, unless somebody holds one of them.
func (b *Book) remove(e Remove, m Mark, r Rules) (Outcome, error) {
	for _, id := range e.IDs {
		task, err := b.Task(id)
		if err != nil {
			return Outcome{}, err
		}
		if task == nil {
			continue
		}
		if _, err := task.guard(nil, m, r, false); err != nil {
			return Outcome{}, err
		}
	}
	return b.takeOff(e.IDs)
}

// takeOff takes records out of the tree. What they are the last trace of, the
// highest number of a collection, is kept in .highest.
func (b *Book) takeOff(ids []string) (Outcome, error) {
	o := Outcome{Book: b, What: "remove"}
	gone := map[Kind][]int{}
	for _, id := range ids {
		k, n, _ := ParseID(id)
		l, err := b.holderOf(id, k)
		if err != nil {
			return Outcome{}, err
		}
		r := l.record()
		if r == nil {
			return Outcome{}, Unknown(k.noun(), k, id)
		}
		if slices.Contains(gone[k], n) {
			continue
		}
		gone[k] = append(gone[k], n)
		o.IDs = append(o.IDs, id)
		o.Files = append(o.Files, File{Path: l.path})
		_, o.Title = r.Name()
	}
	if len(o.Files) == 0 {
		return Outcome{Book: b}, nil
	}
	if len(o.Files) > 1 {
		o.Title = ""
	}
	for k := range gone {
		f, err := b.remember(k, gone[k])
		if err != nil {
			return Outcome{}, err
		}
		o.Files = append(o.Files, f...)
	}
	sortFiles(o.Files)
	o.Book = b.with(o.Files)
	return o, nil
}

// remember gives .highest as it must be once the numbers are gone, none where
// it says enough already.
func (b *Book) remember(k Kind, gone []int) ([]File, error) {
	top, err := b.highest(k)
	if err != nil {
		return nil, fmt.Errorf("find the highest of %s: %w", k.Dir(), err)
	}
	said, err := b.said(k)
	if err != nil || said >= top || !slices.Contains(gone, top) {
		return nil, err
	}
	if err := b.needRoom(highestPath(k), "the highest id"); err != nil {
		return nil, fmt.Errorf("note %s before it goes: %w", formatID(k, top), err)
	}
	return []File{highestFile(k, top)}, nil
}
