package install

import (
	"bytes"
	"fmt"
	"strings"
)

// tableText is an entry as a table under its header, without the last line's end.
func tableText(e Entry, eol string) (string, error) {
	value, err := ordered(e.Value)
	if err != nil {
		return "", err
	}
	fields, ok := value.(object)
	if !ok {
		return "", fmt.Errorf("an entry of TOML must be an object")
	}
	keys := make([]string, len(e.Path))
	for i, key := range e.Path {
		keys[i] = tomlKey(key)
	}
	lines := []string{"[" + strings.Join(keys, ".") + "]"}
	for _, f := range fields {
		lines = append(lines, tomlKey(f.key)+" = "+tomlOf(f.value))
	}
	return strings.Join(lines, eol), nil
}

// addTOML puts a table at the end, behind an empty line: there it is under no
// other header. A file whose last line has no end is left without one.
func addTOML(file []byte, e Entry) ([]byte, error) {
	t, err := tablesOf(file, e)
	if err != nil {
		return nil, err
	}
	eol := eolOf(file)
	text, err := tableText(e, eol)
	switch {
	case err != nil:
		return nil, err
	case t.inline >= 0:
		return nil, otherForm(file, t, e)
	case len(t.tables) > 0:
		return t.replace(file, text, eol), nil
	case file == nil:
		return []byte(text + eol), nil
	case len(file) == 0:
		return []byte(text), nil
	case file[len(file)-1] == '\n':
		return append(append([]byte{}, file...), eol+text+eol...), nil
	}
	return append(append([]byte{}, file...), eol+eol+text...), nil
}

// otherForm says that an entry cannot be put in or taken out by the line.
func otherForm(file []byte, t *entryTables, e Entry) error {
	return faultAt(file, t.inline, "%s is not written as [%s] here; change it by hand", e.Path[0], strings.Join(e.Path, "."))
}

// replace puts the table where the first of the old ones begins.
func (t *entryTables) replace(file []byte, text, eol string) []byte {
	var pieces []piece
	for i, one := range t.tables {
		p := piece{one.start, one.end, ""}
		if i == 0 {
			p.text = text
			if file[one.end-1] == '\n' {
				p.text += eol
			}
		}
		pieces = append(pieces, p)
	}
	return spliced(file, pieces...)
}

// removeTOML takes the tables of an entry out, each with the empty line before
// it.
func removeTOML(file []byte, e Entry) ([]byte, error) {
	t, err := tablesOf(file, e)
	if err != nil {
		return nil, err
	}
	if t.inline >= 0 && t.first >= 0 {
		return nil, otherForm(file, t, e)
	}
	var pieces []piece
	for _, one := range t.tables {
		start := one.start
		if before := withoutEOL(file[:start]); len(before) < start && (len(before) == 0 || before[len(before)-1] == '\n') {
			start = len(before)
		}
		if file[one.end-1] != '\n' { // the end of the file, and of the line before
			start = len(withoutEOL(file[:start]))
		}
		if n := len(pieces); n > 0 {
			start = max(start, pieces[n-1].end)
		}
		pieces = append(pieces, piece{start, one.end, ""})
	}
	if len(pieces) == 0 {
		return file, nil
	}
	text := spliced(file, pieces...)
	if len(text) == 0 && bytes.HasSuffix(file, []byte("\n")) {
		return nil, nil
	}
	return text, nil
}

// withoutEOL is a text without the end of its last line.
func withoutEOL(data []byte) []byte {
	if shorter, ok := bytes.CutSuffix(data, []byte("\n")); ok {
		return bytes.TrimSuffix(shorter, []byte("\r"))
	}
	return data
}
