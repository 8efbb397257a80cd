package install_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// TestIn: an entry in an item of a list is replaced and taken out there, and no item
// is made for it.
func TestIn(t *testing.T) {
	t.Parallel()
	has := func(text string) func(json.RawMessage) bool {
		return func(item json.RawMessage) bool { return strings.Contains(string(item), text) }
	}
	e := install.Entry{In: &install.Entry{Path: []string{"a", "b"}, Is: has("ours")}, Path: []string{"c"}, Is: has("ours"), Value: []byte(`{"d":"ours too"}`)}
	const file = "{\"a\": {\"b\": [\n  {\"c\": [{\"d\": \"x\"}]},\n  {\"c\": [{\"d\": \"y\"}, {\"d\": \"ours\"}, /* z */ {\"d\": \"z\"}]} // end\n]}}\n"
	found, err := install.JSON.Find([]byte(file), e)
	if err != nil || found == nil || found.Line != 3 || string(found.Value) != `{"d":"ours"}` {
		t.Fatalf("found %+v, %v", found, err)
	}
	added, err := install.JSON.Add([]byte(file), e)
	if want := strings.Replace(file, `"ours"`, `"ours too"`, 1); err != nil || strings.ReplaceAll(string(added), `"d":"`, `"d": "`) != want {
		t.Errorf("replaced it is\n%s\n%v", added, err)
	}
	removed, err := install.JSON.Remove([]byte(file), e)
	if want := strings.Replace(file, ` {"d": "ours"},`, "", 1); err != nil || string(removed) != want {
		t.Errorf("without it\n%s\n%v", removed, err)
	}
	for _, none := range []string{"{}", `{"a":{"b":[{"c":[]}]}}`, string(removed)} {
		if found, err := install.JSON.Find([]byte(none), e); err != nil || found != nil {
			t.Errorf("%s has %+v, %v", none, found, err)
		}
		if rest, err := install.JSON.Remove([]byte(none), e); err != nil || string(rest) != none {
			t.Errorf("%s became %s, %v", none, rest, err)
		}
		if added, err := install.JSON.Add([]byte(none), e); err == nil {
			t.Errorf("%s became %s", none, added)
		}
	}
}
