package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// node is a JSON value that knows where it stands, so that a fault in the
// settings can be named by file and line.
type node struct {
	file       string
	line       int
	start, end int // where its text lies in the file
	value      any // string, float64, bool, nil, []*node, []member
}

type member struct {
	key   string
	start int // where the text of the key lies
	value *node
}

func (n *node) errorf(format string, args ...any) error {
	return &Error{Code: Invalid, Message: fmt.Sprintf("%s:%d: ", n.file, n.line) + fmt.Sprintf(format, args...)}
}

// parseJSON reads one JSON document. A key that stands twice is an error: the
// second would silently win.
func parseJSON(file string, data []byte) (*node, error) {
	p := &jsonParser{file: file, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	root, err := p.value()
	if err == nil {
		if _, err = p.dec.Token(); errors.Is(err, io.EOF) {
			return root, nil
		}
		err = errors.New("there is more behind the end of the document")
	}
	var own *Error
	if errors.As(err, &own) {
		return nil, err
	}
	at := p.here()
	if errors.Is(err, io.EOF) {
		err = errors.New("the document ends too early")
		at.line = 1 + bytes.Count(data, []byte("\n"))
	}
	return nil, at.errorf("must be JSON: %v", err)
}

type jsonParser struct {
	file string
	data []byte
	dec  *json.Decoder
}

func (p *jsonParser) here() *node {
	upTo := min(int(p.dec.InputOffset()), len(p.data))
	return &node{file: p.file, line: 1 + bytes.Count(p.data[:upTo], []byte("\n"))}
}

// next gives where the next token begins: the decoder skips what stands between
// two without a word.
func (p *jsonParser) next() int {
	at := int(p.dec.InputOffset())
	for at < len(p.data) && strings.IndexByte(" \t\r\n,:", p.data[at]) >= 0 {
		at++
	}
	return at
}

func (p *jsonParser) value() (*node, error) {
	start := p.next()
	token, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	n := p.here()
	n.start = start
	switch token {
	case json.Delim('['):
		n.value, err = p.items()
	case json.Delim('{'):
		n.value, err = p.members()
	default:
		n.value = token
	}
	n.end = int(p.dec.InputOffset())
	return n, err
}

func (p *jsonParser) items() ([]*node, error) {
	items := []*node{}
	for p.dec.More() {
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := p.dec.Token()
	return items, err
}

func (p *jsonParser) members() ([]member, error) {
	members, seen := []member{}, map[string]bool{}
	for p.dec.More() {
		start := p.next()
		token, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // the decoder lets no other key pass
		if seen[key] {
			return nil, p.here().errorf("%q stands twice", key)
		}
		seen[key] = true
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		members = append(members, member{key, start, value})
	}
	_, err := p.dec.Token()
	return members, err
}

func (n *node) object(what string) ([]member, error) {
	if m, ok := n.value.([]member); ok {
		return m, nil
	}
	return nil, n.errorf("%s must be an object", what)
}

func (n *node) array(what string) ([]*node, error) {
	if a, ok := n.value.([]*node); ok {
		return a, nil
	}
	return nil, n.errorf("%s must be a list", what)
}

func (n *node) text(what string) (string, error) {
	if s, ok := n.value.(string); ok {
		return s, nil
	}
	return "", n.errorf("%s must be a text", what)
}

func (n *node) flag(what string) (bool, error) {
	if b, ok := n.value.(bool); ok {
		return b, nil
	}
	return false, n.errorf("%s must be true or false", what)
}

func (n *node) positive(what string) (float64, error) {
	if f, ok := n.value.(float64); ok && f > 0 {
		return f, nil
	}
	return 0, n.errorf("%s must be a positive number", what)
}

func (n *node) texts(what string) ([]string, error) {
	items, err := n.array(what)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if texts[i], err = item.text(what); err != nil {
			return nil, item.errorf("%s must be a list of texts", what)
		}
	}
	return texts, nil
}
