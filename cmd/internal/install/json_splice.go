package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// layout is how a file is written where an entry goes in.
type layout struct {
	oneLine   bool
	eol       string
	indent    string // of the line on which it begins
	unit      string // how much deeper each level is
	separator string // what parts it from what stands before it
}

// addition is what goes in: an item of a list, or a member with the objects, and
// the list, that are made to hold it.
type addition struct {
	keys  []string // none for an item
	value json.RawMessage
	list  bool // the value is an item of a list that is made for it
}

// render is an addition in a layout. What is made to hold the entry has blanks
// behind its brace, on one line as well: removeJSON knows it by that.
func (l layout) render(a addition) string {
	own, wrap := "", a.keys
	if len(wrap) > 0 {
		own, wrap = quote(wrap[0])+": ", wrap[1:]
	}
	var b bytes.Buffer
	text := string(a.value)
	if l.oneLine {
		if json.Compact(&b, a.value) == nil { // a value of ours is JSON
			text = b.String()
		}
		if a.list {
			text = "[ " + text + " ]"
		}
		for _, key := range slices.Backward(wrap) {
			text = "{ " + quote(key) + ": " + text + " }"
		}
		return own + text
	}
	if a.list {
		text = "[" + text + "]"
	}
	for _, key := range slices.Backward(wrap) {
		text = "{" + quote(key) + ":" + text + "}"
	}
	if json.Indent(&b, []byte(text), l.indent, l.unit) == nil {
		text = b.String()
	}
	return own + strings.ReplaceAll(text, "\n", l.eol)
}

func addJSON(file []byte, e Entry) ([]byte, error) {
	r, err := follow(file, e)
	if err != nil {
		return nil, err
	}
	if e.In != nil && !r.found {
		return nil, errors.New("what is to hold the entry is not there")
	}
	a := addition{r.rest, e.Value, e.isItem() && len(r.rest) > 0}
	switch {
	case r.found:
		l := r.layoutOf(r.at)
		l.indent = indentAt(file, r.at.start)
		l.oneLine = bytes.IndexByte(file[r.at.start:r.at.end], '\n') < 0
		return spliced(file, piece{r.at.start, r.at.end, l.render(a)}), nil
	case r.root == nil:
		return addRoot(file, a), nil
	case len(r.at.items) == 0:
		return r.addFirst(a), nil
	}
	return r.addLast(a), nil
}

// addRoot makes the object of a file that has none.
func addRoot(file []byte, a addition) []byte {
	l := layout{eol: eolOf(file), unit: "  "}
	a.keys = append([]string{""}, a.keys...)
	root := strings.TrimPrefix(l.render(a), `"": `)
	if file == nil {
		return []byte(root + "\n")
	}
	from := 0
	if bytes.HasPrefix(file, []byte(bom)) {
		from = len(bom)
	}
	if end, toEOL := lastComment(file, from, len(file)); toEOL && end == len(file) {
		return spliced(file, piece{from, from, root + l.eol})
	}
	return append(append([]byte{}, file...), root...)
}

// addFirst puts something into what is empty: right behind the brace, so that it
// can be told from what was made for it, or behind the comments.
func (r *road) addFirst(a addition) []byte {
	l := r.layoutOf(r.at)
	if end, _ := lastComment(r.data, r.at.start+1, r.at.end-1); end > 0 {
		l.oneLine = false
		l.indent += l.unit
		return spliced(r.data, piece{end, end, l.eol + l.indent + l.render(a)})
	}
	l.oneLine = r.at != r.root && bytes.IndexByte(bytes.TrimSpace(r.data), '\n') < 0
	at := r.at.start + 1
	return spliced(r.data, piece{at, at, l.render(a)})
}

// addLast puts something behind the last thing, and the comma that parts the two
// as the file has its commas: behind each, or between.
func (r *road) addLast(a addition) []byte {
	l, last := r.layoutOf(r.at), r.at.items[len(r.at.items)-1]
	behind := last.value.end
	if last.comma >= 0 {
		behind = last.comma + 1
	}
	at := besideComments(r.data, behind)
	text := l.separator + l.render(a)
	if last.comma >= 0 {
		return spliced(r.data, piece{at, at, text + ","})
	}
	return spliced(r.data, piece{behind, behind, ","}, piece{at, at, text})
}

// layoutOf looks how an object or a list is written. Where nothing in it begins a
// line the indent is that of its own line.
func (r *road) layoutOf(n *node) layout {
	l := layout{eol: eolOf(r.data), indent: indentAt(r.data, n.start), unit: "  "}
	if len(r.root.items) > 0 {
		if first := r.root.items[0].start; beginsLine(r.data, first) && indentAt(r.data, first) != "" {
			l.unit = indentAt(r.data, first)
		}
	}
	if len(n.items) == 0 {
		return l
	}
	l.oneLine = true
	from, own := n.start+1, ""
	for i := range n.items {
		one := &n.items[i]
		l.oneLine = l.oneLine && bytes.IndexByte(r.data[from:one.start], '\n') < 0
		if beginsLine(r.data, one.start) {
			own = indentAt(r.data, one.start)
		}
		from = one.value.end
	}
	l.oneLine = l.oneLine && bytes.IndexByte(r.data[from:n.end-1], '\n') < 0
	if l.oneLine {
		l.separator = " "
		if k := len(n.items); k > 1 {
			start := n.items[k-1].start
			l.separator = string(r.data[blanksBefore(r.data, start):start])
		}
		return l
	}
	if own == "" {
		own = l.indent + l.unit
	}
	l.indent = own
	l.separator = l.eol + l.indent
	return l
}

// blanksBefore gives where the blanks before an offset begin.
func blanksBefore(data []byte, at int) int {
	for at > 0 && isBlank(data[at-1]) {
		at--
	}
	return at
}

// indentAt gives what the line of an offset begins with.
func indentAt(data []byte, at int) string {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	end := start
	for end < at && (data[end] == ' ' || data[end] == '\t') {
		end++
	}
	return string(data[start:end])
}

func beginsLine(data []byte, at int) bool {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	return start > 0 && len(bytes.Trim(data[start:at], " \t")) == 0
}

// removeJSON takes an entry out, and with it what was made to hold it: that has
// blanks behind its brace, since what was empty before has the entry right there.
func removeJSON(file []byte, e Entry) ([]byte, error) {
	r, err := follow(file, e)
	if err != nil || !r.found {
		return file, err
	}
	for level := len(r.steps) - 1; level >= 0; level-- {
		s := r.steps[level]
		start, _ := r.before(s)
		end := s.end()
		switch opened := s.in.start + 1; {
		case len(s.in.items) > 1:
			return r.cut(s, start, end), nil
		case start == opened && s.item().start == opened:
			return spliced(file, piece{start, end, ""}), nil
		case start != opened || blanksBefore(file, s.in.end-1) > end:
			return r.cut(s, start, end), nil
		}
	}
	before, after := file[:r.root.start], file[r.root.end:]
	if len(before) == 0 && string(after) == "\n" {
		return nil, nil
	}
	if end, toEOL := lastComment(file, r.root.end, len(file)); toEOL && end == len(file) && bytes.HasPrefix(after, []byte(eolOf(file))) {
		after = after[len(eolOf(file)):]
	}
	return append(append([]byte{}, before...), after...), nil
}

// end gives where a thing ends, its comma included.
func (s step) end() int {
	if s.item().comma >= 0 {
		return s.item().comma + 1
	}
	return s.item().value.end
}

// before gives where the blanks before a thing begin, and whether a comment that
// goes to the end of its line is what stands there.
func (r *road) before(s step) (start int, toEOL bool) {
	from := s.in.start + 1
	if s.i > 0 {
		from = s.in.items[s.i-1].value.end
	}
	comment, toEOL := lastComment(r.data, from, s.item().start)
	if start = blanksBefore(r.data, s.item().start); start > comment && comment > 0 && toEOL {
		return start, false // a comma came between
	}
	return max(start, comment), toEOL // a comment may end in blanks
}

// cut takes one thing of several out with the blanks before it. Where it has no
// comma the one before it has one for it.
func (r *road) cut(s step, start, end int) []byte {
	if _, toEOL := r.before(s); toEOL && !bytes.HasPrefix(r.data[end:], []byte("\n")) && !bytes.HasPrefix(r.data[end:], []byte("\r\n")) {
		start = s.item().start // else the comment would go on over what follows
	}
	gone := piece{start, end, ""}
	if s.item().comma < 0 && s.i > 0 {
		comma := s.in.items[s.i-1].comma
		return spliced(r.data, piece{comma, comma + 1, ""}, gone)
	}
	return spliced(r.data, gone)
}
