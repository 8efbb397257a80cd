package install_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

func codex() install.Entry {
	return install.Entry{Path: []string{"mcp_servers", "tasks"}, Value: json.RawMessage(
		`{"command":"/opt/a \"b\"\u007f/git-tasks","args":["mcp","--as=<&>"],"http_headers":{"Git-Tasks-As":"codex","a b":"1"},"n":3,"on":true}`)}
}

// tomlValue makes a value as text; what goes over lines as well.
func tomlValue(t *rapid.T, eol string, depth int) string {
	kinds := []string{`1`, `-0x1`, `+1_000`, `0.5e-3`, `inf`, `true`, `2026-10-18T10:00:00Z`, `2026-10-18 10:00:00.5`, `07:32:00`,
		`"a # b \u00e9 \"x\" [mcp_servers.tasks]"`, `'C:\n "x"'`, `"""` + eol + `[mcp_servers.tasks]` + eol + `a = "" \"""\` + eol + `   x"""`,
		`'''` + eol + `[x]` + eol + `''x\'''''`, `{}`, `[]`}
	if depth == 0 {
		return rapid.SampledFrom(kinds[:11]).Draw(t, "flat")
	}
	switch rapid.SampledFrom([]string{"scalar", "scalar", "array", "inline"}).Draw(t, "kind") {
	case "array":
		text := "["
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			text += rapid.SampledFrom([]string{"", " ", eol + "  ", " # it's [a" + eol}).Draw(t, "gap") + tomlValue(t, eol, depth-1) + " ,"
		}
		return text + eol + "]"
	case "inline":
		return `{ a.b = ` + tomlValue(t, eol, 0) + `, "c d" = ` + tomlValue(t, eol, 0) + ` }`
	}
	return rapid.SampledFrom(kinds).Draw(t, "scalar")
}

// tomlFile makes a file, in which tables come once each.
func tomlFile(t *rapid.T, eol string) string {
	var b strings.Builder
	line := func(text string) {
		b.WriteString(rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent") + text)
		b.WriteString(rapid.SampledFrom([]string{"", " ", " # note"}).Draw(t, "rest") + eol)
		b.WriteString(rapid.SampledFrom([]string{"", "", eol, "# it's = [" + eol, eol + eol}).Draw(t, "between"))
	}
	pairs := func() {
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", `"b c"`, "d.e", `'f'."g"`, "7", "tasks2"}), 0, 3, rapid.ID[string]).Draw(t, "keys") {
			line(key + " = " + tomlValue(t, eol, 2))
		}
	}
	pairs()
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"[mcp_servers]", "[mcp_servers.other]", "[ mcp_servers . \"x y\" . z ]",
		"[tools]", "[[list]]", "[mcp_servers.tasks2]", "[projects.\"/home/a b\"]"}), 0, 5, rapid.ID[string]).Draw(t, "tables") {
		line(name)
		pairs()
	}
	text := b.String()
	for range rapid.IntRange(0, 3).Draw(t, "cut") { // a file whose last line has no end
		text = strings.TrimSuffix(text, eol)
	}
	return text
}

// TestTOMLComesBack: as TestJSONComesBack, for TOML.
func TestTOMLComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		file, e := []byte(tomlFile(t, eol)), codex()
		var was map[string]any
		if err := toml.Unmarshal(file, &was); err != nil {
			t.Skip("the generator put a table twice: ", err)
		}
		mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "bom") // which the other parser does not take
		file = append([]byte(mark), file...)
		added, err := install.TOML.Add(file, e)
		if err != nil {
			t.Fatalf("%v of\n%q", err, file)
		}
		if !bytes.HasPrefix(added, file) {
			t.Fatalf("\n%q\nbecame\n%q", file, added)
		}
		var is map[string]any
		if err := toml.Unmarshal(added[len(mark):], &is); err != nil {
			t.Fatalf("%v of\n%q\nwhich was\n%q", err, added, file)
		}
		own, _ := json.Marshal(valueAt(is, e.Path))
		if found := (install.Found{Value: own}); !found.Says(e) {
			t.Fatalf("%s instead of %s in\n%q", own, e.Value, added)
		}
		servers := is["mcp_servers"].(map[string]any)
		if delete(servers, "tasks"); len(servers) == 0 && was["mcp_servers"] == nil {
			delete(is, "mcp_servers")
		}
		if !reflect.DeepEqual(is, was) {
			t.Fatalf("\n%q\nsays\n%v\nnot\n%v", added, is, was)
		}
		removed, err := install.TOML.Remove(added, e)
		if err != nil || removed == nil || !bytes.Equal(removed, file) {
			t.Fatalf("%v:\n%q\nbecame\n%q\nwithout\n%q", err, file, added, removed)
		}
	})
}
