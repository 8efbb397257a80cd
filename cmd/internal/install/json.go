package install

import (
	"bytes"
	"encoding/json"
	"strings"
)

// step is one thing of an object or a list on the way to an entry.
type step struct {
	in *node
	i  int
}

func (s step) item() *item { return &s.in.items[s.i] }

// road is how far a file has what an entry's path names.
type road struct {
	data  []byte
	root  *node    // nil where the file is blank
	steps []step   // what there is; the entry last, where it is there
	at    *node    // where the road ends: the entry's place, or that of what is missing
	rest  []string // the keys that are missing, the entry's own among them
	found bool
}

// follow goes along an entry's path.
func follow(data []byte, e Entry) (*road, error) {
	root, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	r := &road{data: data, root: root, at: root}
	return r, r.walk(e)
}

// walk goes on to an entry from the top, or from the item that holds it.
func (r *road) walk(e Entry) error {
	name := "the document"
	if e.In != nil {
		if err := r.walk(*e.In); err != nil || !r.found {
			return err
		}
		name, r.found = "the item", false
	}
	r.rest = e.Path
	for r.at != nil && len(r.rest) > 0 {
		i, err := r.member(r.at, name, r.rest[0])
		if err != nil || i < 0 {
			return err
		}
		name = quote(r.rest[0])
		r.down(i)
		r.rest = r.rest[1:]
	}
	if e.isItem() && r.at != nil {
		return r.pick(name, e)
	}
	r.found = r.at != nil && len(r.rest) == 0
	return nil
}

// down goes to what is in a thing's place.
func (r *road) down(i int) {
	r.steps = append(r.steps, step{r.at, i})
	r.at = &r.at.items[i].value
}

// member gives the place of a key in an object, -1 for none.
func (r *road) member(n *node, name, key string) (int, error) {
	if r.data[n.start] != '{' {
		return 0, faultAt(r.data, n.start, "%s must be an object", name)
	}
	found := -1
	for i, m := range n.items {
		if m.key != key {
			continue
		}
		if found >= 0 {
			return 0, faultAt(r.data, m.start, "%s stands twice; line %d has it as well", quote(key), lineOf(r.data, n.items[found].start))
		}
		found = i
	}
	return found, nil
}

// pick goes to the item of a list that is the entry's.
func (r *road) pick(name string, e Entry) error {
	if r.data[r.at.start] != '[' {
		return faultAt(r.data, r.at.start, "%s must be a list", name)
	}
	is := e.Is
	if want := fieldOf(e.Value, e.By); is == nil {
		is = func(item json.RawMessage) bool { return want != "" && fieldOf(item, e.By) == want }
	}
	for i := range r.at.items {
		n := &r.at.items[i].value
		if r.data[n.start] == '{' && is(plain(r.data, n)) {
			r.down(i)
			r.found = true
			return nil
		}
	}
	return nil
}

// fieldOf gives a text of an object, "" for none.
func fieldOf(value json.RawMessage, key string) string {
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(value, &fields) != nil || json.Unmarshal(fields[key], &text) != nil {
		return ""
	}
	return text
}

// plain is a value without comments and trailing commas.
func plain(data []byte, n *node) json.RawMessage {
	open := data[n.start]
	if open != '{' && open != '[' {
		return data[n.start:n.end]
	}
	text := []byte{open}
	for i := range n.items {
		if i > 0 {
			text = append(text, ',')
		}
		if open == '{' {
			text = append(append(text, quote(n.items[i].key)...), ':')
		}
		text = append(text, plain(data, &n.items[i].value)...)
	}
	return append(text, open+2) // in ASCII the closing one comes two later
}

func findJSON(file []byte, e Entry) (*Found, error) {
	r, err := follow(file, e)
	if err != nil || !r.found {
		return nil, err
	}
	return &Found{plain(file, r.at), lineOf(file, r.steps[len(r.steps)-1].item().start)}, nil
}

// quote is a text as JSON has it.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""` // no text fails
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lastComment gives the end of the last comment in a stretch between two tokens,
// 0 for none, and whether it goes to the end of its line.
func lastComment(data []byte, from, to int) (end int, toEOL bool) {
	for from < to {
		if isBlank(data[from]) || data[from] == ',' {
			from++
			continue
		}
		next, eol := commentAt(data, from)
		if next <= from {
			break
		}
		from, end, toEOL = next, next, eol
	}
	return end, toEOL
}

// besideComments gives the end of the comments that begin on the line on which
// something ends.
func besideComments(data []byte, at int) (end int) {
	for end = at; at < len(data); {
		if data[at] == ' ' || data[at] == '\t' {
			at++
			continue
		}
		next, _ := commentAt(data, at)
		if next <= at {
			break
		}
		isLast := bytes.IndexByte(data[at:next], '\n') >= 0
		at, end = next, next
		if isLast {
			break
		}
	}
	return end
}
