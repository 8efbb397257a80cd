package records

import "iter"

// key is one key of a record's frontmatter, and a pointer to the field that
// holds its value: the field's type says how it is read and written.
type key struct {
	name  string
	field any
}

// rank is text that stands in quotes whatever it is: a rank such as 1e3 or no
// is a number or a bool to other readers.
type rank string

// maxNames is room for the keys of a task or a plan.
const maxNames = 32

// keys gives the keys of a task's file in the order they are written.
func (t *Task) keys() []key { return t.appendKeys(make([]key, 0, maxNames)) }

func (t *Task) appendKeys(keys []key) []key {
	return t.appendStamps(append(keys,
		key{"id", &t.ID}, key{"title", &t.Title}, key{"status", &t.Status}, key{"priority", &t.Priority},
		key{"labels", &t.Labels}, key{"topic", &t.Topic}, key{"plan", &t.Plan}, key{"bot", &t.Bot},
		key{"folder", &t.Folder}, key{"session", &t.Session}, key{"owner", &t.Owner}, key{"lease", &t.Lease},
		key{"parent", &t.Parent}, key{"rank", (*rank)(&t.Rank)}, key{"blockedBy", &t.BlockedBy}, key{"refs", &t.Refs},
		key{"active", &t.Active}, key{"note", &t.Note}, key{"metadata", &t.Metadata}, key{"packet", &t.Packet},
		key{"source", &t.Source}))
}

func (t *Task) appendStamps(keys []key) []key {
	return append(keys, key{"created", &t.Created}, key{"approved", &t.Approved}, key{"started", &t.Started},
		key{"finished", &t.Finished}, key{"reviewed", &t.Reviewed})
}

// keys gives the keys of a plan's file in the order they are written.
func (p *Plan) keys() []key { return p.appendKeys(make([]key, 0, maxNames)) }

func (p *Plan) appendKeys(keys []key) []key {
	return p.appendStamps(append(keys,
		key{"id", &p.ID}, key{"scope", &p.Scope}, key{"title", &p.Title}, key{"status", &p.Status}, key{"refs", &p.Refs}))
}

func (p *Plan) appendStamps(keys []key) []key {
	return append(keys, key{"created", &p.Created}, key{"approved", &p.Approved},
		key{"finished", &p.Finished}, key{"reviewed", &p.Reviewed})
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
