package records

import (
	"strings"
)

// named is a field of a call: where its text or its list is, the other is nil.
type named struct {
	name string
	text **string
	list **[]string
}

// all gives every field in the order they are declared in.
func (f *Fields) all() []named {
	return []named{
		{"title", &f.Title, nil}, {"status", &f.Status, nil}, {"priority", &f.Priority, nil},
		{"labels", nil, &f.Labels}, {"topic", &f.Topic, nil}, {"plan", &f.Plan, nil},
		{"bot", &f.Bot, nil}, {"folder", &f.Folder, nil}, {"session", &f.Session, nil},
		{"owner", &f.Owner, nil}, {"parent", &f.Parent, nil}, {"before", &f.Before, nil}, {"after", &f.After, nil},
		{"blockedBy", nil, &f.BlockedBy}, {"addBlockedBy", nil, &f.AddBlockedBy}, {"removeBlockedBy", nil, &f.RemoveBlockedBy}, {"active", &f.Active, nil}, {"note", &f.Note, nil},
		{"refs", nil, &f.Refs}, {"body", &f.Body, nil}, {"output", &f.Output, nil},
	}
}

// clean gives f with bytes that are not UTF-8 replaced: no file could hold them.
func (f Fields) clean() Fields {
	for _, n := range f.all() {
		switch {
		case n.text != nil && *n.text != nil:
			s := cleanText(**n.text)
			*n.text = &s
		case n.list != nil && *n.list != nil:
			s := cleanList(**n.list)
			*n.list = &s
		}
	}
	if f.Packet != nil {
		packet, _ := cleanAny(*f.Packet).(map[string]any)
		f.Packet = &packet
	}
	if f.Metadata != nil {
		clean := map[string]string{}
		for key, text := range *f.Metadata {
			clean[cleanText(key)] = cleanText(text)
		}
		f.Metadata = &clean
	}
	return f
}

// cleanAny gives what JSON decodes to with its texts cleaned, shared with nobody.
func cleanAny(a any) any {
	switch a := a.(type) {
	case string:
		return cleanText(a)
	case []any:
		list := make([]any, len(a))
		for i, item := range a {
			list[i] = cleanAny(item)
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(a))
		for key, item := range a {
			m[cleanText(key)] = cleanAny(item)
		}
		return m
	}
	return a
}

func cleanText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func cleanList(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = cleanText(s)
	}
	return out
}

// longest names the longest field there is, to be blamed for a record that is
// too large; "task" where none is named.
func (f Fields) longest() string {
	var sizes []sized
	for _, n := range f.all() {
		switch {
		case n.text != nil && *n.text != nil:
			sizes = append(sizes, sized{n.name, len(**n.text)})
		case n.list != nil && *n.list != nil:
			sizes = append(sizes, sized{n.name, listSize(**n.list)})
		}
	}
	if f.Packet != nil {
		lines := blockLines(entry{"packet", packetValue(*f.Packet)}, 0)
		sizes = append(sizes, sized{"packet", listSize(lines)})
	}
	if f.Metadata != nil {
		size := 0
		for key, text := range *f.Metadata {
			size += len(key) + len(text) + 1
		}
		sizes = append(sizes, sized{"metadata", size})
	}
	return longest("task", sizes...)
}

// sized is a field and how many bytes it takes.
type sized struct {
	name string
	size int
}

// longest names the first of the longest fields, none where all are empty.
func longest(none string, fields ...sized) string {
	name, size := none, 0
	for _, f := range fields {
		if f.size > size {
			name, size = f.name, f.size
		}
	}
	return name
}

func listSize(list []string) int {
	n := 0
	for _, s := range list {
		n += len(s) + 1
	}
	return n
}

// changed names the keys that differ, in the order of the file, the body last.
func changed(a, b *Task) []string {
	var names []string
	was, is := a.keys(), b.keys()
	for i, k := range is {
		if !sameField(was[i].field, k.field) {
			names = append(names, k.name)
		}
	}
	if a.Body != b.Body {
		names = append(names, "body")
	}
	return names
}
