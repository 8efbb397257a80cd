package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// entryTables are the tables of a file that an entry is made of: its own, and
// those in it.
type entryTables struct {
	tables []table
	fields map[string]any
	first  int // where the entry begins
	inline int // where it, or what should hold it, is written otherwise; -1 for nowhere
}

// tablesOf looks for an entry. Where it is not a table under a header of its own
// it can be read, but nothing can be put beside it without rewriting a line.
func tablesOf(data []byte, e Entry) (*entryTables, error) {
	all, err := parseTOML(data)
	if err != nil {
		return nil, err
	}
	t := &entryTables{fields: map[string]any{}, first: -1, inline: -1}
	var own bool
	for _, one := range all {
		in := startsWith(one.path, e.Path)
		if in && len(one.path) == len(e.Path) {
			if own {
				return nil, faultAt(data, one.start, "[%s] stands twice", strings.Join(e.Path, "."))
			}
			own = true
		}
		if one.isArray && startsWith(e.Path, one.path) {
			return nil, faultAt(data, one.start, "[[%s]] must be a table, not a list of them", strings.Join(one.path, "."))
		}
		if in {
			t.see(one.start)
			t.tables = append(t.tables, one)
			if !one.isArray && len(one.path) > len(e.Path) {
				put(t.fields, one.path[len(e.Path):], map[string]any{})
			}
		}
		for _, p := range one.pairs {
			if err := t.pair(data, e, one, p); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func (t *entryTables) see(at int) {
	if t.first < 0 {
		t.first = at
	}
}

// pair takes what a pair says of the entry.
func (t *entryTables) pair(data []byte, e Entry, in table, p pair) error {
	full := append(append([]string{}, in.path...), p.keys...)
	switch {
	case startsWith(full, e.Path) && len(full) > len(e.Path):
		if !startsWith(in.path, e.Path) {
			t.inline = p.start
		}
		t.see(p.start)
		if !put(t.fields, full[len(e.Path):], p.value) && !in.isArray {
			return faultAt(data, p.start, "%s stands twice", strings.Join(full, "."))
		}
	case startsWith(e.Path, full):
		t.inline = p.start
		value := p.value
		for _, key := range e.Path[len(full):] {
			fields, _ := value.(map[string]any)
			value = fields[key]
		}
		if fields, ok := value.(map[string]any); ok {
			t.fields = fields
			t.see(p.start)
		}
	}
	return nil
}

func findTOML(file []byte, e Entry) (*Found, error) {
	t, err := tablesOf(file, e)
	if err != nil || t.first < 0 {
		return nil, err
	}
	return &Found{json.RawMessage(jsonOf(t.fields)), lineOf(file, t.first)}, nil
}

// jsonOf is a value of TOML in JSON: what JSON has not is a text.
func jsonOf(v any) string {
	if n, ok := v.(json.Number); ok && !json.Valid([]byte(n)) {
		v = string(n)
	}
	switch v := v.(type) {
	case []any:
		items := make([]string, len(v))
		for i, one := range v {
			items[i] = jsonOf(one)
		}
		return "[" + strings.Join(items, ",") + "]"
	case map[string]any:
		fields := map[string]json.RawMessage{}
		for key, one := range v {
			fields[key] = json.RawMessage(jsonOf(one))
		}
		text, err := json.Marshal(fields)
		if err != nil {
			return "{}" // every value of it is JSON
		}
		return string(text)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return `""` // texts, numbers and the two truths all are
	}
	return string(text)
}

// tomlOf is a value of JSON in TOML, tables inline.
func tomlOf(v any) string {
	switch v := v.(type) {
	case string:
		return tomlText(v)
	case []any:
		items := make([]string, len(v))
		for i, one := range v {
			items[i] = tomlOf(one)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case object:
		fields := make([]string, len(v))
		for i, f := range v {
			fields[i] = tomlKey(f.key) + " = " + tomlOf(f.value)
		}
		return "{ " + strings.Join(fields, ", ") + " }"
	}
	return fmt.Sprint(v)
}

// object is an object of JSON in its order.
type object []struct {
	key   string
	value any
}

// ordered reads a value of JSON.
func ordered(data json.RawMessage) (any, error) {
	root, err := parseJSON(data)
	if err != nil || root == nil {
		return nil, err
	}
	return orderedNode(data, root)
}

func orderedNode(data json.RawMessage, n *node) (any, error) {
	switch data[n.start] {
	case '{':
		o := make(object, len(n.items))
		for i := range n.items {
			value, err := orderedNode(data, &n.items[i].value)
			if err != nil {
				return nil, err
			}
			o[i].key, o[i].value = n.items[i].key, value
		}
		return o, nil
	case '[':
		list := make([]any, len(n.items))
		for i := range n.items {
			value, err := orderedNode(data, &n.items[i].value)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case 'n':
		return nil, fmt.Errorf("TOML has no null")
	}
	dec := json.NewDecoder(bytes.NewReader(data[n.start:n.end]))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}
