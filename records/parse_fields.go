package records

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// sound judges the nodes as a whole: what would make a value other than what
// its line says.
func (r *reader) sound() bool {
	n := len(r.faults)
	r.soundNode(r.root)
	return len(r.faults) == n
}

func (r *reader) soundNode(n *yaml.Node) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.nodeFault(n, "*"+n.Value+" is a YAML alias: write the value itself, or quote it", r.mendAlias(n))
		return
	case isCoreTag(n):
		r.nodeFault(n, n.Tag+" is a YAML tag: take it out", r.mendTag(n))
		return
	case n.Kind == yaml.MappingNode:
		r.uniqueKeys(n)
	}
	for _, c := range n.Content {
		if r.full() {
			return
		}
		r.soundNode(c)
	}
}

// isCoreTag reports a value that says of itself which type of YAML it is.
func isCoreTag(n *yaml.Node) bool {
	return n.Style&yaml.TaggedStyle != 0 && strings.HasPrefix(n.Tag, "!!")
}

func (r *reader) uniqueKeys(n *yaml.Node) {
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			if n == r.root && key.Kind != yaml.AliasNode {
				r.nodeFault(key, "a key must be text", "")
			}
			continue
		}
		if first, dup := seen[key.Value]; dup {
			r.add(Fault{Line: r.at(key), Field: key.Value, Mend: "take one of the two lines out",
				Reason: fmt.Sprintf("duplicate key %s: it is on line %d too", key.Value, first)})
			continue
		}
		seen[key.Value] = r.at(key)
	}
}

// nodeFault adds a fault of a node wherever it stands.
func (r *reader) nodeFault(n *yaml.Node, reason, mend string) {
	r.add(Fault{Line: r.at(n), Field: r.topKey(n), Reason: reason, Mend: mend})
}

// topKey gives the key at the top whose value a node is part of.
func (r *reader) topKey(n *yaml.Node) string {
	key := ""
	for i := 0; i+1 < len(r.root.Content); i += 2 {
		k := r.root.Content[i]
		if k.Line > n.Line || k.Line == n.Line && k.Column > n.Column {
			break
		}
		key = k.Value
	}
	return key
}

// isNull reports a value that reads as if its key were absent. Only a bare one
// is: "null" in quotes is text.
func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// text reads a scalar as it was typed: what YAML would make of an unquoted 12,
// yes or 2026-10-18 does not matter where text is wanted.
func (r *reader) text(key string, n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		mend := r.proven(n.Line, "", r.mendValue(n))
		if key == "id" {
			mend = r.mendID()
		}
		r.wrongType(key, n, key+" must be a string.", mend)
		return ""
	}
	r.warnLost(key, n, false)
	return scalarText(n)
}

func scalarText(n *yaml.Node) string {
	if isNull(n) {
		return ""
	}
	if isBlockText(n) {
		// The line end of a block is the file's, not the text's.
		return strings.TrimRight(n.Value, "\n")
	}
	return n.Value
}

// list reads a list of texts.
func (r *reader) list(key string, n *yaml.Node) []string {
	reason := key + " must be an array of strings."
	if isNull(n) {
		r.warnLost(key, n, false)
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.wrongType(key, n, reason, r.mendList(n))
		return nil
	}
	if n.Style&yaml.TaggedStyle != 0 {
		r.wrongType(key, n, n.Tag+" is a YAML tag: take it out", r.mendTag(n))
		return nil
	}
	var list []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || isNull(item) {
			if r.full() {
				break
			}
			mend := r.proven(item.Line, "", r.mendValue(item))
			if isNull(item) && !strings.Contains(r.raw(item), "#") {
				mend = "take the item out, or write \"\" for an empty one"
			}
			r.wrongType(key, item, reason, mend)
			continue
		}
		r.warnLost(key, item, n.Style&yaml.FlowStyle != 0)
		list = append(list, scalarText(item))
	}
	return list
}

func (r *reader) wrongType(key string, n *yaml.Node, reason, mend string) {
	r.add(Fault{Line: r.at(n), Field: key, Reason: reason, Mend: mend})
}

// word reads one of a closed list of words. The reason is said of anything
// else; a word that differs in case alone is named as the mend.
func (r *reader) word(key string, n *yaml.Node, reason string, known func(string) bool) string {
	if isNull(n) {
		return ""
	}
	if n.Kind == yaml.ScalarNode {
		text := scalarText(n)
		r.warnLost(key, n, false)
		if text == "" || known(text) {
			return text
		}
		if lower := strings.ToLower(strings.TrimSpace(text)); known(lower) {
			r.wrongType(key, n, reason, r.mendWord(n, lower))
			return ""
		}
	}
	r.wrongType(key, n, reason, "")
	return ""
}
