package records

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// pairs yields the keys of a map with their values. Anything but a map is a
// fault in the words given and yields nothing.
func (r *reader) pairs(key string, n *yaml.Node, reason string) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		switch {
		case n.Kind != yaml.MappingNode:
			r.wrongType(key, n, reason, "")
			return
		case n.Style&yaml.TaggedStyle != 0:
			r.wrongType(key, n, n.Tag+" is a YAML tag: take it out", r.mendTag(n))
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode {
				r.wrongType(key, k, reason, "")
				return
			}
			if !yield(k.Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// stamp reads a map of at, by and in, and of a verdict in a review. Keys that
// we do not know are nobody's fault.
func (r *reader) stamp(key string, n *yaml.Node) *Stamp {
	if isNull(n) {
		return nil
	}
	var s Stamp
	faults := len(r.faults)
	for k, v := range r.pairs(key, n, key+" must be a map of at, by and in.") {
		switch {
		case k == "at":
			s.At = r.time(key+".at", v)
		case k == "by":
			s.By = r.text(key+".by", v)
		case k == "in":
			s.In = r.text(key+".in", v)
		case k == "verdict" && key == "reviewed":
			s.Verdict = Verdict(r.word(key+".verdict", v, verdictReason,
				func(w string) bool { return Verdict(w).valid() }))
		}
	}
	r.needs(faults, n, key, s.At, s.By)
	return &s
}

// lease reads a map of at, by, in and until.
func (r *reader) lease(key string, n *yaml.Node) *Lease {
	if isNull(n) {
		return nil
	}
	var l Lease
	faults := len(r.faults)
	for k, v := range r.pairs(key, n, key+" must be a map of at, by, in and until.") {
		switch k {
		case "at":
			l.At = r.time(key+".at", v)
		case "by":
			l.By = r.text(key+".by", v)
		case "in":
			l.In = r.text(key+".in", v)
		case "until":
			l.Until = r.time(key+".until", v)
		}
	}
	r.needs(faults, n, key, l.At, l.By)
	return &l
}

// needs asks for the two keys no stamp is without, unless a fault was found in
// the map already.
func (r *reader) needs(faults int, n *yaml.Node, key, at, by string) {
	if len(r.faults) > faults {
		return
	}
	if at == "" {
		r.wrongType(key+".at", n, key+".at must be an ISO-8601 timestamp.", "")
	}
	if by == "" {
		r.wrongType(key+".by", n, key+".by "+mustBeText, "")
	}
}

// time reads an ISO-8601 time, kept as the text it is.
func (r *reader) time(key string, n *yaml.Node) string {
	if isNull(n) {
		return ""
	}
	text := ""
	if n.Kind == yaml.ScalarNode {
		text = scalarText(n)
	}
	if _, ok := ParseTime(text); !ok && (text != "" || n.Kind != yaml.ScalarNode) {
		r.wrongType(key, n, key+" must be an ISO-8601 timestamp.", "")
	}
	return text
}

func (r *reader) scope(key string, n *yaml.Node) Scope {
	var s Scope
	if isNull(n) {
		return s
	}
	if n.Kind == yaml.ScalarNode {
		r.wrongType(key, n, scopeReason, r.proven(n.Line, scopeReason, mendScopeOf(scopeOf(scalarText(n)))))
		return s
	}
	faults := len(r.faults)
	for k, v := range r.pairs(key, n, scopeReason) {
		switch k {
		case "kind":
			s.Kind = r.text(key+".kind", v)
		case "folder":
			s.Folder = r.text(key+".folder", v)
		case "bot":
			s.Bot = r.text(key+".bot", v)
		case "session":
			s.Session = r.text(key+".session", v)
		}
	}
	if len(r.faults) == faults && !s.Valid() {
		r.wrongType(key, n, scopeReason, r.proven(n.Line, scopeReason, mendScopeOf(s)))
	}
	return s
}

// scopeOf is the scope that a text means: as commands take it, kind:name, or the
// path of a folder alone.
func scopeOf(text string) Scope {
	kind, name, _ := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	switch {
	case kind == FolderScope:
		return Scope{Folder: name}
	case kind == BotScope:
		return Scope{Bot: name}
	case kind == SessionScope:
		return Scope{Session: name}
	case strings.HasPrefix(text, "/"):
		return Scope{Folder: text}
	}
	return Scope{}
}

// mendScopeOf is the line of a scope, of the kind of the one name that it has.
func mendScopeOf(s Scope) string {
	for kind, name := range map[string]string{FolderScope: s.Folder, BotScope: s.Bot, SessionScope: s.Session} {
		if name != "" && name == s.Folder+s.Bot+s.Session {
			return "scope: {kind: " + kind + ", " + kind + ": " + flowScalar(name) + "}"
		}
	}
	return mendScope
}

func (r *reader) source(key string, n *yaml.Node) *Source {
	if isNull(n) {
		return nil
	}
	var s Source
	for k, v := range r.pairs(key, n, key+" must be a map of tool and id.") {
		switch k {
		case "tool":
			s.Tool = r.text(key+".tool", v)
		case "id":
			s.ID = r.text(key+".id", v)
		}
	}
	if s == (Source{}) {
		return nil
	}
	return &s
}

// metadata reads a map of texts. A key without a value is absent, one with an
// empty text in quotes is there.
func (r *reader) metadata(key string, n *yaml.Node) map[string]string {
	if isNull(n) {
		return nil
	}
	var m map[string]string
	for k, v := range r.pairs(key, n, "metadata must be an object of strings.") {
		switch {
		case v.Kind != yaml.ScalarNode:
			r.wrongType(key+"."+k, v, "metadata must be an object of strings.", r.proven(v.Line, "", r.mendValue(v)))
		case !isNull(v):
			r.warnLost(key, v, n.Style&yaml.FlowStyle != 0)
			if m == nil {
				m = map[string]string{}
			}
			m[k] = scalarText(v)
		}
	}
	return m
}

// packet reads a map of anything that JSON can say.
func (r *reader) packet(key string, n *yaml.Node) map[string]any {
	if isNull(n) {
		return nil
	}
	var m map[string]any
	for k, v := range r.pairs(key, n, "packet must be an object.") {
		if m == nil {
			m = map[string]any{}
		}
		m[k] = r.any(key, v)
	}
	return m
}

func (r *reader) any(key string, n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			list = append(list, r.any(key, item))
		}
		return list
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for k, v := range r.pairs(key, n, fmt.Sprintf("the keys of %s must be text.", key)) {
			m[k] = r.any(key, v)
		}
		return m
	}
	return plainScalar(n)
}

// plainScalar gives a scalar as JSON has it: bare null, true, false and numbers
// are those, all else is text.
func plainScalar(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value[0] == 't' || n.Value[0] == 'T'
	case "!!int", "!!float":
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			err = n.Decode(&f)
		}
		// JSON has no infinity and no "not a number": those stay text.
		if err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
	}
	return scalarText(n)
}
