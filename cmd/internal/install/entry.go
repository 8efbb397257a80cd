package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Format is how a settings file is written.
type Format uint8

// The formats of settings files.
const (
	JSON Format = iota + 1 // with comments and trailing commas, where the file has them
	TOML
)

// Entry is one thing that a settings file is to say.
type Entry struct {
	// Path has the keys from the top of the file. The last one is the entry's
	// own, unless By says otherwise.
	Path []string
	// Value is what stands there, as JSON in any format; in TOML it is an
	// object.
	Value json.RawMessage
	// By, where it is not empty, makes the entry an item of the list at Path:
	// the one that has the same under this key as Value. TOML has no such items.
	By string
	// Is, where it is not nil, makes the entry such an item as well: the one of
	// which it says so, given as JSON without comments.
	Is func(item json.RawMessage) bool
	// In, where it is not nil, is an item that holds the entry: Path begins
	// there. An item that is not there is not made.
	In *Entry
}

// isItem reports whether the entry is an item of a list.
func (e Entry) isItem() bool { return e.By != "" || e.Is != nil }

// Found is an entry as a file has it.
type Found struct {
	Value json.RawMessage // as JSON, without comments
	Line  int             // where it begins, counted from 1
}

// Says reports whether what was found is what the entry is to say, in whatever
// layout and order.
func (f *Found) Says(e Entry) bool {
	var is, want any
	return json.Unmarshal(f.Value, &is) == nil && json.Unmarshal(e.Value, &want) == nil && reflect.DeepEqual(is, want)
}

// Find gives the entry of a file that stands where e would, nil for none. A file
// that is nil is one that is not there.
func (f Format) Find(file []byte, e Entry) (*Found, error) {
	if f == TOML {
		return findTOML(file, e)
	}
	return findJSON(file, e)
}

// Add gives the file that says the entry: what is there in its place is
// replaced, and everything else stays byte for byte, in the file's own layout.
func (f Format) Add(file []byte, e Entry) ([]byte, error) {
	found, err := f.Find(file, e)
	switch {
	case err != nil:
		return nil, err
	case found != nil && found.Says(e):
		return file, nil
	case f == TOML:
		return addTOML(file, e)
	}
	return addJSON(file, e)
}

// Remove gives the file without the entry. What [Add] gave becomes byte for byte
// what it was given: nil where there was no file. A file that lacks the entry
// stays as it is.
func (f Format) Remove(file []byte, e Entry) ([]byte, error) {
	if f == TOML {
		return removeTOML(file, e)
	}
	return removeJSON(file, e)
}

// fault says what is wrong with a file, and where.
type fault struct {
	line int
	text string
}

func (f *fault) Error() string { return fmt.Sprintf("line %d: %s", f.line, f.text) }

// faultAt is a fault at an offset of a file.
func faultAt(data []byte, at int, format string, args ...any) error {
	return &fault{lineOf(data, at), fmt.Sprintf(format, args...)}
}

func lineOf(data []byte, at int) int { return 1 + bytes.Count(data[:at], []byte("\n")) }

// eolOf is how a file ends its lines: as it does the first.
func eolOf(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// piece is a stretch of the old text and what comes in its place.
type piece struct {
	start, end int
	text       string
}

// spliced is a text with pieces put in, which stand in its order.
func spliced(data []byte, pieces ...piece) []byte {
	text := []byte{} // never nil, which is no file
	at := 0
	for _, p := range pieces {
		text = append(append(text, data[at:p.start]...), p.text...)
		at = p.end
	}
	return append(text, data[at:]...)
}
