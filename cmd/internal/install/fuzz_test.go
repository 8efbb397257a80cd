package install_test

import (
	"bytes"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/install"
)

// FuzzComesBack: whatever a file holds, it is refused, or it comes back byte for
// byte, and what Add gives is a file that can be read.
func FuzzComesBack(f *testing.F) {
	for _, text := range []string{
		"", "{}", "[]", "null", "// a\n", "/* a */ {\n\t\"s\": { // b\n\t}, /* c */\n}\n", "\ufeff{\"s\":{\"a\":[1,2,{}],},\"b\":\"\\u00e9\\\"\"}",
		"{\"s\":{\"t\":{\"c\":\"x\"}}}", "{ \"s\" : [\r\n{\"id\":\"x\"}\r\n] }", "{\"s\":{\"a\":1 // b\r\n}}",
		"a = 1", "[s]\nb = \"\"\"\n[s.t]\n\\\n x\"\"\"\n# c\n", "s.a.b = { c = [1, # d\n2], 'e' = 1979-05-27 07:32:00 }\r\n", "[s.t]\nc = 'x'\n\n[[z]]\n",
		"\ufeff[s.u]\r\n\r\n\r\n", "[s.t.u]\n[a]\n",
	} {
		f.Add([]byte(text))
	}
	list := install.Entry{Path: []string{"s"}, By: "id", Value: []byte(`{"id":"y"}`)}
	f.Fuzz(func(t *testing.T, file []byte) {
		comesBack(t, install.JSON, file, small())
		comesBack(t, install.JSON, file, list)
		comesBack(t, install.TOML, file, small())
	})
}

func comesBack(t *testing.T, format install.Format, file []byte, e install.Entry) {
	found, err := format.Find(file, e)
	if err != nil {
		return
	}
	added, err := format.Add(file, e)
	if err != nil {
		return
	}
	if now, err := format.Find(added, e); err != nil || now == nil || !now.Says(e) {
		t.Fatalf("%q\nbecame\n%q,\nwhich says %+v, %v", file, added, now, err)
	}
	removed, err := format.Remove(added, e)
	switch {
	case err != nil:
		t.Fatalf("%q\nbecame\n%q: %v", file, added, err)
	case found == nil && (removed == nil || !bytes.Equal(removed, file)):
		t.Fatalf("%q\nbecame\n%q,\nand came back as\n%q", file, added, removed)
	}
	if removed == nil {
		removed = []byte("{}")
	}
	if now, err := format.Find(removed, e); format == install.JSON && (err != nil || now != nil && found == nil) {
		t.Fatalf("%q\nbecame\n%q\nand then\n%q, which says %+v, %v", file, added, removed, now, err)
	}
}
