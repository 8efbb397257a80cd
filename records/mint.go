package records

import "fmt"

// mint gives the number a new record gets. A file that stands where the record
// would go, in a tree that no follow-up has seen yet, makes it look at every
// name there is. Where nothing can be written at that place the error says what
// is in the way.
func (b *Book) mint(k Kind) (int, error) {
	n, err := b.next(k)
	if err != nil {
		return 0, err
	}
	l, err := b.at(PathOf(formatID(k, n)))
	if err != nil {
		return 0, err
	}
	if l != nil {
		if n, err = b.nextOfAll(k); err != nil {
			return 0, err
		}
	}
	id := formatID(k, n)
	if err := b.needRoom(PathOf(id), id); err != nil {
		return 0, fmt.Errorf("mint %s: %w", id, err)
	}
	return n, nil
}

// nextOfAll gives the number above every file name of the collection.
func (b *Book) nextOfAll(k Kind) (int, error) {
	names, err := b.listed(k)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	b.free[k-TaskKind] = max(b.free[k-TaskKind], names.highest+1)
	b.mu.Unlock()
	return b.next(k)
}

// next gives the number the next record of the kind gets: one above the highest
// that .highest or any file name in the collection says, readable or not.
func (b *Book) next(k Kind) (int, error) {
	if k != TaskKind && k != PlanKind {
		return 0, fmt.Errorf("no such collection: %d", k)
	}
	top, err := b.highest(k)
	if err != nil {
		return 0, err
	}
	if top < maxNumber {
		return top + 1, nil
	}
	path := highestPath(k)
	l, err := b.holder(k, top, true)
	if err != nil {
		return 0, err
	}
	if l != nil {
		path = l.path
	}
	return 0, fmt.Errorf("no id is left in %s: the highest is %s (%s)", k.Dir(), formatID(k, top), Visible(path))
}
