package translate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// object is a JSON object as a harness writes it. Its keys come in one style or
// another, so that each is asked for by all of its names.
type object map[string]json.RawMessage

// raw gives the first of the named values that is there, nil for none.
func (o object) raw(names ...string) json.RawMessage {
	for _, name := range names {
		if v, ok := o[name]; ok && string(v) != "null" {
			return v
		}
	}
	return nil
}

// text gives a value as text: a text, or a number as it is written; else "".
func (o object) text(names ...string) string {
	raw := o.raw(names...)
	var s string
	var n json.Number
	switch {
	case raw == nil:
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &n) == nil:
		return n.String()
	}
	return ""
}

// is reports whether a value is true.
func (o object) is(name string) bool {
	return string(o.raw(name)) == "true"
}

// object gives a value as an object, one that stands in a text too; nil for
// anything else.
func (o object) object(names ...string) object {
	raw := o.raw(names...)
	var within object
	if json.Unmarshal(raw, &within) != nil {
		within = nil
		if json.Unmarshal([]byte(o.text(names...)), &within) != nil {
			return nil
		}
	}
	return within
}

// texts gives a list of texts, nil where there is none; what is no text in it is
// left out.
func (o object) texts(name string) []string {
	raw := o.raw(name)
	var list []json.RawMessage
	if raw == nil || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	texts := []string{}
	for _, item := range list {
		if s := (object{"": item}).text(""); s != "" {
			texts = append(texts, s)
		}
	}
	return texts
}

// objects gives a list of objects. What is none in it comes as an empty one, so
// that a list of rubbish is not taken for one that was cleared.
func (o object) objects(name string) ([]object, error) {
	var list []json.RawMessage
	if raw := o.raw(name); raw == nil || json.Unmarshal(raw, &list) != nil {
		return nil, fmt.Errorf("%s must be a list", name)
	}
	objects := make([]object, len(list))
	for i, item := range list {
		if json.Unmarshal(item, &objects[i]) != nil {
			objects[i] = nil
		}
	}
	return objects, nil
}

// entries gives a whole list, by the names that a harness has for its fields.
func (o object) entries(name, text string) ([]Entry, error) {
	objects, err := o.objects(name)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(objects))
	for i, e := range objects {
		entries[i] = Entry{Text: e.text(text), Status: e.text("status"), Priority: e.text("priority"), Active: e.text("activeForm")}
	}
	return entries, nil
}

// withIDs adds the ids of a harness whose ids outlive a list.
func (o object) withIDs(name string, entries []Entry) []Entry {
	objects, err := o.objects(name)
	for i, e := range objects {
		if err == nil {
			entries[i].ID = e.text("id")
		}
	}
	return entries
}

// between gives what stands in a text behind a beginning and before an end, ""
// where the text does not begin so.
func between(text, beginning, end string) string {
	rest, ok := strings.CutPrefix(text, beginning)
	if !ok {
		return ""
	}
	found, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return strings.TrimSpace(found)
}
