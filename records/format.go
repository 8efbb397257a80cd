package records

import (
	"fmt"
	"slices"
	"strings"
)

// Formatted is what Format made of a file.
type Formatted struct {
	// Path is where the file belongs: where it lies, unless that is the wrong folder.
	Path string
	// Data is its text.
	Data []byte
	// Notes says what was mended, a line each, none where nothing was.
	Notes []string
}

// mendedLines bounds how many lines of one file are mended.
const mendedLines = maxKeys

// Format mends in a file what needs no person to decide: text that YAML cannot
// read, or of which it drops a part, is put in quotes as it was typed
// (`title: a: b`, `@ana`, `[WIP] x`, `*x*`, `!x`, `Fix #12`), and a record in a wrong
// folder gets its path. Nothing else is changed or added: a file that reads as it
// is comes back byte for byte, and what else is wrong is left to Parse to tell.
// A comment that looks like one (`# why`, a blank behind the mark) stays one.
func Format(path string, data []byte) Formatted {
	f := Formatted{Path: path, Data: data}
	kind := kindOfPath(path)
	if kind == 0 || path == highestPath(kind) || path == kind.Dir()+"/README.md" || !strings.HasSuffix(path, ".md") {
		return f
	}
	p := Parse(path, data)
	for range mendedLines {
		next, field, line := inQuotes(f.Data, slices.Concat(p.Faults, p.Warnings))
		if next == nil {
			break
		}
		again := Parse(path, next)
		if stillWrong(again, line) {
			break
		}
		f.Notes = append(f.Notes, Visible(fmt.Sprintf("%s:%d: put %s in quotes", path, line, field)))
		f.Data, p = next, again
	}
	id := idOfPath(path)
	if home := PathOf(id); home != "" && home != path && p.Record() != nil {
		f.Path = home
		f.Notes = append(f.Notes, Visible(fmt.Sprintf("%s: moved to %s, where %s belongs", path, home, id)))
	}
	return f
}

// stillWrong reports whether something is said of a line that was mended.
func stillWrong(p Parsed, line int) bool {
	return slices.ContainsFunc(slices.Concat(p.Faults, p.Warnings), func(f Fault) bool { return f.Line == line })
}

// inQuotes gives a file with the first line put in quotes that quotes would mend,
// nil where there is none.
func inQuotes(data []byte, faults []Fault) (next []byte, field string, line int) {
	lines := splitLines(data)
	for _, f := range faults {
		if f.Line < 1 || f.Line > len(lines) || f.Mend == "" {
			continue
		}
		old := lines[f.Line-1]
		text := chomp(old)
		if !onlyQuotes(text, f.Mend) {
			continue
		}
		next := slices.Clone(lines)
		next[f.Line-1] = f.Mend + old[len(text):]
		field := f.Field
		if field == "" {
			field = "the text"
		}
		return []byte(strings.Join(next, "")), field, f.Line
	}
	return nil, "", 0
}

// onlyQuotes reports whether a mend is the line with its text, all of it, in
// quotes.
func onlyQuotes(line, mend string) bool {
	head, text := splitValue(line)
	item := strings.TrimLeft(line, " \t")
	if rest, ok := strings.CutPrefix(item, "- "); ok && !strings.HasPrefix(mend, head+`"`) {
		// An item with a colon in it was meant as text.
		text = strings.TrimSpace(rest)
		head = line[:len(line)-len(strings.TrimLeft(rest, " "))]
	}
	if at := commentAt(text); at > 0 && (at+1 == len(text) || text[at+1] == ' ' || text[at+1] == '\t') {
		return false
	}
	return text != "" && mend == head+quote(unwrap(text))
}
