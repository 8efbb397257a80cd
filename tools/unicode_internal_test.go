package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestUnkept names what JSON says and a text cannot hold.
func TestUnkept(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"a"`: "", `"\u00e9 \ud83d\ude00"`: "", `"\\ud800"`: "", `"\\\ud800"`: `\ud800 is half of a character`,
		`"\ud800"`: `\ud800 is half of a character`, `"\ud800\u0041"`: `\ud800 is half of a character`,
		`"\uDC00\uD800"`: `\uDC00 is half of a character`, `"\ud800\ud800\udc00"`: `\ud800 is half of a character`,
		"\"a\xffb\"": "byte 0xff is none", "\"\xed\xa0\x80\"": "byte 0xed is none", `["a", "\udfff"]`: `\udfff is half of a character`,
		`"\u"`: "", `"\ufffd"`: "", `7`: "",
	} {
		if got := unkept([]byte(raw)); got != want {
			t.Errorf("of %q is not kept: %q, want %q", raw, got, want)
		}
	}
}

// TestP14KeptIsKept: whatever text is let pass comes out as it went in.
func TestP14KeptIsKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{`\ud83d`, `\ude00`, `\u0041`, `\\`, `\"`, "é", "x", "\xff", "\xe2\x82", "u", "d800"})).Draw(t, "parts")
		raw := `"` + strings.Join(parts, "") + `"`
		var s string
		if unkept([]byte(raw)) != "" || json.Unmarshal([]byte(raw), &s) != nil {
			return
		}
		if strings.ContainsRune(s, utf8.RuneError) {
			t.Fatalf("%q was let pass and reads %q", raw, s)
		}
	})
}
