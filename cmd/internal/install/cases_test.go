package install_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// small is an entry that is easy to read in a table.
func small() install.Entry {
	return install.Entry{Path: []string{"s", "t"}, Value: json.RawMessage(`{"c":"x"}`)}
}

func formatOf(name string) install.Format {
	if name == "toml" {
		return install.TOML
	}
	return install.JSON
}

// TestAddInTheFilesLayout: what a person sees in the file.
func TestAddInTheFilesLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, before, after string }{
		{"json", "{}\n", "{\"s\": {\n  \"t\": {\n    \"c\": \"x\"\n  }\n}}\n"},
		{"json", "{\"s\":{}}", "{\"s\":{\"t\": {\"c\":\"x\"}}}"},
		{"json", "{\n    \"s\": {}\n}", "{\n    \"s\": {\"t\": {\n        \"c\": \"x\"\n    }}\n}"},
		{"json", `{"a": 1}`, `{"a": 1, "s": { "t": {"c":"x"} }}`},
		{"json", `{"a":1,"b":2}`, `{"a":1,"b":2,"s": { "t": {"c":"x"} }}`},
		{"json", "{ /* none */ }", "{ /* none */\n  \"s\": {\n    \"t\": {\n      \"c\": \"x\"\n    }\n  } }"},
		{"json", "// none\n", "// none\n{\n  \"s\": {\n    \"t\": {\n      \"c\": \"x\"\n    }\n  }\n}"},
		{"json", "// none", "{\n  \"s\": {\n    \"t\": {\n      \"c\": \"x\"\n    }\n  }\n}\n// none"},
		{"json", "{\r\n\t\"s\": {\r\n\t\t\"a\": 1, // one\r\n\t\t// \"b\": 2\r\n\t}\r\n}",
			"{\r\n\t\"s\": {\r\n\t\t\"a\": 1, // one\r\n\t\t\"t\": {\r\n\t\t\t\"c\": \"x\"\r\n\t\t},\r\n\t\t// \"b\": 2\r\n\t}\r\n}"},
		{"toml", "", "[s.t]\nc = \"x\""},
		{"toml", "a = 1", "a = 1\n\n[s.t]\nc = \"x\""},
		{"toml", "a = 1\r\n", "a = 1\r\n\r\n[s.t]\r\nc = \"x\"\r\n"},
	} {
		f := formatOf(c.format)
		got, err := f.Add([]byte(c.before), small())
		if err != nil || string(got) != c.after {
			t.Errorf("%v: %q became\n%q, not\n%q", err, c.before, got, c.after)
		}
		if again, err := f.Add(got, small()); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%v: twice %q became %q", err, c.before, again)
		}
		if back, err := f.Remove(got, small()); err != nil || back == nil || string(back) != c.before {
			t.Errorf("%v: %q came back as %q", err, c.before, back)
		}
	}
}

// TestRemoveFromWhatWasEdited: what others wrote since stays, and reads as it did.
func TestRemoveFromWhatWasEdited(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, before, after string }{
		{"json", `{"s": {"t": 1, "u": 2}}`, `{"s": { "u": 2}}`},
		{"json", `{"s": {"a": 1, "t": 1, "u": 2}}`, `{"s": {"a": 1, "u": 2}}`},
		{"json", "{\n  \"s\": {\n    \"t\": 1 // mine\n  }\n}", "{\n  \"s\": { // mine\n  }\n}"},
		{"json", "{\n  \"s\": {\n    \"t\": 1\n  },\n  \"z\": 0\n}", "{\n  \"z\": 0\n}"},
		{"json", "{\"s\": {\"a\": 1, // one\n\"t\": 1, \"u\": 2}}", "{\"s\": {\"a\": 1, // one\n \"u\": 2}}"},
		{"json", "{\"s\": {\"a\": 1, // one\n\"t\": 1}}", "{\"s\": {\"a\": 1 // one\n}}"},
		{"json", "{\"\\u0073\": {\"a\":1,\"\\u0074\": 1}}", "{\"\\u0073\": {\"a\":1}}"},
		{"json", `{"a": 1}`, `{"a": 1}`},
		{"toml", "[s.t]\nc = 1\n\n# of a\n[a]\nb = 1\n", "\n# of a\n[a]\nb = 1\n"},
		{"toml", "a = 1\n\n[s.t]\nc = 1\n[s.t.env]\nx = \"\"\"\n[b]\n\"\"\"\n\n[b]\nd = 1\n\n[s.t.tools.y]\nz = 1\n", "a = 1\n\n[b]\nd = 1\n"},
		{"toml", "a = 1\n[s.t]\nc = 1", "a = 1"},
		{"toml", "a = \"[s.t]\"\n", "a = \"[s.t]\"\n"},
	} {
		got, err := formatOf(c.format).Remove([]byte(c.before), small())
		if err != nil || string(got) != c.after {
			t.Errorf("%v: %q became\n%q, not\n%q", err, c.before, got, c.after)
		}
	}
}

// TestReplace: an entry that is there gets another value where it stands.
func TestReplace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, before, after string }{
		{"json", "{\n\t\"s\": {\n\t\t\"t\": {\n\t\t\t\"c\": \"y\"\n\t\t}, // mine\n\t}\n}", "{\n\t\"s\": {\n\t\t\"t\": {\n\t\t\t\"c\": \"x\"\n\t\t}, // mine\n\t}\n}"},
		{"json", `{"s": {"t": null, "u": 1}}`, `{"s": {"t": {"c":"x"}, "u": 1}}`},
		{"toml", "[s.t]\nc = \"y\" # old\nd = 1\n\n[s.t.env]\nx = 1\n\n[b]\n", "[s.t]\nc = \"x\"\n\n\n[b]\n"},
	} {
		got, err := formatOf(c.format).Add([]byte(c.before), small())
		if err != nil || string(got) != c.after {
			t.Errorf("%v: %q became\n%q, not\n%q", err, c.before, got, c.after)
		}
	}
}

// TestFaults: a file that cannot be changed is named by the line.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, file, says string }{
		{"json", "null", "line 1: the document must be an object"},
		{"json", "{\n\"s\": [1]}", `line 2: "s" must be an object`},
		{"json", "{\"s\": {},\n\n\"s\": {}}", `line 3: "s" stands twice; line 1 has it as well`},
		{"json", "{\"s\": {\"t\": 1,\n\"t\": 1}}", `line 2: "t" stands twice`},
		{"json", "{} {}", "there is more behind the end"},
		{"json", "{\n\"a\": 1\n\"b\": 2}", "line 3: must be JSON: '\"' stands where a comma or } should"},
		{"json", "{,}", "',' stands where a key in quotes should"},
		{"json", "{\"a\": [1,,2]}", "',' stands where a value should"},
		{"json", "{\"a\": 01}", `"01" is no value`},
		{"json", "{\"a\": 'x'}", `"'x'" is no value`},
		{"json", "{\"a\": \"x\n\"}", "a text does not end on its line"},
		{"json", "{\"a\": \"\\q\"}", "a text cannot be read"},
		{"json", "{\"a\": 1", "the document ends too early"},
		{"json", "{\"a\"", "the document ends too early"},
		{"json", "{ /* \n}", "a comment does not end"},
		{"json", "{ // a\rb\n}", "a comment holds a carriage return"},
		{"json", strings.Repeat("[", 20000), "it nests deeper than 10000 levels"},
		{"json", "\xff\xfe{\x00}\x00", "is no value"},
		{"toml", "a = 1\ns = {}\n", "line 2: s is not written as [s.t] here"},
		{"toml", "s.t.c = 1\n", "line 1: s is not written as [s.t] here"},
		{"toml", "[s]\nt = { c = 1 }\n", "line 2: s is not written as [s.t] here"},
		{"toml", "[[s]]\n", "line 1: [[s]] must be a table, not a list of them"},
		{"toml", "[s.t]\n[s.t]\n", "line 2: [s.t] stands twice"},
		{"toml", "[s.t]\nc = 1\nc = 2\n", "line 3: s.t.c stands twice"},
		{"toml", "a = \n", `line 1: must be TOML: '\n' stands where a value should`},
		{"toml", "a = 1 b\n", "'b' stands where the end of the line should"},
		{"toml", "a = yes\n", `"yes" is no value`},
		{"toml", "[a\n", "stands where ] should"},
		{"toml", "a = \"x\n", "a text does not end"},
		{"toml", "a = \"\\q\"\n", "there is no such escape"},
		{"toml", "a = \"\\u00", "an escape names no character"},
		{"toml", "a = \"\\", "there is no such escape"},
		{"toml", "a = \"\\ud800\"\n", "an escape names no character"},
		{"toml", "a = \"\x01\"\n", "a text holds a control character"},
		{"toml", "a = \"\xff\"\n", "a text is no UTF-8"},
		{"toml", "a = [1 2]\n", "'2' stands where a comma or ] should"},
		{"toml", "a = {b = 1 c = 2}\n", "'c' stands where a comma or } should"},
		{"toml", "a = {b = 1, b = 2}\n", `"b" stands twice`},
		{"toml", "\"\"\"a\"\"\" = 1\n", "a key cannot go over lines"},
		{"toml", "= 1\n", "'=' stands where a key should"},
		{"toml", "# a\rb\n", "stands where the end of the line should"},
		{"toml", "a = " + strings.Repeat("[", 20000), "it nests deeper than 10000 levels"},
	} {
		f := formatOf(c.format)
		if got, err := f.Add([]byte(c.file), small()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60q: Add gives %.60q, %v; not %s", c.file, got, err, c.says)
		}
	}
	list := install.Entry{Path: []string{"s"}, By: "id", Value: json.RawMessage(`{"id":"x"}`)}
	if _, err := install.JSON.Add([]byte(`{"s": {}}`), list); err == nil || !strings.Contains(err.Error(), `"s" must be a list`) {
		t.Errorf("an object for a list: %v", err)
	}
}

// TestFindOtherForms: TOML's other ways to write a table are found.
func TestFindOtherForms(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s = { t = { c = 'x' } }", "s.t.c = \"x\"", "[s]\nt.c = '''x'''", "[s]\nt = { 'c' = \"\\u0078\" }", "[ \"s\" . t ]\nc = \"\"\"\\\n  x\"\"\""} {
		found, err := install.TOML.Find([]byte(file), small())
		if err != nil || found == nil || !found.Says(small()) {
			t.Errorf("%q: %+v, %v", file, found, err)
		}
	}
	const all = "[s.t]\na = [1, 0x1f, 1979-05-27, true, nan, {b.c = 1.50}]\n[s.t.e]\n[[s.t.f]]\ng = 1\n"
	const want = `{"a":[1,"0x1f","1979-05-27",true,"nan",{"b":{"c":1.50}}],"e":{},"f":{"g":1}}`
	if found, err := install.TOML.Find([]byte(all), small()); err != nil || string(found.Value) != want {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDiffApplies: what a dry run prints is a patch that git takes.
func TestDiffApplies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	text := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "", "x"}), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		before := []byte(strings.Join(text.Draw(t, "before"), ""))
		after := []byte(strings.Join(text.Draw(t, "after"), ""))
		if rapid.Bool().Draw(t, "near") {
			after = append(append([]byte("x\n"), before...), "\nend"...)
		}
		e := install.Edit{Path: "f", Before: before, After: after}
		if rapid.Bool().Draw(t, "new") {
			e.Before = nil
		}
		if !e.Changes() || len(e.Before)+len(after) == 0 {
			return
		}
		os.Remove(path)
		if e.Before != nil {
			if err := os.WriteFile(path, e.Before, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git := exec.Command("git", "apply", "-p0", "--unidiff-zero", "-")
		git.Dir, git.Stdin = dir, strings.NewReader(e.Diff())
		git.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1"}
		out, err := git.CombinedOutput()
		got, _ := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, after) {
			t.Fatalf("%v %s\n%q\nbecame\n%q\nnot\n%q\nby\n%s", err, out, e.Before, got, after, e.Diff())
		}
	})
}
