package panel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/git-tasks/git-tasks/records"
)

// deepest is how many levels the tree goes in.
const deepest = 6

func number(n int) string { return strconv.Itoa(n) }

// mark is the sign of a task.
func (it item) mark() string {
	switch {
	case it.Status == records.Doing:
		return "◐"
	case it.Status == records.Review:
		return "◑"
	case it.Status == records.Done:
		return "●"
	case it.Status == records.Dropped:
		return "×"
	case it.Status == records.Blocked || len(it.OpenBlockers) > 0:
		return "⊘"
	}
	return "○"
}

// tone says how a line is drawn.
type tone uint8

const (
	plain tone = iota
	strong
	faint
	active
	fresh
	stuck
)

func (it item) tone() tone {
	switch {
	case it.stage == justOver:
		return fresh
	case it.stage == doing, it.stage == review:
		return active
	case it.stage == over:
		return faint
	case it.mark() == "⊘":
		return stuck
	}
	return plain
}

// lead is what stands ahead of a title: the indent, the mark and the id.
func (p *Panel) lead(it item, ids int) string {
	if !p.Tree {
		return it.mark() + " " + pad(it.ID, ids) + " "
	}
	fold := "  "
	switch {
	case it.children && p.folded[it.ID]:
		fold = "▸ "
	case it.children:
		fold = "▾ "
	}
	return strings.Repeat("  ", min(it.Depth, deepest)) + fold + it.mark() + " " + it.ID + " "
}

// who is whose a task is, and what they do just now.
func (it item) who() string {
	who := it.Owner
	if who == "" && it.Lease != nil {
		who = it.Lease.By
	}
	if who == "" && it.Status == records.Doing && it.Started != nil {
		who = it.Started.By
	}
	switch {
	case it.Active == "" || !it.Status.Open():
	case who == "":
		who = it.Active
	default:
		who += ": " + it.Active
	}
	return records.Visible(who)
}

// leaseEnd gives when the lease of a task in doing ends.
func leaseEnd(t *records.Task) (time.Time, bool) {
	if t.Lease == nil || t.Status != records.Doing {
		return time.Time{}, false
	}
	return records.ParseTime(t.Lease.Until)
}

// left is what is left of a lease, in minutes that have begun: "5m left",
// "2h05m left".
func (it item) left(now time.Time) string {
	until, ok := leaseEnd(it.Task)
	if !ok {
		return ""
	}
	minutes := int(until.Sub(now)+time.Minute-1) / int(time.Minute)
	if minutes < 60 {
		return number(minutes) + "m left"
	}
	return fmt.Sprintf("%dh%02dm left", minutes/60, minutes%60)
}

// columns are the cells behind the titles: who, what for, how long.
const columns = 3

func (it item) cells(now time.Time) [columns]string {
	waits := ""
	if len(it.OpenBlockers) > 0 && it.Status.Open() {
		waits = "waits for " + records.Visible(strings.Join(it.OpenBlockers, ", "))
	}
	return [columns]string{it.who(), waits, it.left(now)}
}

// gap is what stands between two columns.
const gap = 2

// leastTitle is how many columns the mark, the id and the title keep, where the
// terminal has them.
const leastTitle = 24

// rows gives the rows of items as text of a width each, 0 for as wide as they are.
func (p *Panel) rows(items []item, width int, now time.Time) []string {
	ids := 0
	for _, it := range items {
		ids = max(ids, len(it.ID))
	}
	lefts, cells := make([]string, len(items)), make([][columns]string, len(items))
	var widths [columns]int
	natural := 0
	for i, it := range items {
		lefts[i] = p.lead(it, ids) + records.Visible(it.Title)
		natural = max(natural, lipgloss.Width(lefts[i]))
		cells[i] = it.cells(now)
		for c, cell := range cells[i] {
			widths[c] = max(widths[c], lipgloss.Width(cell))
		}
	}
	title := natural
	if width > 0 {
		title = fit(natural, width, &widths)
	}
	lines := make([]string, len(items))
	for i := range items {
		line := pad(cut(lefts[i], title), title)
		for c, cell := range cells[i] {
			if widths[c] > 0 {
				line += strings.Repeat(" ", gap) + pad(cut(cell, widths[c]), widths[c])
			}
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// fit gives the columns of a title and takes from the cells what they may not have:
// from the widest first, down to what says something, and then all of the last ones.
func fit(natural, width int, widths *[columns]int) int {
	left := func() int {
		rest := width
		for _, w := range widths {
			if w > 0 {
				rest -= w + gap
			}
		}
		return rest
	}
	least := min(natural, leastTitle)
	for _, floor := range []int{14, 8} {
		for c := range widths {
			if lack := least - left(); lack > 0 && widths[c] > floor {
				widths[c] = max(floor, widths[c]-lack)
			}
		}
	}
	for c := columns - 1; c >= 0 && left() < min(least, 12); c-- {
		widths[c] = 0
	}
	return min(natural, max(left(), 1))
}

// pad fills a text up to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

// cut ends a text that is wider than that.
func cut(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	switch width { // to the library 0 is no bound
	case 0:
		return ""
	case 1:
		return "…"
	}
	return lipgloss.NewStyle().MaxWidth(width-1).Render(s) + "…"
}
