package translate_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// sequence is a file of what a harness was recorded to hand over.
type sequence struct {
	Harness string `json:"harness"`
	Steps   []struct {
		Payload json.RawMessage `json:"payload"`
	} `json:"steps"`
}

// FuzzRead reads whatever a harness may hand over, and takes it: it is read without a
// panic, each update of it is taken or refused, and what is taken is a sound list.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../tools/toolstest/samples/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("there are no samples: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		var s sequence
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err != nil {
			f.Fatal(err)
		}
		for _, step := range s.Steps {
			f.Add(s.Harness, []byte(step.Payload))
		}
	}
	for _, harness := range translate.Harnesses() {
		for _, payload := range []string{``, `null`, `[]`, `{}`, `{"tool_name":[],"tool_input":7}`, `{"session_id":"\u0000/..","hook_event_name":"SessionEnd"}`,
			`{"session_id":"s","tool_name":"TodoWrite","tool_input":{"todos":[{"content":" ","status":"\n"},null,[]]}}`} {
			f.Add(harness, []byte(payload))
		}
	}
	f.Fuzz(func(t *testing.T, harness string, payload []byte) {
		said, err := translate.Read(harness, payload, "given")
		if err != nil && (err.Error() == "" || said.Session == "" && len(said.Updates) > 0) {
			t.Fatalf("%v beside %+v", err, said)
		}
		s := &session{t: t, book: emptyBook(), now: start}
		for _, u := range said.Updates {
			if u.List == nil && u.Change == nil {
				t.Fatalf("an update says nothing: %+v", u)
			}
			var refused *records.Refusal
			if _, err := s.try(u); err != nil && !errors.As(err, &refused) {
				t.Fatalf("%+v: %v", u, err)
			}
		}
		if faults := s.book.Faults(); len(faults) > 0 {
			t.Fatalf("the list has %v", faults)
		}
	})
}
