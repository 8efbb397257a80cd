package records

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// mendLine gives the line with its value in quotes.
func mendLine(line string) string {
	head, text := splitValue(line)
	if strings.TrimSpace(head) == "" {
		return ""
	}
	return head + quote(unwrap(text))
}

// unwrap takes off the quotes that a text was meant to stand in.
func unwrap(text string) string {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return text
	}
	mark := text[:1]
	if inner, ok := strings.CutSuffix(text[1:], mark); ok && len(text) > 1 {
		return inner
	}
	if strings.Count(text, mark) == 1 {
		return text[1:]
	}
	return text
}

// mendValue gives the line a value stands on with the value in quotes, "" where
// something else stands on it too, or where the value goes on below.
func (r *reader) mendValue(n *yaml.Node) string {
	line := r.raw(n)
	head, text := splitValue(line)
	if strings.TrimSpace(head) == "" || len(head)+len(text) < len(strings.TrimRight(line, " \t")) ||
		strings.TrimRight(r.from(n), " \t") != text && !isNull(n) || r.goesOn(n.Line) {
		return ""
	}
	return head + quote(text)
}

// goesOn reports whether what a line begins may go on below it: the next line
// that holds something is indented deeper, or no key, item or comment.
func (r *reader) goesOn(line int) bool {
	base := indentOf(chomp(r.lines[line-1]))
	for _, next := range r.lines[line:] {
		text := strings.TrimSpace(next)
		if text == "" {
			continue
		}
		return indentOf(next) > base || text[0] != '#' && keyOf(text) == "" && !strings.HasPrefix(text, "-")
	}
	return false
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// mendText gives the line of a text that YAML drops a part of, because it begins
// with ! or &. A field that holds anybody's words keeps that part, in quotes. One
// that holds a word of ours or an id is better without: no such word has it.
func (r *reader) mendText(key string, n *yaml.Node) string {
	switch key {
	case "id", "status", "priority", "plan", "parent", "blockedBy", "reviewed.verdict":
		if r.mendValue(n) != "" {
			return r.mendTag(n)
		}
		return ""
	}
	return r.mendWords(key, n)
}

// mendWords gives the line of a text that YAML drops in part or altogether: in
// quotes, and in brackets where a list is wanted.
func (r *reader) mendWords(key string, n *yaml.Node) string {
	mend := r.mendValue(n)
	if mend == "" || !isNull(n) || !isListKey(key) {
		return mend
	}
	head, _ := splitValue(r.raw(n))
	return head + "[" + mend[len(head):] + "]"
}

// isListKey reports the keys at the top that hold lists.
func isListKey(key string) bool { return key == "labels" || key == "blockedBy" || key == "refs" }

// mendTag gives the line a value stands on without its tag, its anchor, and those
// of every other value on the line that make the file unreadable.
func (r *reader) mendTag(n *yaml.Node) string {
	marked := []*yaml.Node{n}
	var find func(*yaml.Node)
	find = func(o *yaml.Node) {
		if o != n && o.Line == n.Line && isCoreTag(o) {
			marked = append(marked, o)
		}
		for _, c := range o.Content {
			find(c)
		}
	}
	find(r.root)
	// From the back, so that no column moves.
	slices.SortFunc(marked, func(a, b *yaml.Node) int { return b.Column - a.Column })
	line := r.raw(n)
	for _, o := range marked {
		text := r.from(o)
		rest := text
		for rest != "" && (rest[0] == '!' || rest[0] == '&') {
			_, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimLeft(rest, " \t")
		}
		if rest == "" && o.Kind == yaml.ScalarNode {
			return ""
		}
		at := len(r.raw(n)) - len(text)
		line = line[:at] + line[at+len(text)-len(rest):]
	}
	return r.proven(n.Line, "", strings.TrimRight(line, " \t"))
}

// mendWord gives the line a word stands on with another word in its place, ""
// where its end cannot be seen.
func (r *reader) mendWord(n *yaml.Node, word string) string {
	line, text := r.raw(n), r.from(n)
	size := len(n.Value)
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		size = quotedLen(text)
	} else if !strings.HasPrefix(text, n.Value) {
		return ""
	}
	if size == 0 {
		return ""
	}
	return r.proven(n.Line, "", line[:len(line)-len(text)]+word+text[size:])
}

// mendBroken gives the line that YAML cannot read with its value in quotes, in the
// brackets of a list where the key is that of one.
func (r *reader) mendBroken(i int, line, reason string) string {
	key := keyOf(line)
	head, text := splitValue(line)
	switch {
	case key == "id" && r.named != "":
		return r.proven(i+1, reason, head+r.named)
	case !isListKey(key):
		return r.proven(i+1, reason, mendLine(line))
	}
	if mend := r.proven(i+1, reason, line+"]"); mend != "" && strings.HasPrefix(text, "[") {
		return mend
	}
	return r.proven(i+1, reason, head+"["+quote(unwrap(text))+"]")
}

// mendAlias gives the line with what an alias stands for in its place, where that
// is one word, else with the alias in quotes.
func (r *reader) mendAlias(n *yaml.Node) string {
	quoted := r.mendValue(n)
	if mended := r.proven(n.Line, "", quoted); mended != "" || n.Alias == nil || n.Alias.Kind != yaml.ScalarNode {
		return mended
	}
	line, text := r.raw(n), r.from(n)
	rest, ok := strings.CutPrefix(text, "*"+n.Value)
	if !ok {
		return ""
	}
	return r.proven(n.Line, "", line[:len(line)-len(text)]+flowScalar(scalarText(n.Alias))+rest)
}

// mendList gives the line of a scalar that should be a list, as one.
func (r *reader) mendList(n *yaml.Node) string {
	line := r.raw(n)
	head, _ := splitValue(line)
	if n.Kind != yaml.ScalarNode || strings.TrimSpace(head) == "" || r.goesOn(n.Line) {
		return ""
	}
	var items []string
	for part := range strings.SplitSeq(n.Value, ",") {
		if part = strings.TrimSpace(part); part != "" {
			items = append(items, flowScalar(part))
		}
	}
	return r.proven(n.Line, "", head+"["+strings.Join(items, ", ")+"]")
}

// mendID gives the line of the id as the file's name has it.
func (r *reader) mendID() string {
	if r.named == "" {
		return ""
	}
	k, v := r.lookup("id")
	if head, _ := splitValue(r.raw(k)); strings.TrimRight(head, " \t") == "id:" {
		return r.proven(k.Line, "", "id: "+r.named)
	}
	return r.mendWord(v, r.named)
}

// mendFences gives what a file without frontmatter needs before its text, in
// lines.
func (r *reader) mendFences() string {
	lines := []string{"---"}
	if r.named != "" {
		lines = append(lines, "id: "+r.named)
	}
	if r.kind == PlanKind {
		lines = append(lines, mendScope)
	}
	lines = append(lines, mendTitle)
	if r.named != "" {
		lines = append(lines, mendStatus(r.kind))
	}
	return strings.Join(append(lines, "---"), "\n")
}

// The lines of keys that a file is not without.
const (
	mendTitle = "title: What is to be done"
	mendScope = "scope: {kind: folder, folder: /path}"
)

func mendStatus(k Kind) string {
	if k == PlanKind {
		return "status: " + string(Draft)
	}
	return "status: " + string(Todo)
}

// provenBytes bounds what may be read again to prove the mends of one file.
const provenBytes = 128 << 10

// proven gives a mend back if, in the place of a line of the frontmatter, it makes
// that line sound: the lines of its key are read again with it. "" is better
// than a mend that does not mend. The reason is that of the fault: the same
// mistake on a further line is a fault of its own.
func (r *reader) proven(line int, reason, mend string) string {
	if mend == "" || r.loose || r.proving {
		return ""
	}
	i := line - 1
	c := stretch{0, len(r.lines)}
	for _, s := range r.stretches() {
		if s.start <= i && i < s.end {
			c = s
		}
	}
	lines := slices.Concat([]string{"---\n"}, r.lines[c.start:i], []string{mend + "\n"}, r.lines[i+1:c.end], []string{"---\n"})
	data := []byte(strings.Join(lines, ""))
	if r.provenBytes += len(data); r.provenBytes > provenBytes {
		return ""
	}
	again := &reader{path: r.path, kind: r.kind, named: r.named, proving: true}
	again.read(data)
	at := i - c.start + 2
	for _, f := range again.faults {
		if f.Line == at || f.Line > 1 && again.root == nil && (r.root != nil || !again.isItem(f.Line) && f.Reason != reason) {
			return ""
		}
	}
	return mend
}

// isItem reports whether a line of the file, in its frontmatter, is an item.
func (r *reader) isItem(line int) bool {
	i := line - r.sheet.line
	return i >= 0 && i < len(r.lines) && strings.HasPrefix(strings.TrimLeft(r.lines[i], " \t"), "-")
}
