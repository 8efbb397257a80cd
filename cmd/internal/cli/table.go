package cli

import (
	"strings"
	"unicode"

	"github.com/git-tasks/git-tasks/records"
)

// table is lines in columns, the last one free.
type table struct {
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

// table prints lines in columns. A terminal gets them cut to its width, and
// coloured where it has colours.
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
		f.printf("%s\n", f.coloured(f.fit(line.String()), t.status[n]))
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
	for i, r := range line {
		if column += runeWidth(r); column >= f.env.Width {
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

// width is how many columns a text takes.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// wide are the characters that take two columns: those of East Asian scripts
// and the pictures.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xa000, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
