package cli

import (
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// table is lines in columns, the last one free.
type table struct {
	whole  bool // no line is cut, on a terminal either
	rows   [][]string
	status []records.Status
	widths []int
}

func (t *table) add(status records.Status, cells ...string) {
	for i, cell := range cells {
		if i == len(t.widths) {
			t.widths = append(t.widths, 0)
		}
		t.widths[i] = max(t.widths[i], width(cell))
	}
	t.rows, t.status = append(t.rows, cells), append(t.status, status)
}

// table prints lines in columns. Only a terminal gets them cut to its width, and
// coloured where it has colours: what reads a pipe gets every line as it is.
func (f *front) table(t table) {
	if f.isTerminal() && !t.whole {
		t.narrow(f.env.Width / 4)
	}
	for n, cells := range t.rows {
		var line strings.Builder
		last := len(cells) - 1
		for i, cell := range cells[:last] {
			line.WriteString(cell + strings.Repeat(" ", t.widths[i]-width(cell)+2))
		}
		if t.whole {
			f.printf("%s", line.String())
			f.hanging(width(line.String()), cells[last])
			continue
		}
		line.WriteString(cells[last])
		text := line.String()
		if f.isTerminal() {
			text = cut(text, f.env.Width)
		}
		f.printf("%s\n", f.coloured(text, t.status[n]))
	}
}

// narrow cuts what stands before the last column: one long name would leave no
// room for what the lines are about.
func (t *table) narrow(most int) {
	most = max(most, 10) // what every date and commit has
	for _, cells := range t.rows {
		for i := range cells[:len(cells)-1] {
			cells[i] = cut(cells[i], most)
			t.widths[i] = min(t.widths[i], most)
		}
	}
}

// isTerminal reports whether standard output is one that can do more than
// print.
func (f *front) isTerminal() bool { return f.env.Width > 0 && f.env.get("TERM") != "dumb" }

// colours of the lines of a status: what is under way stands out, what is over
// steps back.
var colours = map[records.Status]string{
	records.Doing: "1", records.Active: "1", records.Review: "35", records.Blocked: "31",
	records.Done: "2", records.Dropped: "2",
}

func (f *front) coloured(line string, status records.Status) string {
	colour := colours[status]
	if colour == "" || !f.isTerminal() || f.env.get("NO_COLOR") != "" {
		return line
	}
	return "\x1b[" + colour + "m" + line + "\x1b[0m"
}
