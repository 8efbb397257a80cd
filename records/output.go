package records

import "strings"

// outputHeading is what the output of a task stands under in its body.
const outputHeading = "## Output"

// putOutput gives a body with text as what stands under its heading Output: the last
// of them where there are several, a new one at the end where there is none. All
// else stays byte for byte. Blank text takes the heading out.
func putOutput(body, text string) string {
	text = strings.Trim(text, "\r\n")
	m := readMarkdown(body)
	from, to, found := m.output()
	blank, eol := strings.TrimSpace(text) == "", m.eol(from)
	switch {
	case !found && blank:
		return body
	case !found:
		return ending(body, m.open, eol) + outputHeading + eol + eol + contained(text)
	}
	before, heading, rest := m.text(0, from), strings.TrimRight(m.lines[from], "\r\n"), m.text(to, len(m.lines))
	if blank {
		if rest == "" {
			before = strings.TrimSuffix(strings.TrimSuffix(before, eol), eol)
		}
		return before + rest
	}
	if rest != "" {
		rest = eol + eol + rest
	}
	return before + heading + eol + eol + contained(text) + rest
}

// ending gives a body with a blank line at its end, and a fence closed that is open.
func ending(body, open, eol string) string {
	if open != "" {
		body = strings.TrimSuffix(body, eol) + eol + open
	}
	switch {
	case body == "" || strings.HasSuffix(body, eol+eol):
		return body
	case strings.HasSuffix(body, eol):
		return body + eol
	}
	return body + eol + eol
}

// contained gives text that ends where it ends: in a fence of its own where a line of
// it would begin another section, or would take in what stands behind.
func contained(text string) string {
	m := readMarkdown(text)
	loose := m.open != ""
	for i, line := range m.lines {
		line = strings.TrimLeft(line, " ")
		loose = loose || !m.fenced[i] && (m.level[i] > 0 || underline(line) || strings.HasPrefix(line, "<"))
	}
	if !loose {
		return text
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + "\n" + fence
}

// markdown is text by its lines, as far as it matters where a section begins.
type markdown struct {
	lines  []string // with their ends
	fenced []bool   // by line, in a code fence or the mark of one
	level  []int    // by line, of the heading that begins there; 0 for none, and for less than 2
	open   string   // the mark of a fence that is not closed, "" for none
}

func readMarkdown(text string) *markdown {
	m := &markdown{}
	for line := range strings.Lines(text) {
		m.lines = append(m.lines, line)
		m.fenced = append(m.fenced, m.open != "")
		m.level = append(m.level, 0)
		i := len(m.lines) - 1
		mark := fenceOf(line)
		switch {
		case m.open != "":
			if len(mark) >= len(m.open) && mark[0] == m.open[0] && strings.TrimSpace(line) == mark {
				m.open = ""
			}
		case mark != "":
			m.open, m.fenced[i] = mark, true
		case underline(line):
			m.underlined(i)
		default:
			m.level[i] = headingLevel(line)
		}
	}
	return m
}

// underlined makes a heading of the paragraph above a line of dashes or of equals
// signs.
func (m *markdown) underlined(at int) {
	first := at
	for first > 0 && strings.TrimSpace(m.lines[first-1]) != "" && !m.fenced[first-1] && m.level[first-1] == 0 {
		first--
	}
	if first < at {
		m.level[first] = 2
	}
}

// output gives the lines of the section, its heading first.
func (m *markdown) output() (from, to int, found bool) {
	for i, line := range m.lines {
		title := strings.TrimSpace(strings.TrimLeft(line, " #"))
		if m.level[i] == 2 && headingLevel(line) == 2 && strings.TrimRight(title, "# ") == "Output" {
			from, found = i, true
		}
	}
	for to = from + 1; to < len(m.lines) && m.level[to] == 0; to++ {
	}
	return from, to, found
}

// eol gives what a line ends with, or the first one that has an end.
func (m *markdown) eol(at int) string {
	for _, i := range []int{at, 0} {
		if i < len(m.lines) && strings.HasSuffix(m.lines[i], "\n") {
			if strings.HasSuffix(m.lines[i], "\r\n") {
				return "\r\n"
			}
			return "\n"
		}
	}
	return "\n"
}

func (m *markdown) text(from, to int) string { return strings.Join(m.lines[from:to], "") }

// headingLevel is 1 or 2 for a line that is such a heading by its marks, else 0.
func headingLevel(line string) int {
	text := strings.TrimLeft(line, " ")
	marks := strings.TrimLeft(text, "#")
	level := len(text) - len(marks)
	if len(line)-len(text) > 3 || level > 2 || strings.TrimLeft(marks, " \t\r\n") == marks && marks != "" {
		return 0
	}
	return level
}

// underline reports whether a line makes a heading of what stands above it.
func underline(line string) bool {
	text := strings.TrimRight(line, " \t\r\n")
	marks := strings.TrimLeft(text, " ")
	return marks != "" && len(text)-len(marks) <= 3 && strings.Trim(marks, marks[:1]) == "" && (marks[0] == '-' || marks[0] == '=')
}

// fenceOf gives the mark that a line opens or closes a code fence with, "" for none.
func fenceOf(line string) string {
	text := strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, c)
		if n := len(text) - len(rest); n >= 3 && len(line)-len(text) <= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return text[:n]
		}
	}
	return ""
}
