package cli

import (
	"strings"
	"unicode/utf8"
)

// wrapped cuts a text into lines of so many columns, between words; a text of
// wide characters has no blanks and is cut between any two. A word that is longer
// stays whole, as an address has to.
func wrapped(s string, room int) []string {
	var lines []string
	start, end, next, column := 0, 0, 0, 0 // of the line; where it may end, and the next one begin
	for i, n := range columns(s) {
		r, _ := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == ' ':
			end, next = i, i+1
		case n == 2:
			end, next = i, i
		}
		if column += n; column <= room || r == ' ' || strings.TrimSpace(s[start:max(start, end)]) == "" {
			continue
		}
		lines = append(lines, strings.TrimRight(s[start:end], " "))
		start = next
		column = width(s[start:i]) + n
	}
	return append(lines, s[start:])
}

// hanging prints a text behind what stands in its line already; on a terminal
// whatever does not fit goes on below, as far in.
func (f *front) hanging(in int, text string) {
	if !f.isTerminal() {
		f.printf("%s\n", text)
		return
	}
	if in > f.env.Width/2 {
		in = 4 // else the column would be too narrow to read
	}
	for i, line := range wrapped(text, f.env.Width-in) {
		if i > 0 {
			f.printf("%*s", in, "")
		}
		f.printf("%s\n", line)
	}
}

// paragraphs prints a long text, on a terminal with its lines cut between words.
func (f *front) paragraphs(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		f.hanging(0, line)
	}
}

// cut ends a text before so many columns, and says that it goes on.
func cut(s string, room int) string {
	if width(s) <= room {
		return s
	}
	column := 0
	for i, n := range columns(s) {
		if column += n; column >= room {
			return s[:i] + "…"
		}
	}
	return s
}
