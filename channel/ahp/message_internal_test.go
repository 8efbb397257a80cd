package ahp

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzRead: of whatever a client sends, one thing is made: a request, a fault to
// answer under an id that is JSON, or nothing.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		``, `{`, `null`, `[]`, `{}`, `"x"`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"channel":"ahp-root:"}}`,
		`{"jsonrpc":"2.0","method":"ping"}`, `{"id":1}`, `{"id":null,"method":"ping"}`, `{"id":1,"result":null}`, `{"jsonrpc":"2.0","id":1,"method":""}`,
		`{"jsonrpc":"2.0","id":1,"id":[],"method":"ping","METHOD":7}`, strings.Repeat("[", 20_000), "{\"id\":\"\xff\"}", ` { } `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		r, id, fault := read(frame)
		if r != nil && fault != nil || fault == nil && id != nil {
			t.Fatalf("%q is %v, %v under %s", frame, r, fault, id)
		}
		if fault != nil {
			if data, err := json.Marshal(failed(id, fault)); err != nil || !json.Valid(data) {
				t.Fatalf("%q is answered %s, %v", frame, data, err)
			}
		}
		if r == nil {
			return
		}
		if r.method == "" || r.id != nil && !json.Valid(r.id) {
			t.Fatalf("%q is a request of %q under %s", frame, r.method, r.id)
		}
		if uri, err := r.channel(); err == nil && (uri == "" || uri == "ahp-root:") {
			t.Fatalf("%q is on %q", frame, uri)
		}
	})
}

// TestCase121Versions: the highest that both speak is chosen, in the client's words.
func TestCase121Versions(t *testing.T) {
	t.Parallel()
	for offered, want := range map[string]string{
		"0.9.0 1.1.0": "1.1.0", "0.10.0": "", "1.0.0 1.0.0": "1.0.0", "0.9.12 0.8.0": "0.9.12", "2.0.0 0.9.0": "0.9.0", "1.99999999999.0 1.2.0": "1.99999999999.0",
		"1.2.3 1.10.0 1.9.9": "1.10.0", "1.1": "bad", "1.1.0-rc1": "bad", "1.1.0+x": "bad", "01.1.0": "bad", "1.1.99999999999999999999": "bad",
		"v1.1.0": "bad", "1.1.0 x": "bad", "1..0": "bad", "-1.0.0": "bad", "1.1.0.0": "bad",
	} {
		got, err := choose(strings.Fields(offered))
		if err != nil {
			got = map[bool]string{true: "", false: "bad"}[faultOf(err).Code == codeNoVersion]
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", offered, got, err, want)
		}
	}
}
