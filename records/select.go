package records

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Filter says which tasks are asked for: what is set must match, all of it. Its
// zero value matches every task.
type Filter struct {
	Status   Status
	Approved *bool // with, or without, an approved stamp
	Ready    *bool // what Book.Ready says, by Rules
	Rules    Rules
	Plan     string
	Owner    string
	Unowned  bool // nobody's
	Priority Priority
	Labels   []string  // every one of them
	By       string    // in any stamp
	Since    time.Time // any stamp is of this time or later
	Text     string    // in the title or the body, whatever the case of its letters
}

// Listed is a task in a list, and what the list tells of it besides: the keys of
// its file, then these.
type Listed struct {
	*Task
	// Depth is how many tasks it stands under, those that do not match too: what
	// [Book.Depth] says.
	Depth int `json:"depth"`
	// OpenBlockers are those of [Book.OpenBlockers]; never nil.
	OpenBlockers []string `json:"openBlockers"`
	HasBody      bool     `json:"hasBody"`
}

// Select gives the tasks that match and come behind the one of a number, 0 for
// those from the first on, at most limit of them, all for 0, and how many more
// match behind them. They come in the order of a list: each followed by those under
// it, and all that stand side by side by rank and then by the number of the id.
//
// It looks at the indexes of the Book first, so that what a page costs hardly grows
// with the number of tasks that it leaves out; only a text has to be looked for in
// tasks that nothing else rules out. Where a task that may match has a parent or a
// rank, the one to go on behind must be there: the error is a *Refusal of after
// else.
func (b *Book) Select(f Filter, after, limit int) (page []*Listed, left int, err error) {
	x, err := b.asked(&f, after)
	if err != nil {
		return nil, 0, err
	}
	f.Text = strings.ToLower(f.Text)
	if f.anyMoved(x.table(TaskKind)) {
		return b.selectOrdered(&f, x, after, limit)
	}
	for _, c := range x.table(TaskKind).chunks {
		found := f.candidates(c)
		if first := after + 1 - c.base; first > 0 {
			found = found.from(min(first, chunkSize))
		}
		if found == (slots{}) {
			continue
		}
		if found, err = b.sift(&f, x, c, found); err != nil {
			return nil, 0, err
		}
		for i := range found.each {
			if limit > 0 && len(page) == limit {
				left += found.from(i).count()
				break
			}
			page = append(page, &Listed{Task: c.slots[i].task})
		}
	}
	return page, left, b.tell(page)
}

// asked gives an index in which everything stands that may match.
func (b *Book) asked(f *Filter, after int) (*index, error) {
	if f.Plan != "" && after == 0 {
		if x := b.ofPlan(f.Plan); x != nil {
			return x, nil
		}
	}
	return b.walked()
}

// tell adds what a list tells of its tasks.
func (b *Book) tell(page []*Listed) error {
	for _, l := range page {
		open, err := b.OpenBlockers(l.Task)
		if err != nil {
			return err
		}
		l.OpenBlockers, l.HasBody = open, l.Body != ""
		if open == nil {
			l.OpenBlockers = []string{}
		}
	}
	return nil
}

// anyMoved reports whether a task that may match does not stand where its number
// says: the others come by number.
func (f *Filter) anyMoved(t *table) bool {
	for _, c := range t.chunks {
		if moved := c.summary().moved; moved != (slots{}) && f.candidates(c).and(moved) != (slots{}) {
			return true
		}
	}
	return false
}

// selectOrdered is Select of tasks that have to be ordered.
func (b *Book) selectOrdered(f *Filter, x *index, after, limit int) (page []*Listed, left int, err error) {
	o := x.ordered()
	found := make([]slots, len(o.table.chunks))
	for i, c := range o.table.chunks {
		if found[i] = f.candidates(c); found[i] == (slots{}) {
			continue
		}
		if found[i], err = b.sift(f, x, c, found[i]); err != nil {
			return nil, 0, err
		}
	}
	rows, ok := o.behind(after)
	if !ok {
		return nil, 0, Unknown("after", TaskKind, formatID(TaskKind, after))
	}
	for _, r := range rows {
		switch {
		case !found[r.seat/chunkSize].has(int(r.seat % chunkSize)):
		case limit > 0 && len(page) == limit:
			left++
		default:
			page = append(page, &Listed{Task: o.task(r.seat), Depth: int(r.depth)})
		}
	}
	return page, left, b.tell(page)
}

// behind gives the rows behind that of a number, all for 0; false where it has
// none.
func (o *order) behind(n int) ([]row, bool) {
	if n == 0 {
		return o.rows, true
	}
	seat := o.table.seat(n)
	at := slices.IndexFunc(o.rows, func(r row) bool { return r.seat == seat })
	return o.rows[at+1:], at >= 0
}

// candidates are the places of a chunk that its indexes do not rule out.
func (f *Filter) candidates(c *chunk) slots {
	s := c.summary()
	found := s.all
	if f.Status != "" {
		found = found.and(s.with(f.Status))
	}
	if f.Approved != nil && *f.Approved {
		found = found.and(s.approved)
	} else if f.Approved != nil {
		found = found.without(s.approved)
	}
	for set := range f.named {
		found = found.and(c.names().facets[set])
	}
	if f.Unowned {
		found = found.without(s.owned)
	}
	if f.Priority != "" {
		for i := range found.each {
			if t := c.taskAt(i); t.Priority != f.Priority && (t.Priority != "" || f.Priority != Medium) {
				found.remove(i)
			}
		}
	}
	if !f.Since.IsZero() {
		since := f.Since.UnixMilli()
		for i := range found.each {
			if c.names().newest[i] < since {
				found.remove(i)
			}
		}
	}
	return found
}

// named yields what a task must name.
func (f *Filter) named(yield func(facet) bool) {
	for _, one := range [...]facet{{ofPlan, f.Plan}, {ofOwner, f.Owner}, {ofPerson, f.By}} {
		if one.value != "" && !yield(one) {
			return
		}
	}
	for _, label := range f.Labels {
		if !yield(facet{ofLabel, label}) {
			return
		}
	}
}

// sift takes away the candidates that a look at each rules out.
func (b *Book) sift(f *Filter, x *index, c *chunk, found slots) (slots, error) {
	if !f.Since.IsZero() {
		found = f.since(c, found)
	}
	if f.Ready != nil {
		ready, err := b.ready(x, c, found, f.Rules.RequireApproval)
		if err != nil {
			return slots{}, err
		}
		if found = found.without(ready); *f.Ready {
			found = ready
		}
	}
	if f.Text != "" {
		found = c.holding(f.Text, found)
	}
	return found, nil
}

// since looks closer at the tasks whose last stamp is of the very millisecond.
func (f *Filter) since(c *chunk, found slots) slots {
	n := c.names()
	for i := range found.each {
		if n.newest[i] > f.Since.UnixMilli() {
			continue
		}
		late := false
		for _, stamp := range c.slots[i].task.Stamps() {
			at, ok := stamp.Time()
			late = late || ok && !at.Before(f.Since)
		}
		if !late {
			found.remove(i)
		}
	}
	return found
}

// ready gives those of a chunk's places whose tasks are ready. Only a task that
// names blockers has to be looked at.
func (b *Book) ready(x *index, c *chunk, found slots, requireApproval bool) (slots, error) {
	s := c.summary()
	found = found.and(s.with(Todo))
	if requireApproval {
		found = found.and(s.approved)
	}
	tasks := x.table(TaskKind)
	for i := range found.and(s.waiting).each {
		is, sure := tasks.allDone(s.waits[i])
		if !sure {
			var err error
			if is, err = b.Ready(c.slots[i].task, requireApproval); err != nil {
				return slots{}, err
			}
		}
		if !is {
			found.remove(i)
		}
	}
	return found, nil
}

// allDone reports whether the tasks of some numbers are done. It is sure where
// each of them is, or one is there and is not; what the rest means is not for an
// index to say.
func (t *table) allDone(numbers []int) (is, sure bool) {
	sure = true
	for _, n := range numbers {
		at, ok := t.find(n)
		if n == 0 || !ok {
			sure = false
			continue
		}
		c := t.chunks[at]
		done := c.summary().with(Done)
		switch {
		case done.has(n - c.base):
		case c.slots[n-c.base] != nil:
			return false, true
		default:
			sure = false
		}
	}
	return sure, sure
}

// holds reports whether text holds a word, whatever the case of its letters. The
// word is in small letters.
func holds(text, word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(text), word)
		}
	}
	small, large := word[0], word[0]
	if small >= 'a' && small <= 'z' {
		large -= 'a' - 'A'
	}
	for at := 0; at+len(word) <= len(text); at++ {
		rest := text[at : len(text)-len(word)+1]
		next := strings.IndexByte(rest, small)
		if large != small {
			if next >= 0 {
				rest = rest[:next]
			}
			if i := strings.IndexByte(rest, large); i >= 0 {
				next = i
			}
		}
		if next < 0 {
			return false
		}
		at += next
		if sameLetters(text[at:at+len(word)], word) {
			return true
		}
	}
	return false
}

// sameLetters compares a text with a word in small letters, of the same length.
func sameLetters(text, word string) bool {
	for i := range len(word) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
