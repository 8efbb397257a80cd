package install

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// maxDepth bounds how deep a file may nest, as encoding/json does.
const maxDepth = 10000

// bom is what some editors begin a file with.
const bom = "\ufeff"

// node is a value of JSON, and where it lies.
type node struct {
	start, end int
	items      []item // of an object or a list
}

// item is a member of an object, or an item of a list.
type item struct {
	start int    // of its key, in a list of its value
	key   string // "" in a list
	value node
	comma int // where the comma behind it lies, -1 for none
}

// scanner reads JSON with comments and trailing commas.
type scanner struct {
	data  []byte
	at    int
	depth int
}

// parseJSON reads a document, nil for one that is blank but for comments.
func parseJSON(data []byte) (*node, error) {
	s := &scanner{data: data}
	if bytes.HasPrefix(data, []byte(bom)) {
		s.at = len(bom)
	}
	if err := s.skip(); err != nil {
		return nil, err
	}
	if s.at == len(data) {
		return nil, nil
	}
	root, err := s.value()
	if err != nil {
		return nil, err
	}
	if err := s.skip(); err != nil {
		return nil, err
	}
	if s.at < len(data) {
		return nil, s.fault("there is more behind the end of the document")
	}
	return &root, nil
}

func (s *scanner) fault(format string, args ...any) error {
	return faultAt(s.data, s.at, "must be JSON: "+format, args...)
}

func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skip goes past blanks and comments.
func (s *scanner) skip() error {
	for s.at < len(s.data) {
		if isBlank(s.data[s.at]) {
			s.at++
			continue
		}
		end, _ := commentAt(s.data, s.at)
		switch {
		case end < 0:
			return s.fault("a comment does not end")
		case end == s.at:
			return nil
		case bytes.HasPrefix(s.data[s.at:], []byte("//")) && bytes.IndexByte(s.data[s.at:end], '\r') >= 0:
			return s.fault("a comment holds a carriage return, and programs differ on whether it ends there")
		}
		s.at = end
	}
	return nil
}

// commentAt gives the end of the comment at an offset: the offset itself where
// there is none, -1 where it does not end. A comment to the end of the line ends
// before what ends the line.
func commentAt(data []byte, at int) (end int, toEOL bool) {
	rest := data[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		switch {
		case n < 0:
			n = len(rest)
		case rest[n-1] == '\r':
			n--
		}
		return at + n, true
	case bytes.HasPrefix(rest, []byte("/*")):
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			return -1, false
		}
		return at + n + 4, false
	}
	return at, false
}

func (s *scanner) value() (n node, err error) {
	n.start = s.at
	switch c := s.peek(); {
	case c == '{' || c == '[':
		if s.depth++; s.depth > maxDepth {
			return n, s.fault("it nests deeper than %d levels", maxDepth)
		}
		n.items, err = s.items(c == '{')
		s.depth--
	case c == '"':
		_, err = s.text()
	default:
		for s.at < len(s.data) && !isBlank(s.data[s.at]) && bytes.IndexByte([]byte(`{}[],:"/`), s.data[s.at]) < 0 {
			s.at++
		}
		word := s.data[n.start:s.at]
		if len(word) == 0 || !json.Valid(word) {
			s.at = n.start
			return n, s.unexpected(word)
		}
	}
	n.end = s.at
	return n, err
}

// unexpected names what stands where a value should.
func (s *scanner) unexpected(word []byte) error {
	switch {
	case s.at == len(s.data):
		return s.fault("the document ends too early")
	case len(word) == 0:
		r, _ := utf8.DecodeRune(s.data[s.at:])
		return s.fault("%q stands where a value should", r)
	}
	return s.fault("%.40q is no value", word)
}

// text reads a string.
func (s *scanner) text() (string, error) {
	start := s.at
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"' && s.data[s.at] != '\n'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	if s.at >= len(s.data) || s.data[s.at] == '\n' {
		s.at = start
		return "", s.fault("a text does not end on its line")
	}
	s.at++
	var text string
	if err := json.Unmarshal(s.data[start:s.at], &text); err != nil {
		s.at = start
		return "", s.fault("a text cannot be read: %v", err)
	}
	return text, nil
}

// items reads what is between the brackets of an object or a list.
func (s *scanner) items(isObject bool) ([]item, error) {
	closing := byte(']')
	if isObject {
		closing = '}'
	}
	var items []item
	for s.at++; ; {
		if err := s.skip(); err != nil {
			return nil, err
		}
		if s.peek() == closing {
			s.at++
			return items, nil
		}
		if n := len(items); n > 0 && items[n-1].comma < 0 {
			return nil, s.missing("a comma or " + string(closing))
		}
		one := item{start: s.at, comma: -1}
		var err error
		if isObject {
			one.key, err = s.key()
		}
		if err == nil {
			one.value, err = s.value()
		}
		if err == nil {
			err = s.skip()
		}
		if err != nil {
			return nil, err
		}
		if s.peek() == ',' {
			one.comma = s.at
			s.at++
		}
		items = append(items, one)
	}
}

// key reads a key and goes to its value.
func (s *scanner) key() (string, error) {
	if s.peek() != '"' {
		return "", s.missing("a key in quotes")
	}
	key, err := s.text()
	if err != nil {
		return "", err
	}
	if err := s.skip(); err != nil {
		return "", err
	}
	if s.peek() != ':' {
		return "", s.missing("a colon")
	}
	s.at++
	return key, s.skip()
}

func (s *scanner) missing(what string) error {
	if s.at == len(s.data) {
		return s.fault("the document ends too early")
	}
	r, _ := utf8.DecodeRune(s.data[s.at:])
	return s.fault("%q stands where %s should", r, what)
}
