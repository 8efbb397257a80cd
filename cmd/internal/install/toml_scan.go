package install

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// table is a table of TOML from its header on, or the top of the file.
type table struct {
	path    []string
	isArray bool // of [[two brackets]]
	start   int  // of its header's line
	end     int  // behind the last line that says something in it
	pairs   []pair
}

// pair is a key, which may be dotted, with its value.
type pair struct {
	keys  []string
	value any // string, bool, json.Number, date, []any, map[string]any
	start int // of its line
}

// date is a date or a time, as it is written.
type date string

// tomlScanner reads TOML 1.0, and line breaks in inline tables as 1.1 has them.
type tomlScanner struct {
	data  []byte
	at    int
	depth int
}

// parseTOML reads a document; the first table is the top of it.
func parseTOML(data []byte) ([]table, error) {
	s := &tomlScanner{data: data}
	if bytes.HasPrefix(data, []byte(bom)) {
		s.at = len(bom)
	}
	tables := []table{{}}
	for s.at < len(s.data) {
		start := s.at
		s.blanks()
		says := true
		switch s.peek() {
		case '#', '\n', '\r', 0:
			says = false
		case '[':
			head, err := s.header()
			if err != nil {
				return nil, err
			}
			head.start = start
			tables = append(tables, head)
		default:
			p, err := s.pair()
			if err != nil {
				return nil, err
			}
			p.start = start
			last := &tables[len(tables)-1]
			last.pairs = append(last.pairs, p)
		}
		if err := s.endOfLine(); err != nil {
			return nil, err
		}
		if says {
			tables[len(tables)-1].end = s.at
		}
	}
	return tables, nil
}

func (s *tomlScanner) fault(format string, args ...any) error {
	return faultAt(s.data, min(s.at, len(s.data)), "must be TOML: "+format, args...)
}

func (s *tomlScanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

func (s *tomlScanner) has(text string) bool { return bytes.HasPrefix(s.data[s.at:], []byte(text)) }

func (s *tomlScanner) blanks() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.at++
	}
}

// newline goes past the end of a line, where one is.
func (s *tomlScanner) newline() bool {
	switch {
	case s.has("\n"):
		s.at++
	case s.has("\r\n"):
		s.at += 2
	default:
		return false
	}
	return true
}

// comment goes to the end of the line behind a #.
func (s *tomlScanner) comment() {
	if s.peek() != '#' {
		return
	}
	for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' { // a \r alone ends nothing, and may not stand
		s.at++
	}
}

// endOfLine goes to the next line; nothing but a comment may stand before it.
func (s *tomlScanner) endOfLine() error {
	s.blanks()
	s.comment()
	if s.at == len(s.data) || s.newline() {
		return nil
	}
	return s.unexpected("the end of the line")
}

// lines goes past blanks, comments and the ends of lines.
func (s *tomlScanner) lines() {
	for {
		s.blanks()
		s.comment()
		if !s.newline() {
			return
		}
	}
}

func (s *tomlScanner) unexpected(what string) error {
	if s.at >= len(s.data) {
		return s.fault("the document ends where %s should stand", what)
	}
	r, _ := utf8.DecodeRune(s.data[s.at:])
	return s.fault("%q stands where %s should", r, what)
}

// take goes past a mark.
func (s *tomlScanner) take(mark string) error {
	if !s.has(mark) {
		return s.unexpected(mark)
	}
	s.at += len(mark)
	return nil
}

func (s *tomlScanner) header() (t table, err error) {
	open, shut := "[", "]"
	if t.isArray = s.has("[["); t.isArray {
		open, shut = "[[", "]]"
	}
	s.at += len(open)
	if t.path, err = s.keys(); err == nil {
		err = s.take(shut)
	}
	return t, err
}

func (s *tomlScanner) pair() (p pair, err error) {
	if p.keys, err = s.keys(); err != nil {
		return p, err
	}
	if err := s.take("="); err != nil {
		return p, err
	}
	s.blanks()
	p.value, err = s.value()
	return p, err
}

// keys reads a key, dotted or not, with the blanks around it.
func (s *tomlScanner) keys() (keys []string, err error) {
	for {
		s.blanks()
		var key string
		switch start := s.at; s.peek() {
		case '"', '\'':
			if s.has(`"""`) || s.has(`'''`) {
				return nil, s.fault("a key cannot go over lines")
			}
			if key, err = s.text(); err != nil {
				return nil, err
			}
		default:
			for isBare(s.peek()) {
				s.at++
			}
			if key = string(s.data[start:s.at]); key == "" {
				return nil, s.unexpected("a key")
			}
		}
		keys = append(keys, key)
		s.blanks()
		if s.peek() != '.' {
			return keys, nil
		}
		s.at++
	}
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func (s *tomlScanner) value() (any, error) {
	switch s.peek() {
	case '"', '\'':
		return s.text()
	case '[', '{':
		if s.depth++; s.depth > maxDepth {
			return nil, s.fault("it nests deeper than %d levels", maxDepth)
		}
		defer func() { s.depth-- }()
		if s.peek() == '[' {
			return s.array()
		}
		return s.inline()
	}
	return s.scalar()
}

func (s *tomlScanner) array() (any, error) {
	list := []any{}
	for s.at++; ; {
		s.lines()
		if s.peek() == ']' {
			s.at++
			return list, nil
		}
		value, err := s.value()
		if err != nil {
			return nil, err
		}
		list = append(list, value)
		if s.lines(); s.peek() == ',' {
			s.at++
		} else if s.peek() != ']' {
			return nil, s.unexpected("a comma or ]")
		}
	}
}

func (s *tomlScanner) inline() (any, error) {
	fields := map[string]any{}
	for s.at++; ; {
		s.lines()
		if s.peek() == '}' {
			s.at++
			return fields, nil
		}
		p, err := s.pair()
		if err != nil {
			return nil, err
		}
		if !put(fields, p.keys, p.value) {
			return nil, s.fault("%s stands twice", quote(strings.Join(p.keys, ".")))
		}
		if s.lines(); s.peek() == ',' {
			s.at++
		} else if s.peek() != '}' {
			return nil, s.unexpected("a comma or }")
		}
	}
}

// put gives a field of nested tables a value, false where it has one.
func put(fields map[string]any, keys []string, value any) bool {
	for len(keys) > 1 {
		if fields[keys[0]] == nil {
			fields[keys[0]] = map[string]any{}
		}
		inner, ok := fields[keys[0]].(map[string]any)
		if !ok {
			return false
		}
		fields, keys = inner, keys[1:]
	}
	if _, is := fields[keys[0]]; is {
		return false
	}
	fields[keys[0]] = value
	return true
}

var (
	tomlInteger = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([+-]?(0|[1-9](_?[0-9])*)|0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*)$`)
	})
	tomlFloat = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?((0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?|inf|nan)$`)
	})
	tomlDate = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(:\d\d(\.\d+)?)?)$`)
	})
	dateAndTime = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:`) })
)

// scalar reads what has no quotes. A number keeps its text, since nothing here
// counts with it.
func (s *tomlScanner) scalar() (any, error) {
	start := s.at
	if dateAndTime().Match(s.data[s.at:min(len(s.data), s.at+14)]) {
		s.at += len("2026-10-18 ")
	}
	for isBare(s.peek()) || strings.IndexByte("+.:", s.peek()) >= 0 && s.at < len(s.data) {
		s.at++
	}
	word := string(s.data[start:s.at])
	switch {
	case word == "true" || word == "false":
		return word == "true", nil
	case tomlDate().MatchString(word):
		return date(word), nil
	case tomlInteger().MatchString(word) || tomlFloat().MatchString(word):
		return json.Number(word), nil
	}
	s.at = start
	if word == "" {
		return nil, s.unexpected("a value")
	}
	return nil, s.fault("%.40q is no value", word)
}

// startsWith reports whether a path leads through another, or to it.
func startsWith(path, first []string) bool {
	return len(path) >= len(first) && slices.Equal(path[:len(first)], first)
}
