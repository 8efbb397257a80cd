package records

import "strings"

// Encode gives the file of a new task: every key in its order, the three lists
// even when they are empty, anything else only when it is set. The text fields
// must be valid UTF-8; the body is written as it is.
func (t *Task) Encode() []byte { return encode(t.keys(), t.Body) }

// Encode gives the file of a new plan, as a task's Encode.
func (p *Plan) Encode() []byte { return encode(p.keys(), p.Goal) }

// frontRoom is more than the frontmatter of most records takes.
const frontRoom = 768

func encode(keys []key, body string) []byte {
	out := append(make([]byte, 0, frontRoom+len(body)), "---\n"...)
	for _, k := range keys {
		if v := valueOf(k.field); v.form != absent {
			out = appendBlock(out, entry{k.name, v}, 0)
		}
	}
	out = append(out, "---\n"...)
	if body != "" {
		out = append(append(append(out, '\n'), body...), '\n')
	}
	return out
}

// appendBlock appends what blockLines gives, a line end behind each.
func appendBlock(out []byte, e entry, indent int) []byte {
	if e.value.form == listed && len(e.value.items) > 0 || len(e.key) > longKey {
		for _, line := range blockLines(e, indent) {
			out = append(append(out, line...), '\n')
		}
		return out
	}
	for range indent {
		out = append(out, ' ')
	}
	out = append(append(out, scalar(e.key)...), ':')
	if e.value.form != mapped || len(e.value.keys) == 0 {
		return append(append(append(out, ' '), inline(e.value)...), '\n')
	}
	out = append(out, '\n')
	for _, k := range e.value.keys {
		out = appendBlock(out, k, indent+2)
	}
	return out
}

// bodyText gives what stands below the closing fence: nothing for an empty
// body, else a blank line, the body and one line end.
func bodyText(body, eol string) string {
	if body == "" {
		return ""
	}
	return eol + body + eol
}

// blockLines gives the lines of one key with its value in block style, without
// line ends, the key indented by so many spaces.
func blockLines(e entry, indent int) []string {
	head := strings.Repeat(" ", indent) + keyText(e.key, indent)
	switch {
	case e.value.form == listed && len(e.value.items) > 0:
		return append([]string{head}, itemLines(e.value.items, indent+2)...)
	case e.value.form == mapped && len(e.value.keys) > 0:
		lines := []string{head}
		for _, k := range e.value.keys {
			lines = append(lines, blockLines(k, indent+2)...)
		}
		return lines
	}
	return []string{head + " " + inline(e.value)}
}

// itemLines gives the lines of a list's items, dashes at the column indent.
func itemLines(items []value, indent int) []string {
	var lines []string
	dash := strings.Repeat(" ", indent) + "- "
	for _, v := range items {
		var inner []string
		switch {
		case v.form == listed && len(v.items) > 0:
			inner = itemLines(v.items, indent+2)
		case v.form == mapped && len(v.keys) > 0:
			for _, k := range v.keys {
				inner = append(inner, blockLines(k, indent+2)...)
			}
		default:
			inner = []string{dash + inline(v)}
		}
		// What is nested begins on the line of its dash.
		inner[0] = dash + inner[0][indent+2:]
		lines = append(lines, inner...)
	}
	return lines
}

// inline gives a value that takes one line: all but lists and maps that hold
// something.
func inline(v value) string {
	switch v.form {
	case listed:
		return "[]"
	case mapped:
		return "{}"
	case quoted:
		return quote(v.text)
	case timed:
		return moment(v.text)
	case literal:
		return v.text
	}
	return scalar(v.text)
}

// longKey is how long a key may be that is written as `key:`. YAML wants the
// colon within 1,024 characters; longer keys have a form of their own.
const longKey = 1000

// keyText gives a key with its colon. For a long one that is two lines in one
// string, the second as deep as the first.
func keyText(key string, indent int) string {
	text := scalar(key)
	if len(text) <= longKey {
		return text + ":"
	}
	return "? " + text + "\n" + strings.Repeat(" ", indent) + ":"
}
