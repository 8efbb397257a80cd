package records

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// What one file may be. It is judged before a YAML parser sees a byte, so that
// no file can make one slow: a parser may take seconds for sixty thousand keys,
// or gigabytes for a line of brackets. Keys and depth are counted again, exactly,
// on what was parsed.
const (
	// MaxRecord is how many bytes a whole file may have.
	MaxRecord = 1 << 20
	// Cut is what a title ends with whose end was cut off.
	Cut = "…"
	// maxFrontmatter is how many bytes may stand between the fences.
	maxFrontmatter = 64 << 10
	// maxKeys is how many keys the frontmatter may have on all levels together.
	maxKeys = 256
	// maxDepth is how many lists and maps may stand inside each other, the
	// frontmatter itself counted as the first.
	maxDepth = 32
)

var (
	tooManyKeys = fmt.Sprintf("has more than %d keys in its frontmatter", maxKeys)
	tooDeep     = fmt.Sprintf("nests lists and maps more than %d deep", maxDepth)
)

// shape measures frontmatter by its lines alone. It follows quotes, comments
// and block text well enough that nothing inside a text counts; what it cannot
// see is counted again on the parsed nodes, whose number the byte limit bounds.
type shape struct {
	keys, depth int
	// indents are the columns of the block levels that are open, flow the open
	// brackets, quote the quote that is open, block the indent that text of a
	// block scalar is deeper than, -1 outside one.
	indents []int
	flow    int
	quote   byte
	block   int
}

// overLimit gives the reason why frontmatter is too large a shape, with the
// index of the line where it became so.
func overLimit(lines []string) (string, int) {
	s := shape{block: -1}
	for i, line := range lines {
		s.line(chomp(line))
		switch {
		case s.keys > maxKeys:
			return tooManyKeys, i
		case s.depth > maxDepth:
			return tooDeep, i
		}
	}
	return "", 0
}

func (s *shape) line(line string) {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	switch {
	case s.quote != 0 || s.flow > 0:
		s.inside(line)
		return
	case s.block >= 0 && (text == "" || indent > s.block):
		return
	case text == "" || text[0] == '#':
		return
	}
	s.block = -1
	for len(s.indents) > 0 && s.indents[len(s.indents)-1] > indent {
		s.indents = s.indents[:len(s.indents)-1]
	}
	s.open(indent)
	// Block text is deeper than the key it belongs to, or than its dash.
	base := indent
	for strings.HasPrefix(text, "- ") && len(s.indents) <= maxDepth {
		rest := strings.TrimLeft(text[2:], " ")
		base = indent
		indent += len(text) - len(rest)
		text = rest
		s.open(indent)
	}
	if after, ok := cutKey(text); ok {
		s.keys++
		text, base = after, indent
	}
	switch {
	case text == "":
	case text[0] == '|' || text[0] == '>':
		s.block = base
	case strings.IndexByte(`[{"'`, text[0]) >= 0:
		s.inside(text)
	}
}

// open notes a block level at the column indent.
func (s *shape) open(indent int) {
	if n := len(s.indents); n == 0 || s.indents[n-1] < indent {
		s.indents = append(s.indents, indent)
	}
	s.depth = max(s.depth, len(s.indents))
}

// inside follows text through quotes and brackets until the line ends or both
// are closed.
func (s *shape) inside(text string) {
	before := byte(',')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case s.quote == '"' && c == '\\':
			i++
		case s.quote == '\'' && c == '\'' && strings.HasPrefix(text[i:], "''"):
			i++
		case s.quote != 0:
			if c == s.quote {
				s.quote, before = 0, c
				if s.flow == 0 {
					return
				}
			}
		case (c == '"' || c == '\'') && strings.IndexByte("[{,:", before) >= 0:
			s.quote = c
		case c == '#' && i > 0 && text[i-1] == ' ':
			return
		case c == '[' || c == '{':
			s.flow++
			s.depth = max(s.depth, len(s.indents)+s.flow)
			before = c
		case c == ']' || c == '}':
			if s.flow--; s.flow <= 0 {
				s.flow = 0
				return
			}
			before = c
		case c != ' ' && c != '\t':
			if c == ':' && (before == '"' || before == '\'' || i+1 == len(text) || text[i+1] == ' ') {
				s.keys++
			}
			before = c
		}
	}
}

// cutKey takes `key:` and the blanks behind it off the front of a line.
func cutKey(text string) (string, bool) {
	end := strings.Index(text+" ", ": ")
	if end < 0 {
		return text, false
	}
	if text[0] == '"' || text[0] == '\'' {
		n := quotedLen(text)
		if n == 0 || !strings.HasPrefix(strings.TrimLeft(text[n:], " "), ":") {
			return text, false
		}
		end = n + strings.IndexByte(text[n:], ':')
	} else if strings.IndexByte("[{|>", text[0]) >= 0 {
		return text, false
	}
	return strings.TrimLeft(text[end+1:], " \t"), true
}

// quotedLen gives how many bytes the quoted text at the front of s takes,
// quotes included, 0 where it does not end in s.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0]:
			if s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'' {
				i++
				continue
			}
			return i + 1
		}
	}
	return 0
}

// overLimitNode counts what overLimit could not see by lines. The node is where
// the limit was passed.
func overLimitNode(root *yaml.Node) (string, *yaml.Node) {
	keys := 0
	var walk func(n *yaml.Node, depth int) (string, *yaml.Node)
	walk = func(n *yaml.Node, depth int) (string, *yaml.Node) {
		if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
			return "", nil
		}
		if depth > maxDepth {
			return tooDeep, n
		}
		if n.Kind == yaml.MappingNode {
			if keys += len(n.Content) / 2; keys > maxKeys {
				return tooManyKeys, n
			}
		}
		for _, c := range n.Content {
			if reason, at := walk(c, depth+1); at != nil {
				return reason, at
			}
		}
		return "", nil
	}
	return walk(root, 1)
}
