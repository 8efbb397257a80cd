package tools

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// TestEveryFieldHasItsPlace: what a call names in a field that a tool declares
// is in the input under that name, and nowhere else.
func TestEveryFieldHasItsPlace(t *testing.T) {
	t.Parallel()
	for _, tool := range All() {
		for _, f := range tool.Fields {
			var value any = "a"
			switch f.Form {
			case Flag:
				value = true
			case Packet:
				value = map[string]any{"objective": "a"}
			case Count:
				value = 7
			case Texts:
				value = []string{"a"}
			case Time:
				value = time.Unix(1, 0)
			case Pairs:
				value = map[string]string{"a": "b"}
			case Until:
				value = time.Unix(1, 0)
			case Span:
				value = time.Minute
			case ScopeRef:
				value = records.Scope{Kind: records.BotScope, Bot: "b"}
			}
			var in input
			if f.Form == Objects {
				value = []todo{{id: "a"}}
				in.set(f.Name, []map[string]any{{"id": "a"}})
			} else {
				in.set(f.Name, value)
			}
			found := false
			for _, place := range reflect.VisibleFields(reflect.TypeFor[input]()) {
				got := reflect.ValueOf(in).FieldByIndex(place.Index)
				if place.Anonymous || got.IsZero() {
					continue
				}
				if !strings.EqualFold(place.Name, f.Name) || !reflect.DeepEqual(reflect.Indirect(got).Interface(), value) {
					t.Errorf("%s: %s went to %s as %v", tool.Name, f.Name, place.Name, reflect.Indirect(got))
				}
				found = true
			}
			if !found {
				t.Errorf("%s: what is named in %s is lost", tool.Name, f.Name)
			}
		}
	}
}
