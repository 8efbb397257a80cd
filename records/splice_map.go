package records

import (
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// region is the lines of one key in the file, by their indexes, end excluded:
// from its key to the last line of its value. Comments behind it that are
// indented deeper than the key reach to tail: they stay with it, and go with it,
// since block text above could take them for its own.
type region struct {
	key              *yaml.Node
	value            *yaml.Node
	start, end, tail int
}

// spliceFront gives the frontmatter with the keys changed that differ.
func (r *reader) spliceFront(had, want page) (string, error) {
	lines, err := r.spliceMap(r.root, 0, len(r.lines), 0, had.entries, want.entries)
	return strings.Join(lines, ""), err
}

// spliceMap gives the lines from start to end, which hold the map m and nothing
// else but comments, with the keys changed that differ between had and want.
// A map without keys gets its first ones at the column indent.
func (r *reader) spliceMap(m *yaml.Node, start, end, indent int, had, want []entry) ([]string, error) {
	regions, err := r.regions(m, start, end)
	if err != nil {
		return nil, err
	}
	if len(regions) > 0 {
		indent, _ = indented(r.lines[regions[0].start])
	}
	// now holds what stands in place of each region, behind what follows it;
	// behind[0] is what comes before all of them.
	now := make([][]string, len(regions))
	behind := make([][]string, len(regions)+1)
	for i, g := range regions {
		now[i] = r.lines[g.start:g.end]
		if v, known := find(had, g.key.Value); known && v.form != absent {
			if w, _ := find(want, g.key.Value); w.form == absent {
				now[i] = nil
			}
		}
	}
	anchor := 0
	for _, e := range want {
		i := slices.IndexFunc(regions, func(g region) bool { return g.key.Value == e.key })
		old, _ := find(had, e.key)
		switch same := reflect.DeepEqual(old, e.value); {
		case i < 0 && !same && e.value.form != absent:
			behind[anchor] = append(behind[anchor], r.fresh(e, indent)...)
		case i >= 0 && !same && e.value.form != absent:
			if now[i], err = r.spliceValue(regions[i], old, e, indent); err != nil {
				return nil, err
			}
		}
		if i >= 0 {
			anchor = i + 1
		}
	}
	return r.assemble(regions, start, end, now, behind), nil
}

// assemble puts the regions and what stands between them together.
func (r *reader) assemble(regions []region, start, end int, now, behind [][]string) []string {
	lines := slices.Clone(behind[0])
	at := start
	keeps := false
	for i, g := range regions {
		keeps = keeps && at == g.start
		lines = append(lines, r.lines[at:g.start]...)
		at = g.tail
		if now[i] != nil {
			lines = append(lines, now[i]...)
			lines = append(lines, r.lines[g.end:g.tail]...)
			keeps = r.keepsBlanks(g)
		} else if keeps {
			// The text above would take the blank lines for its own.
			for at < end && strings.TrimSpace(r.lines[at]) == "" {
				at++
			}
		}
		if len(behind[i+1]) > 0 {
			lines = append(lines, behind[i+1]...)
			keeps = false
		}
	}
	return append(lines, r.lines[at:end]...)
}

func find(entries []entry, key string) (value, bool) {
	for _, e := range entries {
		if e.key == key {
			return e.value, true
		}
	}
	return value{}, false
}

// regions gives the keys of a block map with their lines. It is an error when a
// key does not begin a line, as in braces.
func (r *reader) regions(m *yaml.Node, start, end int) ([]region, error) {
	if m.Style&yaml.FlowStyle != 0 {
		return nil, errUnspliceable
	}
	var all []region
	for i := 0; i+1 < len(m.Content); i += 2 {
		g := region{key: m.Content[i], value: m.Content[i+1], start: m.Content[i].Line - 1, end: end}
		if g.start < start || g.start >= end {
			return nil, errUnspliceable
		}
		indent, text := indented(r.lines[g.start])
		if indent != g.key.Column-1 && !strings.HasPrefix(text, "? ") {
			return nil, errUnspliceable
		}
		if n := len(all); n > 0 {
			if all[n-1].start >= g.start {
				return nil, errUnspliceable
			}
			all[n-1] = r.ended(all[n-1], g.start)
		}
		all = append(all, g)
	}
	if n := len(all); n > 0 {
		all[n-1] = r.ended(all[n-1], end)
	}
	return all, nil
}

// ended gives a region whose next key begins at limit: comments and blank lines
// before that key are not the value's.
func (r *reader) ended(g region, limit int) region {
	g.end, g.tail = limit, 0
	if isBlockText(g.value) {
		return r.endedText(g)
	}
	for g.end > g.start+1 {
		indent, text := indented(r.lines[g.end-1])
		if text != "" && text[0] != '#' {
			break
		}
		switch {
		case text != "" && indent < g.key.Column:
			g.tail = 0
		case text != "" && g.tail == 0:
			g.tail = g.end
		}
		g.end--
	}
	g.tail = max(g.tail, g.end)
	return g
}

// endedText gives a region of block text: it goes on, comments or not, as long
// as the lines are deeper than the key.
func (r *reader) endedText(g region) region {
	for i := g.start + 1; i < g.end; i++ {
		if indent, text := indented(r.lines[i]); text != "" && indent < g.key.Column {
			g.end = i
		}
	}
	for !r.keepsBlanks(g) && g.end > g.start+1 && strings.TrimSpace(r.lines[g.end-1]) == "" {
		g.end--
	}
	g.tail = g.end
	return g
}

func indented(line string) (int, string) {
	line = chomp(line)
	text := strings.TrimLeft(line, " \t")
	return len(line) - len(text), text
}

func isBlockText(n *yaml.Node) bool {
	return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// keepsBlanks reports block text to which the blank lines behind it belong.
func (r *reader) keepsBlanks(g region) bool {
	return isBlockText(g.value) && strings.Contains(r.from(g.value), "+")
}

// fresh gives a key with its value in canonical form, with the file's line
// ends.
func (r *reader) fresh(e entry, indent int) []string {
	var lines []string
	for _, line := range blockLines(e, indent) {
		for part := range strings.SplitSeq(line, "\n") {
			lines = append(lines, part+r.sheet.eol())
		}
	}
	return lines
}

// spliceValue gives the lines of a key that is in the file with its new value.
func (r *reader) spliceValue(g region, old value, e entry, indent int) ([]string, error) {
	head, _ := splitValue(chomp(r.lines[g.start]))
	head = strings.TrimRight(head, " \t")
	if !strings.HasSuffix(head, ":") || strings.HasPrefix(strings.TrimLeft(head, " "), "? ") {
		return nil, errUnspliceable
	}
	block := g.value.Style&(yaml.FlowStyle|yaml.TaggedStyle) == 0
	switch {
	case e.value.form == listed && g.value.Kind == yaml.SequenceNode && block:
		return r.spliceList(g, head, e.value), nil
	case e.value.form == listed && g.value.Kind == yaml.SequenceNode && len(g.value.Content) > 0 && g.end == g.start+1:
		return r.spliceFlowList(g, e.value), nil
	case e.value.form == listed && len(e.value.items) > 0:
		return r.freshList(g, head, e.value), nil
	case e.value.form == mapped && g.value.Kind == yaml.MappingNode && block:
		inner, err := r.spliceMap(g.value, g.start+1, g.end, indent+2, old.keys, e.value.keys)
		return append([]string{r.lines[g.start]}, inner...), err
	case e.value.form == mapped && g.value.Kind == yaml.MappingNode:
		return r.spliceFlowMap(g, head, old, e.value, indent), nil
	case e.value.form == mapped:
		lines := r.fresh(e, indent)
		lines[0] = head + r.comment(g) + r.sheet.eol()
		return lines, nil
	}
	return []string{r.spliceScalar(g, e)}, nil
}

// spliceFlowMap gives a map in braces with its new keys: in braces still if it
// is on one line and its values are, else in block style. Keys of it that are
// not ours stay.
func (r *reader) spliceFlowMap(g region, head string, old, now value, indent int) []string {
	keys := slices.Clone(now.keys)
	for _, e := range nodeValue(g.value).keys {
		was, had := find(old.keys, e.key)
		i := slices.IndexFunc(keys, func(k entry) bool { return k.key == e.key })
		switch {
		case i >= 0 && reflect.DeepEqual(keys[i].value, was):
			keys[i] = e
		case i < 0 && !had:
			keys = append(keys, e)
		}
	}
	now.keys = keys
	flow := g.end == g.start+1
	var parts []string
	for _, e := range keys {
		text, ok := flowText(e.value)
		flow = flow && ok && len(flowScalar(e.key)) <= longKey
		parts = append(parts, flowScalar(e.key)+": "+text)
	}
	if flow {
		return []string{head + " {" + strings.Join(parts, ", ") + "}" + r.comment(g) + r.sheet.eol()}
	}
	lines := r.fresh(entry{g.key.Value, now}, indent)
	lines[0] = head + r.comment(g) + r.sheet.eol()
	return lines
}

// flowText gives a value inside brackets, false for a list or map that holds
// something.
func flowText(v value) (string, bool) {
	switch v.form {
	case listed:
		return "[]", len(v.items) == 0
	case mapped:
		return "{}", len(v.keys) == 0
	case literal:
		return v.text, !strings.ContainsAny(v.text, ",[]{}")
	case timed:
		if moment(v.text) == v.text {
			return v.text, true
		}
	case quoted:
		return quote(v.text), true
	}
	return flowScalar(v.text), true
}
