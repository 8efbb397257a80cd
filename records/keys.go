package records

import (
	"iter"
	"slices"
)

// key is one key of a record's frontmatter, and a pointer to the field that
// holds its value: the field's type says how it is read and written.
type key struct {
	name  string
	field any
}

// rank is text that stands in quotes whatever it is: a rank such as 1e3 or no
// is a number or a bool to other readers.
type rank string

// keys gives the keys of a task's file in the order they are written.
func (t *Task) keys() []key {
	return slices.Concat([]key{
		{"id", &t.ID}, {"title", &t.Title}, {"status", &t.Status}, {"priority", &t.Priority},
		{"labels", &t.Labels}, {"topic", &t.Topic}, {"plan", &t.Plan}, {"bot", &t.Bot},
		{"folder", &t.Folder}, {"session", &t.Session}, {"owner", &t.Owner}, {"lease", &t.Lease},
		{"parent", &t.Parent}, {"rank", (*rank)(&t.Rank)}, {"blockedBy", &t.BlockedBy}, {"refs", &t.Refs},
		{"active", &t.Active}, {"note", &t.Note}, {"metadata", &t.Metadata}, {"packet", &t.Packet},
		{"source", &t.Source},
	}, t.stampKeys())
}

func (t *Task) stampKeys() []key {
	return []key{{"created", &t.Created}, {"approved", &t.Approved}, {"started", &t.Started},
		{"finished", &t.Finished}, {"reviewed", &t.Reviewed}}
}

// keys gives the keys of a plan's file in the order they are written.
func (p *Plan) keys() []key {
	return slices.Concat([]key{
		{"id", &p.ID}, {"scope", &p.Scope}, {"title", &p.Title}, {"status", &p.Status}, {"refs", &p.Refs},
	}, p.stampKeys())
}

func (p *Plan) stampKeys() []key {
	return []key{{"created", &p.Created}, {"approved", &p.Approved},
		{"finished", &p.Finished}, {"reviewed", &p.Reviewed}}
}

// stampsOf yields the stamps that are set.
func stampsOf(keys []key) iter.Seq2[string, *Stamp] {
	return func(yield func(string, *Stamp) bool) {
		for _, k := range keys {
			if s := *k.field.(**Stamp); s != nil && !yield(k.name, s) {
				return
			}
		}
	}
}

// entries gives the keys with their values, those without a value too.
func entries(keys []key) []entry {
	all := make([]entry, len(keys))
	for i, k := range keys {
		all[i] = entry{k.name, valueOf(k.field)}
	}
	return all
}

// valueOf gives what a field holds; a text that is empty is absent, a list never.
func valueOf(field any) value {
	switch f := field.(type) {
	case *string:
		return textValue(*f)
	case *rank:
		return quotedValue(string(*f))
	case *Status:
		return textValue(string(*f))
	case *Priority:
		return textValue(string(*f))
	case *[]string:
		return listValue(*f)
	case *map[string]string:
		return metadataValue(*f)
	case *map[string]any:
		return packetValue(*f)
	case *Scope:
		return scopeValue(*f)
	case **Lease:
		return leaseValue(*f)
	case **Source:
		return sourceValue(*f)
	case **Stamp:
		return stampValue(*f)
	}
	return value{}
}
