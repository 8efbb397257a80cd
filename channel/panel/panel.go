package panel

import (
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
	folds  int    // how often that changed
	seen   *look  // what there was to show
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

// Tasks gives the tasks in the order in which they are shown, those without a row
// too.
func (p *Panel) Tasks(now time.Time) ([]*records.Listed, error) {
	l, err := p.look(now)
	if err != nil {
		return nil, err
	}
	tasks := make([]*records.Listed, len(l.items))
	for i, it := range l.items {
		tasks[i] = it.Listed
	}
	return tasks, nil
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
