package panel

import (
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// Panel is a list as somebody looks at it. It is not safe for concurrent use.
type Panel struct {
	// Tree shows every task below its parent, in place of the short list.
	Tree bool

	book   *records.Book
	plan   string // "" is all tasks
	folded map[string]bool
	filter string // what a title or a text must hold
	typing bool   // the filter is being typed
	at     string // the task that the cursor is on, "" for none
	row    int    // where it was when it was last drawn
	top    int    // the first row that is shown
	note   string // what the last line says in place of the keys
}

// New gives the panel of a plan, "" for all tasks.
func New(book *records.Book, plan string) *Panel {
	return &Panel{book: book, plan: plan, folded: map[string]bool{}}
}

// show takes the list as it is now.
func (p *Panel) show(book *records.Book) { p.book, p.note = book, "" }

// item is one task of a view.
type item struct {
	*records.Listed
	children bool // some are shown under it, or would be
	stage    stage
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

// stageOf says how far a task has come, and until when that is so by time alone.
func stageOf(t *records.Task, now time.Time) (s stage, until time.Time) {
	switch t.Status {
	case records.Doing:
		return doing, until
	case records.Review:
		return review, until
	case records.Done, records.Dropped:
		if at, ok := finished(t); ok && now.Before(at.Add(justOverFor)) {
			return justOver, at.Add(justOverFor)
		}
		return over, until
	}
	return waiting, until
}

func finished(t *records.Task) (time.Time, bool) {
	if t.Finished == nil {
		return time.Time{}, false
	}
	return t.Finished.Time()
}

// Tasks gives the tasks in the order in which they are shown, those without a row
// too.
func (p *Panel) Tasks(now time.Time) ([]*records.Listed, error) {
	items, err := p.items(now)
	tasks := make([]*records.Listed, len(items))
	for i, it := range items {
		tasks[i] = it.Listed
	}
	return tasks, err
}

// list gives the tasks of the list that hold a text, as they count at a time: whose
// claim is over by then is todo.
func (p *Panel) list(text string, now time.Time) ([]*records.Listed, error) {
	page, _, err := p.book.AsOf(now, nil).Select(records.Filter{Plan: p.plan, Text: text}, 0, 0)
	return page, err
}

// items gives what the view has, in its order.
func (p *Panel) items(now time.Time) ([]item, error) {
	page, err := p.list(p.filter, now)
	if err != nil {
		return nil, err
	}
	items := make([]item, len(page))
	for i, t := range page {
		items[i] = item{Listed: t, children: i+1 < len(page) && page[i+1].Depth > t.Depth}
		items[i].stage, _ = stageOf(t.Task, now)
	}
	if p.Tree {
		return p.unfolded(items), nil
	}
	slices.SortStableFunc(items, func(a, b item) int {
		if a.stage != b.stage || a.stage == waiting {
			return int(a.stage) - int(b.stage)
		}
		then, _ := finished(a.Task)
		other, _ := finished(b.Task)
		return other.Compare(then) // what finished last first
	})
	return items, nil
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

// head says what the list is, and how it stands.
func (p *Panel) head(all []*records.Listed) string {
	name := "Tasks"
	if p.plan != "" {
		name = p.plan
		if plan, err := p.book.Plan(p.plan); err == nil && plan != nil {
			name += " " + records.Visible(plan.Title)
		}
	}
	total, done, active := len(all), 0, 0
	for _, t := range all {
		switch {
		case !t.Status.Open():
			done++
		case t.Status == records.Doing || t.Status == records.Review:
			active++
		}
	}
	return name + " (" + number(total) + " total: " + number(done) + " done, " + number(active) + " in progress, " + number(total-done-active) + " open)"
}

// more counts what has no row: "… +3 pending, 1 in progress, 2 finished".
func more(hidden []item) string {
	pending, active, done := 0, 0, 0
	for _, it := range hidden {
		switch it.stage {
		case doing, review:
			active++
		case waiting:
			pending++
		default:
			done++
		}
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{pending, " pending"}, {active, " in progress"}, {done, " finished"}} {
		if part.n > 0 {
			parts = append(parts, number(part.n)+part.what)
		}
	}
	if parts == nil {
		return ""
	}
	return "… +" + strings.Join(parts, ", ")
}

// next gives when what is shown changes by time alone, zero for never.
func (p *Panel) next(items []item, now time.Time) (next time.Time) {
	sooner := func(at time.Time) {
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	for _, it := range items {
		_, until := stageOf(it.Task, now)
		sooner(until)
		if until, ok := leaseEnd(it.Task); ok {
			sooner(until.Add(-(until.Sub(now) - 1).Truncate(time.Minute)))
		}
	}
	return next
}
