package panel

import (
	"slices"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// look is what there is to show. It is made once and holds until the list, the view or
// the time makes it another: keys come faster than a large list is sorted.
type look struct {
	of    view
	from  time.Time
	next  time.Time // when it is another by time alone, zero for never
	all   []*records.Listed
	items []item   // what the view has, in its order
	notes []string // what is no task: files that cannot be read, and drafts
}

// view is what a look follows from beside the time.
type view struct {
	book   *records.Book
	filter string
	tree   bool
	folds  int
}

// look gives what there is to show at a time.
func (p *Panel) look(now time.Time) (*look, error) {
	of := view{p.book, p.filter, p.Tree, p.folds}
	if l := p.seen; l != nil && l.of == of && !now.Before(l.from) && (l.next.IsZero() || now.Before(l.next)) {
		return l, nil
	}
	l := &look{of: of, from: now, notes: notes(p.book)}
	var err error
	if l.all, err = p.list("", now); err != nil {
		return nil, err
	}
	page := l.all
	if p.filter != "" {
		if page, err = p.list(p.filter, now); err != nil {
			return nil, err
		}
	}
	l.items = itemsOf(page, now)
	l.next = next(l.items, now)
	if p.Tree {
		l.items = p.unfolded(l.items)
	} else {
		slices.SortStableFunc(l.items, item.compare)
	}
	p.seen = l
	return l, nil
}

// notes are a line for each file that cannot be read as a record, and for each draft; of
// many the first ones, and a line that counts the others.
func notes(book *records.Book) []string {
	var all []string
	last := ""
	for _, f := range book.Faults() { // by file
		if f.Path != last {
			all = append(all, f.String())
		}
		last = f.Path
	}
	for _, path := range book.Drafts() {
		all = append(all, records.Visible(path)+": a draft that waits for its id")
	}
	if n := len(all) - mostOf; n > 1 {
		all = append(all[:mostOf], "… +"+number(n)+" files, see git tasks check")
	}
	return all
}

// list gives the tasks of the list that hold a text, as they count at a time: whose
// claim is over by then is todo.
func (p *Panel) list(text string, now time.Time) ([]*records.Listed, error) {
	page, _, err := p.book.AsOf(now, nil).Select(records.Filter{Plan: p.plan, Text: text}, 0, 0)
	return page, err
}

// item is one task of a view.
type item struct {
	*records.Listed
	children bool // some are shown under it, or would be
	stage    stage
	finished time.Time // of what is over
}

// stage is how far a task has come, in the order of the short list.
type stage uint8

const (
	justOver stage = iota
	doing
	review
	waiting // todo and free, or blocked
	over
)

// justOverFor is how long a finished task stays on top.
const justOverFor = 30 * time.Second

func itemsOf(page []*records.Listed, now time.Time) []item {
	items := make([]item, len(page))
	for i, t := range page {
		it := item{Listed: t, children: i+1 < len(page) && page[i+1].Depth > t.Depth, stage: waiting}
		switch t.Status {
		case records.Doing:
			it.stage = doing
		case records.Review:
			it.stage = review
		case records.Done, records.Dropped:
			it.stage = over
			if t.Finished != nil {
				it.finished, _ = t.Finished.Time()
			}
			if now.Before(it.finished.Add(justOverFor)) {
				it.stage = justOver
			}
		}
		items[i] = it
	}
	return items
}

// compare puts items in the order of the short list; what finished last comes first.
func (it item) compare(other item) int {
	if it.stage != other.stage {
		return int(it.stage) - int(other.stage)
	}
	return other.finished.Compare(it.finished)
}

// unfolded leaves out what stands under a folded task.
func (p *Panel) unfolded(items []item) []item {
	var shown []item
	under := -1
	for _, it := range items {
		if under >= 0 && it.Depth > under {
			continue
		}
		under = -1
		if it.children && p.folded[it.ID] {
			under = it.Depth
		}
		shown = append(shown, it)
	}
	return shown
}

// next gives when what is shown changes by time alone, zero for never.
func next(items []item, now time.Time) (next time.Time) {
	sooner := func(at time.Time) {
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	for _, it := range items {
		if it.stage == justOver {
			sooner(it.finished.Add(justOverFor))
		}
		if until, ok := leaseEnd(it.Task); ok {
			sooner(until.Add(-(until.Sub(now) - 1).Truncate(time.Minute)))
		}
	}
	return next
}
