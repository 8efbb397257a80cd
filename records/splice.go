package records

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Splice gives old, the bytes of a record's file, with the lines changed that
// say other than r, and those alone: comments, unknown keys, their order,
// quotes, indentation, a byte order mark and the file's own line ends stay as
// they are. A key that is new to the file goes behind the nearest key it
// follows in the canonical order; id goes first. What comes out is read again
// and compared with r before it is returned; an error says that old cannot be
// read, or that r is not a record that can be written.
func Splice(old []byte, r Record) ([]byte, error) {
	if data, ok := respelled(old, r); ok {
		return data, nil
	}
	return spliced(old, r.page())
}

// respelled is Splice for a file that is as Encode spells it: what Encode makes of
// r then differs from it in the lines that say other than r, and in no others.
// It is a shortcut, and leaves to YAML whatever is spelled otherwise.
func respelled(old []byte, r Record) ([]byte, bool) {
	kind, _, _ := parts(r)
	id, _ := r.Name()
	was, ok := readCanonical(kind, id, string(old))
	if !ok || !bytes.Equal(was.Record().Encode(), old) {
		return nil, false
	}
	data := r.Encode()
	now, ok := readCanonical(kind, id, string(data))
	return data, ok && same(now.Record(), r)
}

// spliced is Splice for any file.
func spliced(old []byte, want page) ([]byte, error) {
	name := want.kind.Dir() + "/" + want.entries[0].value.text
	was, had, err := readLoose(want.kind, old)
	if err != nil {
		return nil, fmt.Errorf("splice %s: old file: %w", name, err)
	}
	if reflect.DeepEqual(had, want) {
		return slices.Clone(old), nil
	}
	front, err := was.spliceFront(had, want)
	if err == nil {
		var data []byte
		if data, err = was.verified(front, had, want); err == nil {
			return data, nil
		}
	}
	// A record that is a map in braces, or otherwise not one key a line, still
	// has to be editable: its frontmatter is written anew, unknown keys too.
	if data, again := was.verified(was.rewrite(want), had, want); again == nil {
		return data, nil
	}
	return nil, fmt.Errorf("splice %s: %w", name, err)
}

// errUnspliceable reports frontmatter whose keys do not have lines of their own.
var errUnspliceable = errors.New("frontmatter is not one key a line")

// readLoose reads a file whatever its name and id are.
func readLoose(kind Kind, data []byte) (*reader, page, error) {
	r := &reader{path: kind.Dir(), kind: kind, loose: true}
	r.read(data)
	if p := r.parsed(); len(p.Faults) > 0 {
		return nil, page{}, faultError(p.Faults[0])
	}
	return r, recordOf(r.task, r.plan).page(), nil
}

func faultError(f Fault) error {
	if f.Line > 0 {
		return fmt.Errorf("line %d: %s", f.Line, Visible(f.Reason))
	}
	return errors.New(Visible(f.Reason))
}

// verified puts the file together and returns it if it says what is wanted, and
// of the keys that are not ours what it said before.
func (r *reader) verified(front string, had, want page) ([]byte, error) {
	s := r.sheet
	var b strings.Builder
	b.Write(s.data[:s.open])
	b.WriteString(front)
	if had.body == want.body {
		b.Write(s.data[s.shut:])
	} else {
		fence := string(s.data[s.shut:s.rest])
		b.WriteString(fence)
		if !strings.HasSuffix(fence, "\n") {
			b.WriteString(s.eol())
		}
		b.WriteString(bodyText(want.body, s.eol()))
	}
	data := []byte(b.String())
	again, got, err := readLoose(want.kind, data)
	if err != nil {
		return nil, err
	}
	for i, e := range got.entries {
		if !reflect.DeepEqual(e.value, want.entries[i].value) {
			return nil, fmt.Errorf("%s does not come out as it went in", e.key)
		}
	}
	if got.body != want.body {
		return nil, errors.New("the body does not come out as it went in")
	}
	if !reflect.DeepEqual(again.unknown(want), r.unknown(want)) {
		return nil, errors.New("a key that is not ours would change")
	}
	return data, nil
}

// unknown gives the keys of the file that are not the record's, in their order.
func (r *reader) unknown(p page) []entry {
	var all []entry
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		key := r.root.Content[i].Value
		if !slices.ContainsFunc(p.entries, func(e entry) bool { return e.key == key }) {
			all = append(all, entry{key, nodeValue(r.root.Content[i+1])})
		}
	}
	return all
}

// rewrite gives the frontmatter in canonical form, unknown keys behind the
// others.
func (r *reader) rewrite(want page) string {
	var b strings.Builder
	for _, e := range append(slices.Clone(want.entries), r.unknown(want)...) {
		if e.value.form == absent {
			continue
		}
		for _, line := range blockLines(e, 0) {
			b.WriteString(strings.ReplaceAll(line, "\n", r.sheet.eol()))
			b.WriteString(r.sheet.eol())
		}
	}
	return b.String()
}

// nodeValue gives a node as a value that is read the same: bare words
// and numbers as they were typed.
func nodeValue(n *yaml.Node) value {
	switch n.Kind {
	case yaml.SequenceNode:
		v := value{form: listed}
		for _, item := range n.Content {
			v.items = append(v.items, nodeValue(item))
		}
		return v
	case yaml.MappingNode:
		v := value{form: mapped}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v.keys = append(v.keys, entry{n.Content[i].Value, nodeValue(n.Content[i+1])})
		}
		return v
	}
	switch {
	case isNull(n):
		return value{form: literal, text: "null"}
	case n.Style == 0 && n.Anchor == "" && !strings.Contains(n.Value, "\n"):
		return value{form: literal, text: n.Value}
	}
	return value{form: textual, text: n.Value}
}
