package records

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// listing is the file names of one collection, from its folders alone: no file
// was opened.
type listing struct {
	highest int
	own     int              // the highest that lies in its own folder
	strays  map[int][]string // paths by number, of files outside their own folder
}

// farNumber is where listing every folder of a collection to find its highest
// number gets too slow. From here on .highest is kept within the same hundred
// as the highest number, which is one folder: whoever mints the first number of
// a folder writes the file as well.
const farNumber = 10_000

// unsaid reports whether n is a far number in a later folder than the number
// that .highest names.
func unsaid(n, said int) bool { return n >= farNumber && n/100 > said/100 }

// Loaded reports whether the Book was read as a whole, and so moves on as one.
func (b *Book) Loaded() bool { return b.whole.Load() != nil }

// holderOf gives the file that holds an id, nil for none or another kind of id.
func (b *Book) holderOf(id string, kind Kind) (*leaf, error) {
	k, n, ok := ParseID(id)
	if !ok || k != kind {
		return nil, nil
	}
	return b.holder(k, n, true)
}

// holder gives the file of a number: the one in its own folder, else the first
// of that name, whether it can be read or not. Without strays a number above
// the highest is taken to have no file, which saves listing every folder; that
// is sound in every tree that has had its follow-up.
func (b *Book) holder(k Kind, n int, strays bool) (*leaf, error) {
	if x := b.whole.Load(); x != nil {
		if files := x.table(k).slot(n); len(files) > 0 {
			return files[0], nil
		}
		return nil, nil
	}
	l, err := b.at(PathOf(formatID(k, n)))
	if err != nil || l != nil || b.clean() {
		return l, err
	}
	if !strays {
		top, err := b.highest(k)
		if err != nil || n > top {
			return nil, err
		}
	}
	names, err := b.listed(k)
	if err != nil || len(names.strays[n]) == 0 {
		return nil, err
	}
	return b.at(names.strays[n][0])
}

// at gives the leaf of a path, nil when there is none.
func (b *Book) at(path string) (*leaf, error) {
	if x := b.whole.Load(); x != nil {
		return x.at(path), nil
	}
	if b.view != nil {
		l, err := b.view.under.at(path)
		return b.view.leaf(l), err
	}
	b.mu.Lock()
	l, known := b.reads[path]
	b.mu.Unlock()
	if known {
		return l, nil
	}
	l, err := readLeaf(b.fsys, path)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.reads[path] = l
	b.mu.Unlock()
	return l, nil
}

// highest gives the highest number ever used, 0 for none.
func (b *Book) highest(k Kind) (int, error) {
	said, err := b.said(k)
	if err != nil {
		return 0, err
	}
	if x := b.whole.Load(); x != nil {
		return max(said, x.table(k).highest()), nil
	}
	if b.view != nil {
		return b.view.under.highest(k)
	}
	b.mu.Lock()
	free := b.free[k-TaskKind]
	b.mu.Unlock()
	if free > 0 {
		return free - 1, nil
	}
	found := 0
	if said >= farNumber {
		found, err = b.highestBeside(k, said)
	} else {
		var names *listing
		if names, err = b.listed(k); err == nil {
			found = names.highest
		}
	}
	if err != nil {
		return 0, err
	}
	top := max(said, found)
	b.mu.Lock()
	b.free[k-TaskKind] = top + 1
	b.mu.Unlock()
	return top, nil
}

// carry takes the highest numbers over from the Book of a tree that differs in the
// named files alone, so that no folder is listed again for each of many changes.
// A change that may have lowered one, or is out of the common, leaves it to be
// found again.
func (b *Book) carry(from *Book, paths []string) {
	if b.whole.Load() != nil {
		return // it has them all
	}
	from.mu.Lock()
	free, settled := from.free, from.settled
	from.mu.Unlock()
	for _, path := range paths {
		k := kindOfPath(path)
		if k == 0 || free[k-TaskKind] == 0 {
			continue
		}
		free[k-TaskKind] = b.nextAfter(k, path, free[k-TaskKind])
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = settled
	for i, n := range free {
		if b.free[i] == 0 {
			b.free[i] = n
		}
	}
}

// nextAfter gives the first number above all ever used when a path has changed
// and free was it before; 0 where that cannot be told.
func (b *Book) nextAfter(k Kind, file string, free int) int {
	said, err := b.said(k)
	if err != nil {
		return 0
	}
	n := numberOf(file)
	switch {
	case file == highestPath(k) && said+1 >= free:
		return said + 1
	case n == 0 && file != highestPath(k) && path.Dir(file) == k.Dir():
		return free // a draft has no number
	case n == 0 || file != PathOf(formatID(k, n)):
		return 0
	case n < free-1 || n <= said:
		return free
	}
	if info, err := look(b.fsys, file); err != nil || info == nil {
		return 0
	}
	return n + 1
}

// said gives the number in .highest, 0 where there is none.
func (b *Book) said(k Kind) (int, error) {
	l, err := b.at(highestPath(k))
	if err != nil || l == nil {
		return 0, err
	}
	return l.said, nil
}

// highestBeside gives the highest number in the folder of n, 0 for none.
func (b *Book) highestBeside(k Kind, n int) (int, error) {
	dir := path.Dir(PathOf(formatID(k, n)))
	info, err := look(b.fsys, dir)
	if err != nil || info == nil || !info.IsDir() {
		return 0, err
	}
	entries, err := fs.ReadDir(b.fsys, dir)
	if err != nil {
		return 0, fmt.Errorf("list %s: %w", dir, err)
	}
	best := 0
	for _, e := range entries {
		file := dir + "/" + e.Name()
		if n := numberOf(file); n > best && file == PathOf(formatID(k, n)) {
			best = n
		}
	}
	return best, nil
}

// listed gives the listing of a collection, made once.
func (b *Book) listed(k Kind) (*listing, error) {
	if b.view != nil {
		return b.view.under.listed(k)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if names := b.lists[k-TaskKind]; names != nil {
		return names, nil
	}
	names := &listing{strays: map[int][]string{}}
	err := walkEntries(b.fsys, func(file string, _ fs.DirEntry) error {
		n := numberOf(file)
		if n == 0 {
			return nil
		}
		names.highest = max(names.highest, n)
		if file == PathOf(formatID(k, n)) {
			names.own = max(names.own, n)
		} else {
			names.strays[n] = append(names.strays[n], file)
		}
		return nil
	}, k)
	if err != nil {
		return nil, fmt.Errorf("list the names in %s: %w", k.Dir(), err)
	}
	for _, paths := range names.strays {
		slices.Sort(paths)
	}
	b.lists[k-TaskKind] = names
	return names, nil
}

// ownHighest gives the highest number whose file lies in its own folder, 0 for
// none: what can be found again without looking everywhere.
func (b *Book) ownHighest(k Kind) (int, error) {
	if x := b.whole.Load(); x != nil {
		return x.table(k).ownHighest(), nil
	}
	said, err := b.said(k)
	if err != nil {
		return 0, err
	}
	if said >= farNumber {
		return b.highestBeside(k, said)
	}
	names, err := b.listed(k)
	if err != nil {
		return 0, err
	}
	return names.own, nil
}
