package tools

import (
	"encoding/json"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// Schema is the JSON Schema of a tool's input: an object with the fields in
// declared order, in the few words of the language that every client and model
// takes. Each property has one type, and nothing that [Call] would take is
// forbidden: what makes a value wrong is said by a refusal, in its own words.
func (t *Tool) Schema() json.RawMessage {
	return json.RawMessage(schemaOf(t.Fields))
}

// schemaOf is the schema of an object with these fields.
func schemaOf(fields []Field) string {
	var properties, required []string
	for _, f := range fields {
		properties = append(properties, pair(f.Name, f.schema()))
		if f.Required() {
			required = append(required, f.Name)
		}
	}
	parts := []string{pair("type", quoted("object"))}
	if len(properties) > 0 {
		parts = append(parts, pair("properties", object(properties...)))
	}
	if len(required) > 0 {
		parts = append(parts, pair("required", quoted(required)))
	}
	return object(parts...)
}

// schema is the schema of one field.
func (f Field) schema() string {
	var parts []string
	doc := f.Doc
	switch f.Form {
	case Flag:
		parts = []string{pair("type", quoted("boolean"))}
	case Count:
		parts = []string{pair("type", quoted("integer"))}
	case Texts:
		parts = []string{pair("type", quoted("array")), pair("items", object(pair("type", quoted("string"))))}
	case ScopeRef:
		parts = []string{pair("type", quoted("object")), pair("properties", scopeProperties),
			pair("required", quoted([]string{"kind"}))}
	case Pairs, Packet:
		parts = []string{pair("type", quoted("object"))}
	case Objects:
		parts = []string{pair("type", quoted("array")), pair("items", schemaOf(f.items))}
	case Choice, Chosen:
		parts = []string{pair("type", quoted("string"))}
		if f.Clears { // an enum would forbid the "" that clears
			doc = strings.TrimPrefix(doc+"; ", "; ") + either(f.Choices)
		} else {
			parts = append(parts, pair("enum", quoted(f.Choices)))
		}
	default:
		parts = []string{pair("type", quoted("string"))}
	}
	if f.plain {
		doc = strings.TrimPrefix(doc, f.Doc)
	}
	if doc != "" {
		parts = append(parts, pair("description", quoted(doc)))
	}
	return object(parts...)
}

// scopeProperties are those of a scope: the kind, and the field of that name.
var scopeProperties = object(
	pair("kind", object(pair("type", quoted("string")), pair("enum", quoted([]string{records.FolderScope, records.BotScope, records.SessionScope})))),
	pair("folder", object(pair("type", quoted("string")))),
	pair("bot", object(pair("type", quoted("string")))),
	pair("session", object(pair("type", quoted("string")))),
)

// object and pair write JSON by hand, since a map would lose the order.
func object(pairs ...string) string { return "{" + strings.Join(pairs, ",") + "}" }

func pair(key, value string) string { return quoted(key) + ":" + value }

// quoted is a text or a list of texts as JSON, without the escapes that are
// meant for HTML.
func quoted(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // texts can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
