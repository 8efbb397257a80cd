package records

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// plainText judges the characters of the frontmatter, where YAML has no word
// for what is wrong, or takes it without one.
func (r *reader) plainText() bool {
	n := len(r.faults)
	for i, line := range r.lines {
		if f, bad := r.badLine(chomp(line)); bad {
			f.Line = r.sheet.line + i
			if f.Mend != takeLineOut {
				f.Mend = r.proven(i+1, f.Reason, f.Mend)
			}
			r.add(f)
			break
		}
	}
	return len(r.faults) == n
}

// takeLineOut is what to do with a line that has no place in a record.
const takeLineOut = "take the line out"

func (r *reader) badLine(line string) (Fault, bool) {
	key := keyOf(line)
	switch {
	case isConflictMarker([]byte(line)):
		return Fault{Reason: conflictReason}, true
	case strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "---\t") ||
		strings.HasPrefix(line, "... ") || strings.HasPrefix(line, "...\t"):
		return Fault{Reason: errDocuments.Error(), Mend: "---"}, true
	case strings.HasPrefix(line, "%"):
		return Fault{Reason: "a YAML directive is not taken here", Mend: takeLineOut}, true
	}
	for _, c := range line {
		switch {
		case c == 0x85 || c == 0x2028 || c == 0x2029:
			return Fault{Field: key, Reason: r.breakReason(line, c), Mend: mendLine(line)}, true
		case isControl(c) && c != '\t' || c == 0xfffe || c == 0xffff:
			return Fault{Field: key, Reason: fmt.Sprintf("holds the control character U+%04X", c),
				Mend: mendLine(line)}, true
		}
	}
	if rest := strings.TrimLeft(line, " \t"); rest != "" && line[0] == '\t' {
		return Fault{Field: key, Reason: "is indented with a tab: YAML indents with spaces",
			Mend: strings.ReplaceAll(line[:len(line)-len(rest)], "\t", "  ") + rest}, true
	}
	return Fault{}, false
}

// breakReason says what a line break that does not look like one would do.
func (r *reader) breakReason(line string, c rune) string {
	reason := fmt.Sprintf("U+%04X counts as a line break in YAML", c)
	_, after, _ := strings.Cut(line, string(c))
	key := keyOf(after)
	for _, other := range r.lines {
		if key != "" && keyOf(chomp(other)) == key {
			return "duplicate key " + key + ": " + reason
		}
	}
	return reason
}

// keyOf gives the key at the front of a line, "" where there is none.
func keyOf(line string) string {
	text := strings.TrimLeft(strings.TrimLeft(line, " \t"), "- ")
	if text == "" || text[0] == '#' {
		return ""
	}
	after, ok := cutKey(text)
	if !ok {
		return ""
	}
	key := text[:len(text)-len(after)]
	return strings.Trim(key[:strings.LastIndexByte(key, ':')], `"' `)
}

// splitValue cuts a line behind its dash or key, blanks included.
func splitValue(line string) (head, text string) {
	text = strings.TrimLeft(line, " \t")
	for strings.HasPrefix(text, "- ") {
		text = strings.TrimLeft(text[2:], " ")
	}
	if text != "" {
		text, _ = cutKey(text)
	}
	return line[:len(line)-len(text)], strings.TrimRight(text, " \t")
}

// cursor is a place in a line: its column counted in characters, as YAML does,
// and in bytes. Nodes are asked about in their order, so going on from the last
// one keeps a line with thousands of items from being walked for each of them.
type cursor struct{ line, column, offset int }

// from gives the text of the line a node begins on, from the node on.
func (r *reader) from(n *yaml.Node) string {
	line := r.raw(n)
	c := r.cursor
	if c.line != n.Line || c.column > n.Column {
		c = cursor{line: n.Line, column: 1}
	}
	for ; c.column < n.Column && c.offset < len(line); c.column++ {
		_, size := utf8.DecodeRuneInString(line[c.offset:])
		c.offset += size
	}
	r.cursor = c
	return line[min(c.offset, len(line)):]
}

// warnLost warns of text that YAML does not read although it looks like text:
// `!x` or `&x` at its front, and in the fields that people write in, what
// stands behind ` #`. In brackets a text ends at the next comma.
func (r *reader) warnLost(key string, n *yaml.Node, flow bool) {
	const written = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&written != 0 || len(r.warnings) >= namedFaults {
		return
	}
	text := r.from(n)
	if text != "" && (text[0] == '!' || text[0] == '&') {
		word, _, _ := strings.Cut(text, " ")
		r.warn(Fault{Line: r.at(n), Field: key, Mend: r.mendText(key, n),
			Reason: fmt.Sprintf("%s loses %s: YAML takes it for a tag or an anchor", key, word)})
		return
	}
	if !losesToComment(key) {
		return
	}
	if end := strings.IndexAny(text, ",]"); flow && end >= 0 {
		text = text[:end]
	}
	if at := commentAt(text); at >= 0 {
		r.lostComment(key, n.Line, text[at:], r.mendWords(key, n))
	} else if n.Value != "" && !flow {
		r.warnLostBelow(key, n)
	}
}

// warnLostBelow looks for a comment behind the further lines of a bare text.
func (r *reader) warnLostBelow(key string, n *yaml.Node) {
	first := r.raw(n)
	base := 0
	if head, _ := splitValue(first); strings.TrimSpace(head) != "" {
		base = len(first) - len(strings.TrimLeft(first, " "))
	}
	for i := n.Line; i < len(r.lines); i++ {
		line := chomp(r.lines[i])
		text := strings.TrimLeft(line, " ")
		if text == "" {
			continue
		}
		if text[0] == '#' || len(line)-len(text) <= base {
			return
		}
		if at := commentAt(text); at >= 0 {
			r.lostComment(key, i+1, text[at:], "")
			return
		}
	}
}

func (r *reader) lostComment(key string, line int, lost, mend string) {
	r.warn(Fault{Line: r.sheet.line + line - 1, Field: key, Mend: mend,
		Reason: fmt.Sprintf("%s loses %s: YAML takes it for a comment", key, lost)})
}

// losesToComment names the fields that hold a person's words.
func losesToComment(key string) bool {
	switch key {
	case "title", "active", "note", "topic", "labels", "refs":
		return true
	}
	return false
}

// commentAt gives where the comment of a line of bare text begins, -1 for none.
func commentAt(text string) int {
	for i := range len(text) {
		if text[i] == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
			return i
		}
	}
	return -1
}
