package records

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// item is one item of a list in the file: its lines, and the comments and blank
// lines above it.
type item struct {
	text  string
	above []string
	lines []string
}

// spliceList gives a list in block style with its new items. Items that stay
// keep their lines, new ones are written as the first one is.
func (r *reader) spliceList(g region, head string, now value) []string {
	indent := strings.Repeat(" ", g.value.Column-1)
	items := r.listItems(g, indent)
	if items == nil {
		return r.freshList(g, head, now)
	}
	key := r.lines[g.start]
	if len(now.items) == 0 {
		key = head + " []" + r.comment(g) + r.sheet.eol()
	}
	first := chomp(items[0].lines[0])[len(indent)+1:]
	dash := indent + "-" + first[:len(first)-len(strings.TrimLeft(first, " "))]
	lines := []string{key}
	keep := stays(items, now.items)
	next := 0
	for i, it := range items {
		for keep[i] > next {
			lines = append(lines, dash+styled(now.items[next], g.value.Content[0].Style)+r.sheet.eol())
			next++
		}
		if keep[i] >= 0 {
			lines = append(append(lines, it.above...), it.lines...)
			next++
			continue
		}
		for _, line := range it.above {
			if strings.TrimSpace(line) != "" {
				lines = append(lines, line)
			}
		}
	}
	for ; next < len(now.items); next++ {
		lines = append(lines, dash+styled(now.items[next], g.value.Content[0].Style)+r.sheet.eol())
	}
	return lines
}

// listItems gives the items of a block list, nil where a dash is not followed
// by its item on the same line.
func (r *reader) listItems(g region, indent string) []item {
	var items []item
	var above []string
	for i := g.start + 1; i < g.end; i++ {
		line := r.lines[i]
		text := strings.TrimLeft(chomp(line), " \t")
		switch {
		case strings.HasPrefix(line, indent+"- "):
			items = append(items, item{above: above, lines: []string{line}})
			above = nil
		case text == "" || text[0] == '#':
			above = append(above, line)
		case len(items) == 0:
			return nil
		default:
			last := &items[len(items)-1]
			last.lines = append(append(last.lines, above...), line)
			above = nil
		}
	}
	if len(items) == 0 || len(items) != len(g.value.Content) {
		return nil
	}
	for i, n := range g.value.Content {
		items[i].text = scalarText(n)
	}
	return items
}

// comparedItems bounds how many items are compared each with each.
const comparedItems = 200

// stays says for every old item which of the new ones it is, -1 for none: the
// longest run of items that are in both in the same order.
func stays(items []item, now []value) []int {
	keep := make([]int, len(items))
	a, b := 0, 0
	for a < len(items) && a < len(now) && items[a].text == now[a].text {
		keep[a] = a
		a++
	}
	for b < len(items)-a && b < len(now)-a && items[len(items)-1-b].text == now[len(now)-1-b].text {
		keep[len(items)-1-b] = len(now) - 1 - b
		b++
	}
	m, n := len(items)-a-b, len(now)-a-b
	for i := range m {
		keep[a+i] = -1
	}
	if m > comparedItems || n > comparedItems {
		return keep
	}
	longest := make([][]int, m+1)
	for i := range longest {
		longest[i] = make([]int, n+1)
	}
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			if items[a+i].text == now[a+j].text {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < m && j < n; {
		switch {
		case items[a+i].text == now[a+j].text:
			keep[a+i] = a + j
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return keep
}

// spliceFlowList gives a list in brackets on one line with its new items, those
// that stay as they were typed.
func (r *reader) spliceFlowList(g region, now value) []string {
	line := chomp(r.lines[g.start])
	head, text := splitValue(line)
	typed := map[string]string{}
	for _, n := range g.value.Content {
		typed[scalarText(n)] = flowTyped(r.from(n), n)
	}
	pad, sep := "", ", "
	if strings.HasPrefix(text, "[ ") {
		pad = " "
	}
	if len(g.value.Content) > 1 && !strings.Contains(text, ", ") {
		sep = ","
	}
	var parts []string
	for _, v := range now.items {
		part, ok := typed[v.text]
		if !ok {
			part = flowScalar(v.text)
			if style := g.value.Content[0].Style; style != 0 {
				part = styled(v, style)
			}
		}
		parts = append(parts, part)
	}
	inner := ""
	if len(parts) > 0 {
		inner = pad + strings.Join(parts, sep) + pad
	}
	return []string{head + "[" + inner + "]" + r.comment(g) + r.sheet.eol()}
}

// flowTyped gives an item of a list in brackets as it stands there.
func flowTyped(text string, n *yaml.Node) string {
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		if end := quotedLen(text); end > 0 {
			return text[:end]
		}
		return quote(n.Value)
	}
	if end := strings.IndexAny(text, ",]"); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, " \t")
}

// freshList gives a list in block style, indented as the file's other lists
// are.
func (r *reader) freshList(g region, head string, now value) []string {
	indent := g.key.Column + 1
	if i := slices.IndexFunc(r.root.Content, isBlockList); i >= 0 {
		indent = g.key.Column - 1 + r.root.Content[i].Column - r.root.Content[i-1].Column
	}
	lines := []string{head + r.comment(g) + r.sheet.eol()}
	for _, line := range itemLines(now.items, indent) {
		lines = append(lines, line+r.sheet.eol())
	}
	return lines
}

func isBlockList(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}
