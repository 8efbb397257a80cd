package records

import (
	"fmt"
	"slices"
)

// remove takes records out of the tree. What they are the last trace of, the
// highest number of a collection, is kept in .highest.
func (b *Book) remove(e Remove) (Outcome, error) {
	o := Outcome{Book: b, What: "remove"}
	gone := map[Kind][]int{}
	for _, id := range e.IDs {
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
