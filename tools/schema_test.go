package tools_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
)

// property is what a schema may say of a field; anything more fails to decode.
type property struct {
	Type        string `json:"type"`
	Description string `json:"description"`
	Enum        []string
	Items       *property
	Properties  map[string]property
	Required    []string
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	types := map[tools.Form]string{tools.Count: "integer", tools.Flag: "boolean", tools.Texts: "array", tools.ScopeRef: "object", tools.Objects: "array", tools.Packet: "object", tools.Pairs: "object"}
	for _, tool := range tools.All() {
		var schema property
		dec := json.NewDecoder(bytes.NewReader(tool.Schema()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&schema); err != nil {
			t.Fatalf("%s: %v in %s", tool.Name, err, tool.Schema())
		}
		if schema.Type != "object" || len(schema.Properties) != len(tool.Fields) || tool.Doc == "" {
			t.Errorf("%s: %s", tool.Name, tool.Schema())
		}
		var required []string
		at := 0
		for _, f := range tool.Fields {
			p := schema.Properties[f.Name]
			want := types[f.Form]
			if want == "" {
				want = "string"
			}
			if p.Type != want {
				t.Errorf("%s: %s has type %q, want %q", tool.Name, f.Name, p.Type, want)
			}
			if closed := len(p.Enum) > 0; closed != (f.Form == tools.Choice && !f.Clears) {
				t.Errorf("%s: %s may be %q", tool.Name, f.Name, p.Enum)
			}
			if f.Required() {
				required = append(required, f.Name)
			}
			next := bytes.Index(tool.Schema(), []byte(`"`+f.Name+`":{`))
			if next < at {
				t.Errorf("%s: %s stands before the field that it follows", tool.Name, f.Name)
			}
			at = next
		}
		if !slices.Equal(schema.Required, required) {
			t.Errorf("%s: required are %q, want %q", tool.Name, schema.Required, required)
		}
	}
}
