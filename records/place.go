package records

import "slices"

// takeParent takes the task that t stands under: a known one of the same plan, not
// itself, and none that stands under it in the end. A task that goes to another plan
// leaves its parent and its rank behind.
func (b *Book) takeParent(t, old *Task, named *string) error {
	isNew := old.Title == ""
	if t.Plan != old.Plan && !isNew {
		t.Parent, t.Rank = "", ""
	}
	if named == nil || *named == t.Parent {
		return nil
	}
	if *named != "" {
		if err := b.checkParent(t, *named); err != nil {
			return err
		}
	}
	if t.Parent = *named; !isNew {
		t.Rank = ""
	}
	return nil
}

func (b *Book) checkParent(t *Task, id string) error {
	parent, err := b.Task(id)
	switch {
	case err != nil:
		return err
	case parent == nil:
		return mustKnow("parent", TaskKind, id)
	case id == t.ID:
		return invalid("parent", mustNotSelf)
	case parent.Plan != t.Plan:
		return invalid("parent", mustBeInPlan)
	}
	seen := map[string]bool{}
	for at := parent; at != nil && !seen[at.ID]; {
		// The task itself may still stand in the plan that it leaves.
		if at.ID == t.ID || at.Parent == t.ID && at.Plan == t.Plan {
			return invalid("parent", mustNotLoop)
		}
		seen[at.ID] = true
		if at, err = b.parent(at); err != nil {
			return err
		}
	}
	return nil
}

// takePlace gives t the rank that puts it where the call wants it: right before or
// after another task under the same parent, else, where it is put under another parent,
// behind all that stand there; a change of plan alone writes no rank. Where two equal
// ranks leave no room, others make it.
//
// A new task needs no rank to be the last.
func (b *Book) takePlace(t, old *Task, f *Fields, g guarded) (room, error) {
	before, after := f.Before, f.After
	field, named := "before", before
	if named == nil {
		field, named = "after", after
	}
	moved := f.Parent != nil && old.Title != "" && (t.Parent != old.Parent || t.Plan != old.Plan)
	switch {
	case before != nil && after != nil:
		return room{}, invalid("after", mustBeAlone)
	case named != nil:
		if err := b.checkBeside(t, field, *named); err != nil {
			return room{}, err
		}
	case !moved:
		return room{}, nil
	}
	row, err := b.rowOf(t)
	if err != nil {
		return room{}, err
	}
	if named == nil {
		row.append(t)
		return room{}, nil
	}
	_, n, _ := ParseID(*named)
	at := slices.IndexFunc(row, func(s standing) bool { return s.id == n })
	if at < 0 {
		return room{}, invalid(field, mustBeSibling)
	}
	if named == after {
		at++
	}
	if row.holds(t, at) {
		return room{}, nil
	}
	return b.squeeze(t, row, at, g)
}

// checkBeside refuses to put t beside what is no other task.
func (b *Book) checkBeside(t *Task, field, id string) error {
	beside, err := b.Task(id)
	switch {
	case err != nil:
		return err
	case beside == nil:
		return mustKnow(field, TaskKind, id)
	case id == t.ID:
		return invalid(field, mustNotSelf)
	}
	return nil
}

// siblings are the tasks that stand beside each other, in their order.
type siblings []standing

// rowOf gives the tasks that t stands beside, t itself left out.
func (b *Book) rowOf(t *Task) (siblings, error) {
	x, err := b.walked()
	if err != nil {
		return nil, err
	}
	parent, err := b.parent(t)
	if err != nil {
		return nil, err
	}
	o, under := x.ordered(), int32(top)
	if parent != nil {
		_, n, _ := ParseID(parent.ID)
		under = o.table.seat(n)
	}
	_, own, _ := ParseID(t.ID)
	plan := planNumber(t.Plan)
	var row siblings
	for n, c := range o.table.chunks {
		for i := range c.summary().all.each {
			seat := int32(n*chunkSize + i)
			if o.up[seat] != under || c.places().plan[i] != plan || c.base+i == own {
				continue
			}
			if plan == oddPlan && o.task(seat).Plan != t.Plan {
				continue
			}
			at, _ := o.place(seat)
			row = append(row, standing{at, seat})
		}
	}
	slices.SortFunc(row, func(a, b standing) int { return a.compare(b.ranked) })
	return row, nil
}

// place gives where t stands by its number and rank.
func (t *Task) place() ranked {
	_, n, _ := ParseID(t.ID)
	return placeOf(n, t.Rank)
}

// append puts t behind all; without a rank of its own where that will do.
func (row siblings) append(t *Task) {
	t.Rank = ""
	if n := len(row); n > 0 && row[n-1].compare(t.place()) > 0 {
		t.Rank = rankBetween(row[n-1].rank(), "")
	}
}

// holds reports whether t stands between those before and from a place on already.
func (row siblings) holds(t *Task, at int) bool {
	is := t.place()
	return (at == 0 || row[at-1].compare(is) < 0) && (at == len(row) || row[at].compare(is) > 0)
}

// room is what other tasks do so that one fits between two of equal ranks.
type room struct {
	shifted []*Task  // as they are to be, with ranks of their own
	lifted  []string // who holds some of them, where force shifts those
}

// guarded is whose call a change is, and by which rules others' tasks are kept from it.
type guarded struct {
	mark  Mark
	rules Rules
	force bool
}

// squeeze puts t before the one at a place. Where that one has the rank of the one
// before it, all behind that have it too are given others, or all before, where some
// behind are held by somebody else: a move of theirs is theirs to make as any change is.
func (b *Book) squeeze(t *Task, row siblings, at int, g guarded) (room, error) {
	from, to := row.equals(at)
	if from == to { // there is room
		t.Rank = rankBetween(row.rankAt(at-1), row.rankAt(at))
		return room{}, nil
	}
	low, rank, high := row.rankAt(from-1), row.rankAt(at), row.rankAt(to)
	gentle := g
	gentle.force = false
	var refused error
	for _, g := range []guarded{gentle, g} {
		behind, err := b.makeRoom(row[at:to], g)
		if err == nil {
			t.Rank = rankBetween(rank, high)
			behind.spread(t.Rank, high)
			return behind, nil
		}
		if refused == nil {
			refused = err
		}
		before, err := b.makeRoom(row[from:at], g)
		if err == nil {
			t.Rank = rankBetween(before.spread(low, rank), rank)
			return before, nil
		}
	}
	return room{}, refused
}

// equals gives where the ranks begin and end that are equal to both of those that
// stand on either side of a place; nothing where they differ.
func (row siblings) equals(at int) (from, to int) {
	from, to = at, at
	if at == 0 || at == len(row) || row[at-1].rank() != row[at].rank() {
		return from, to
	}
	for rank := row[at].rank(); from > 0 && row[from-1].rank() == rank; {
		from--
	}
	for rank := row[at].rank(); to < len(row) && row[to].rank() == rank; {
		to++
	}
	return from, to
}

// rankAt gives the rank at a place, "" beyond either end.
func (row siblings) rankAt(at int) string {
	if at < 0 || at >= len(row) {
		return ""
	}
	return row[at].rank()
}

// makeRoom gives the tasks of a row that are to be shifted, unless one of them is
// somebody else's.
func (b *Book) makeRoom(row siblings, g guarded) (room, error) {
	var r room
	for _, s := range row {
		old, err := b.Task(formatID(TaskKind, s.id))
		if err != nil {
			return room{}, err
		}
		lifted, err := old.guard(nil, g.mark, g.rules, g.force)
		if err != nil {
			return room{}, err
		}
		next := *old
		r.shifted, r.lifted = append(r.shifted, &next), append(r.lifted, lifted)
	}
	return r, nil
}

// spread gives the tasks ranks between two, in their order, and the last of those.
func (r *room) spread(low, high string) (last string) {
	last = low
	for _, t := range r.shifted {
		t.Rank = rankBetween(last, high)
		last = t.Rank
	}
	return last
}

// shift adds the tasks that made room to an outcome.
func (o Outcome) shift(r room) (Outcome, error) {
	for _, next := range r.shifted {
		old, err := o.Book.knownTask(next.ID)
		if err != nil {
			return Outcome{}, err
		}
		more, err := o.Book.rewrite(old, next, "", "task")
		if err != nil {
			return Outcome{}, err
		}
		o.Book, o.Files = more.Book, append(o.Files, more.Files...)
	}
	o.lift(r.lifted...)
	sortFiles(o.Files)
	return o, nil
}
