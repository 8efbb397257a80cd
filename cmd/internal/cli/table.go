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
	for n, cells := range t.rows {
		var line strings.Builder
		for i, cell := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(cell)
			if i < len(cells)-1 {
				line.WriteString(strings.Repeat(" ", t.widths[i]-width(cell)))
			}
		}
		text := line.String()
		if !t.whole {
			text = f.fit(text)
		}
		f.printf("%s\n", f.coloured(text, t.status[n]))
	}
}

// isTerminal reports whether standard output is one that can do more than
// print.
func (f *front) isTerminal() bool { return f.env.Width > 0 && f.env.get("TERM") != "dumb" }

// fit cuts a line to the width of the terminal.
func (f *front) fit(line string) string {
	if !f.isTerminal() || width(line) <= f.env.Width {
		return line
	}
	column := 0
	for i, n := range columns(line) {
		if column += n; column >= f.env.Width {
			return line[:i] + "…"
		}
	}
	return line
}

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
