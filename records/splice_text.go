package records

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// spliceScalar gives the line of a text with its new value, in the quotes of
// the old one and with the comment behind it.
func (r *reader) spliceScalar(g region, e entry) string {
	head, _ := splitValue(chomp(r.lines[g.start]))
	comment := r.comment(g)
	text := styled(e.value, g.value.Style)
	if comment != "" && text == e.value.text && losesToComment(e.key) {
		// In quotes nobody can take the comment for a part of the text.
		text = quote(e.value.text)
	}
	trimmed := strings.TrimRight(head, " \t")
	gap := head[len(trimmed):]
	if gap == "" || g.value.Line != g.key.Line || isNull(g.value) {
		gap = " "
	}
	return trimmed + gap + text + comment + r.sheet.eol()
}

// styled gives a value in the quotes that another one had, where it may stand
// in them.
func styled(v value, style yaml.Style) string {
	switch {
	case v.form == literal:
		return v.text
	case style&yaml.DoubleQuotedStyle != 0:
		return quote(v.text)
	case style&yaml.SingleQuotedStyle != 0 && fitsSingle(v.text):
		return "'" + v.text + "'"
	}
	return inline(v)
}

func fitsSingle(text string) bool {
	for _, c := range text {
		if c == '\'' || !readable(c) {
			return false
		}
	}
	return true
}

// comment gives the comment on the lines of a value with the blanks before it:
// of its first line, or of its last.
func (r *reader) comment(g region) string {
	line := chomp(r.lines[g.start])
	head, text := splitValue(line)
	behind := ""
	switch {
	case text == "":
	case text[0] == '"' || text[0] == '\'':
		if n := quotedLen(text); n > 0 {
			behind = commentOf(text[n:])
		} else {
			behind = r.lastComment(g, text[:1])
		}
	case text[0] == '[' || text[0] == '{':
		behind = r.lastComment(g, "]}")
	case text[0] == '#':
		behind = head[len(strings.TrimRight(head, " \t")):] + text
	default:
		if behind = commentOf(text); behind == "" && g.end > g.start+1 &&
			g.value.Kind == yaml.ScalarNode && text[0] != '|' && text[0] != '>' {
			behind = commentOf(chomp(r.lines[g.end-1]))
		}
	}
	return behind
}

// lastComment gives the comment behind the last mark on the last line.
func (r *reader) lastComment(g region, marks string) string {
	line := chomp(r.lines[g.end-1])
	return commentOf(line[strings.LastIndexAny(line, marks)+1:])
}

// commentOf gives the comment of a text with the blanks before it.
func commentOf(text string) string {
	at := commentAt(text)
	if at < 0 {
		return ""
	}
	return text[len(strings.TrimRight(text[:at], " \t")):]
}
