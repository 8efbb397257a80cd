package records

import "slices"

// order is the tasks of a tree as a list shows them: each followed by those under
// it, and all that stand side by side by their ranks. Tasks are meant by their
// seats: the place of their chunk among all, times chunkSize, and the slot in it.
type order struct {
	table *table
	up    []int32 // by seat, the seat of the task that it stands under; top for none
	rows  []row
}

// row is one line of the list.
type row struct{ seat, depth int32 }

// top is the seat that all stand under which have no parent.
const top = -1

// none is no seat.
const none = -2

// ordered gives the order of the tasks, made once.
func (x *index) ordered() *order {
	x.ordering.Do(func() {
		o := &order{table: x.table(TaskKind)}
		o.climb()
		o.walk(o.hang())
		x.order = o
	})
	return x.order
}

// task gives the task of a seat.
func (o *order) task(seat int32) *Task {
	return o.table.chunks[seat/chunkSize].slots[seat%chunkSize].task
}

// seat gives the seat of a number, none where it has no readable task.
func (t *table) seat(n int) int32 {
	at := n / chunkSize // in a list without large gaps
	if at >= len(t.chunks) || t.chunks[at].base != n-n%chunkSize {
		var ok bool
		if at, ok = t.find(n); !ok {
			return none
		}
	}
	if !t.chunks[at].summary().all.has(n % chunkSize) {
		return none
	}
	return int32(at*chunkSize + n%chunkSize)
}

// climb finds what every task stands under.
func (o *order) climb() {
	o.up = make([]int32, len(o.table.chunks)*chunkSize)
	for at, c := range o.table.chunks {
		p := c.places()
		for i := range c.summary().all.each {
			seat := int32(at*chunkSize + i)
			o.up[seat] = top
			if p.parent[i] == 0 {
				continue
			}
			if parent := o.table.seat(int(p.parent[i])); parent != none && o.samePlan(seat, parent) {
				o.up[seat] = parent
			}
		}
	}
}

func (o *order) samePlan(a, b int32) bool {
	p := o.table.chunks[a/chunkSize].places().plan[a%chunkSize]
	if p != o.table.chunks[b/chunkSize].places().plan[b%chunkSize] {
		return false
	}
	return p != oddPlan || o.task(a).Plan == o.task(b).Plan
}

// hanging is the tasks under each seat, as lists that run through all seats.
type hanging struct {
	first []int32 // by seat and, at its end, of the top
	next  []int32
}

// under gives where the list of a seat begins.
func (h *hanging) under(seat int32) *int32 {
	if seat == top {
		return &h.first[len(h.first)-1]
	}
	return &h.first[seat]
}

// hang lists what stands under each seat, by rank.
func (o *order) hang() *hanging {
	h := &hanging{first: make([]int32, len(o.up)+1), next: make([]int32, len(o.up))}
	for i := range h.first {
		h.first[i] = none
	}
	unsorted := map[int32]bool{}
	for at, c := range slices.Backward(o.table.chunks) {
		own := c.places().own
		for i := chunkSize - 1; i >= 0; i-- {
			if !c.summary().all.has(i) {
				continue
			}
			seat := int32(at*chunkSize + i)
			list := h.under(o.up[seat])
			h.next[seat], *list = *list, seat
			if own.has(i) {
				unsorted[o.up[seat]] = true
			}
		}
	}
	for parent := range unsorted {
		o.sort(h, parent)
	}
	return h
}

// standing is a task, and where it stands among its siblings.
type standing struct {
	ranked
	seat int32
}

// sort puts those of the tasks under a seat at their places which have a rank of
// their own. The others are there by number, which is the order of theirs.
func (o *order) sort(h *hanging, parent int32) {
	var own []standing
	for link := h.under(parent); *link != none; {
		seat := *link
		at, implicit := o.place(seat)
		if implicit {
			link = &h.next[seat]
			continue
		}
		own = append(own, standing{at, seat})
		*link = h.next[seat]
	}
	slices.SortFunc(own, func(a, b standing) int { return a.compare(b.ranked) })
	link := h.under(parent)
	for _, s := range own {
		for *link != none {
			if at, _ := o.place(*link); s.compare(at) < 0 {
				break
			}
			link = &h.next[*link]
		}
		h.next[s.seat], *link = *link, s.seat
		link = &h.next[s.seat]
	}
}

// place gives where the task of a seat stands among its siblings, and whether only
// its number says so.
func (o *order) place(seat int32) (at ranked, implicit bool) {
	c := o.table.chunks[seat/chunkSize]
	if p := c.places(); p.own.has(int(seat % chunkSize)) {
		return p.ranks[int(seat%chunkSize)], false
	}
	n := c.base + int(seat%chunkSize)
	return ranked{above: n, id: n}, true
}

// walk makes the rows: everything that the top leads to, and then what stands in
// a circle or under one.
func (o *order) walk(h *hanging) {
	all := 0
	for _, c := range o.table.chunks {
		all += c.summary().all.count()
	}
	o.rows = make([]row, 0, all)
	o.descend(h, *h.under(top))
	if len(o.rows) == all {
		return
	}
	seen := make([]bool, len(o.up))
	for _, r := range o.rows {
		seen[r.seat] = true
	}
	for at, c := range o.table.chunks {
		for i := range c.summary().all.each {
			if seat := int32(at*chunkSize + i); !seen[seat] {
				from := len(o.rows)
				o.open(h, o.circle(seat))
				for _, r := range o.rows[from:] {
					seen[r.seat] = true
				}
			}
		}
	}
}

// descend adds the rows of a seat, of those behind it in its list, and of all that
// stand under them.
func (o *order) descend(h *hanging, seat int32) {
	depth := int32(0)
	for seat != none {
		o.rows = append(o.rows, row{seat, depth})
		if down := h.first[seat]; down != none {
			seat, depth = down, depth+1
			continue
		}
		for h.next[seat] == none && depth > 0 {
			seat, depth = o.up[seat], depth-1
		}
		seat = h.next[seat]
	}
}

// circle gives the lowest of the seats that go round in the circle which a seat
// leads up to.
func (o *order) circle(seat int32) int32 {
	slow, fast := o.up[seat], o.up[o.up[seat]]
	for slow != fast {
		slow, fast = o.up[slow], o.up[o.up[fast]]
	}
	lowest := slow
	for at := o.up[slow]; at != slow; at = o.up[at] {
		lowest = min(lowest, at)
	}
	return lowest
}

// open takes a seat out of its circle and adds the rows of what was one.
func (o *order) open(h *hanging, seat int32) {
	link := h.under(o.up[seat])
	for *link != seat {
		link = &h.next[*link]
	}
	*link, h.next[seat], o.up[seat] = h.next[seat], none, top
	o.descend(h, seat)
}
