package tools

import "testing"

func TestSessionURI(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "one": "ahp-session:/one", "/one": "ahp-session:/one", "//one": "ahp-session:/one",
		"ahp-session:/one": "ahp-session:/one", "x-y.z+1:two": "x-y.z+1:two", "1:2": "ahp-session:/1:2",
		":x": "ahp-session:/:x", "a b:c": "ahp-session:/a b:c", "é:x": "ahp-session:/é:x",
	} {
		if got := SessionURI(in); got != want {
			t.Errorf("%q gave %q, want %q", in, got, want)
		}
	}
}
