package install_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

func server() install.Entry {
	return install.Entry{Path: []string{"mcpServers", "tasks"}, Value: json.RawMessage(`{"command":"/opt/a \"b\"/git-tasks","args":["mcp","--as=<&>"]}`)}
}

func question() install.Entry {
	return install.Entry{Path: []string{"a", "inputs"}, By: "id", Value: json.RawMessage(`{"type":"promptString","id":"token"}`)}
}

// strict takes comments and trailing commas out of JSON by another way than the
// package does: it knows no structure, only texts and comments.
func strict(t interface{ Fatalf(string, ...any) }, text []byte) any {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var out []byte
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			j := i + 1
			for text[j] != '"' {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			out = append(out, text[i:j+1]...)
			i = j
		case bytes.HasPrefix(text[i:], []byte("//")):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += 3 + bytes.Index(text[i+2:], []byte("*/"))
		case strings.IndexByte(" \t\r\n", text[i]) >= 0:
		default:
			out = append(out, text[i])
		}
	}
	// No text of the generator has a bracket behind a comma.
	plain := strings.NewReplacer(",}", "}", ",]", "]").Replace(string(out))
	if plain == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(plain), &v); err != nil {
		t.Fatalf("%v in\n%s\nof\n%s", err, plain, text)
	}
	return v
}

// gaps makes what may stand between two tokens.
func gaps(t *rapid.T, eol string) string {
	var b strings.Builder
	for range rapid.IntRange(0, 3).Draw(t, "gaps") {
		b.WriteString(rapid.SampledFrom([]string{" ", "\t", eol, eol + "  ", "  ", "// it's {\"" + eol, "/* , } */", "/* a" + eol + " b */", "// tail  " + eol}).Draw(t, "gap"))
	}
	return b.String()
}

var names = []string{"a", "mcpServers", "servers", "inputs", `x"\/ y`, "", "tasks2", "日本"}

// jsonc makes a value as text, an object where it must be one.
func jsonc(t *rapid.T, eol string, depth int, mustObject bool) string {
	kind := rapid.SampledFrom([]string{"object", "object", "list", "scalar"}).Draw(t, "kind")
	if mustObject {
		kind = "object"
	} else if depth == 0 {
		kind = "scalar"
	}
	if kind == "scalar" {
		return rapid.SampledFrom([]string{`1`, `-0.5e3`, `null`, `true`, `"a // b"`, `"\u00e9\"{"`, `"/* x */"`, `[]`, `{}`}).Draw(t, "scalar")
	}
	shut, open := "]", "["
	if kind == "object" {
		open, shut = "{", "}"
	}
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "keys")
	tidy := rapid.Bool().Draw(t, "tidy")
	gap := func() string {
		if tidy {
			return eol + strings.Repeat("\t", 4-depth)
		}
		return gaps(t, eol)
	}
	text := open
	for i, key := range keys {
		text += gap()
		if kind == "object" {
			quoted, _ := json.Marshal(key)
			text += string(quoted) + rapid.SampledFrom([]string{":", ": ", " :" + eol}).Draw(t, "colon")
		}
		holds := kind == "object" && (key == "mcpServers" || key == "a")
		inner := jsonc(t, eol, max(depth-1, 0), holds)
		if key == "inputs" {
			inner = "[" + gaps(t, eol) + rapid.SampledFrom([]string{"", "1", `{"id": "x"}`, `{"id": "x"},2`}).Draw(t, "inputs") + gaps(t, eol) + "]"
		}
		text += inner
		if i < len(keys)-1 || rapid.Bool().Draw(t, "trailing") {
			if !tidy {
				text += gaps(t, eol)
			}
			text += ","
		}
	}
	return text + gap() + shut
}

// valueAt gives what a document says at a path.
func valueAt(v any, path []string) any {
	for _, key := range path {
		fields, _ := v.(map[string]any)
		v = fields[key]
	}
	return v
}

// subsequence reports whether a text is another with something put in.
func subsequence(part, whole []byte) bool {
	for _, c := range whole {
		if len(part) > 0 && part[0] == c {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// otherLines counts the lines that a change takes away.
func otherLines(before, after []byte) int {
	e := install.Edit{Path: "f", Before: before, After: after}
	return strings.Count(e.Diff(), "\n-") - strings.Count(e.Diff(), "\n--- ")
}

// TestJSONComesBack: for any file, what Add gives says the entry and all that it
// said before, and Remove gives the file back byte for byte.
func TestJSONComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		text := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "bom") + gaps(t, eol)
		if rapid.IntRange(0, 9).Draw(t, "blank") > 0 {
			text += jsonc(t, eol, 3, true) + gaps(t, eol)
		}
		text += rapid.SampledFrom([]string{"", "", "// the end", "\n"}).Draw(t, "end")
		file := []byte(text)
		var steps [][]byte
		entries := []install.Entry{server(), question()}
		for _, e := range entries {
			if found, err := install.JSON.Find(file, e); err != nil || found != nil {
				t.Fatalf("found %v, %v in\n%q", found, err, file)
			}
			added, err := install.JSON.Add(file, e)
			if err != nil {
				t.Fatalf("%v of\n%q", err, file)
			}
			if !subsequence(file, added) || otherLines(file, added) > 2 {
				t.Fatalf("\n%q\nbecame\n%q", file, added)
			}
			checkJSON(t, file, added, e)
			steps, file = append(steps, file), added
		}
		for i := len(entries) - 1; i >= 0; i-- {
			removed, err := install.JSON.Remove(file, entries[i])
			if err != nil || !bytes.Equal(removed, steps[i]) || removed == nil {
				t.Fatalf("%v: with %s\n%q\nbecame\n%q\nwithout\n%q", err, entries[i].Path, steps[i], file, removed)
			}
			file = removed
		}
	})
}

// checkJSON looks with another parser that a file says an entry, and what it said
// before.
func checkJSON(t *rapid.T, before, after []byte, e install.Entry) {
	found, err := install.JSON.Find(after, e)
	if err != nil || found == nil || !found.Says(e) {
		t.Fatalf("found %v, %v in\n%q", found, err, after)
	}
	was, is := strict(t, before), strict(t, after)
	own := valueAt(is, e.Path)
	if e.By != "" {
		items := own.([]any)
		own = items[len(items)-1]
		holder := valueAt(is, e.Path[:len(e.Path)-1]).(map[string]any)
		holder[e.Path[len(e.Path)-1]] = items[:len(items)-1]
		if old, _ := valueAt(was, e.Path).([]any); len(items) == 1 && old == nil {
			delete(holder, e.Path[len(e.Path)-1])
		}
	} else {
		delete(valueAt(is, e.Path[:len(e.Path)-1]).(map[string]any), e.Path[len(e.Path)-1])
	}
	if holder, ok := valueAt(is, e.Path[:1]).(map[string]any); ok && len(holder) == 0 && valueAt(was, e.Path[:1]) == nil {
		delete(is.(map[string]any), e.Path[0])
	}
	if was == nil {
		was = map[string]any{}
	}
	var want any
	if json.Unmarshal(e.Value, &want) != nil || !reflect.DeepEqual(own, want) || !reflect.DeepEqual(is, was) {
		t.Fatalf("\n%q\nbecame\n%q\nwhich says %v besides %v, not %v", before, after, is, own, was)
	}
}
