package records

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Merged is what Merge made of three versions of a file.
type Merged struct {
	// Data is the file as it comes to be, nil for one that goes.
	Data []byte
	// Overruled is what one side changed and Data does not say.
	Overruled []Overruled
	// Apart is the pushed file, without its id, where both sides added one of that
	// name: Data is the branch's then, and Apart a draft that needs a name of its
	// own.
	Apart []byte
	// Faults is why there is no Data: what the sides make together is no record.
	Faults []Fault
}

// Overruled is one change that gave way to another in a merge: it is in history
// alone, so the merge has to name it.
type Overruled struct {
	// Path is the file.
	Path string
	// Field is the key, "metadata.x" for one of its texts, "body" or "goal",
	// "comment" for one in the frontmatter, "text" or "content" of a file that is no
	// record, "" for the file as a whole, which one side took out.
	Field string
	// Lost is the value that gave way, Kept the one that stands, both as text, ""
	// for none.
	Lost, Kept string
	// Pushed reports that the push gave way, else the branch did.
	Pushed bool
}

// shownValue is how many bytes of a value String shows.
const shownValue = 400

// String says it in one line, safe to be shown:
//
//	tasks/t7.md: title "B" of the branch gave way to "A"
func (o Overruled) String() string { return o.Said("the push") }

// Said is String of another thing than a push that was merged, such as "the edit".
func (o Overruled) Said(pushed string) string {
	side, other := "the branch", pushed
	if o.Pushed {
		side, other = other, side
	}
	if o.Field == "" {
		return Visible(fmt.Sprintf("%s: %s took it out; what %s made of it stands", o.Path, side, other))
	}
	return Visible(fmt.Sprintf("%s: %s %s of %s gave way to %s", o.Path, o.Field, shown(o.Lost), side, shown(o.Kept)))
}

func shown(text string) string {
	if text == "" {
		return "(nothing)"
	}
	if len(text) > shownValue {
		text = strings.ToValidUTF8(text[:shownValue], "") + "…"
	}
	return quote(text)
}

// Merge makes one file of three versions: base is what both sides come from,
// branch what is on the branch, pushed what a person brings; nil for a version
// that does not have the file. In a clone the branch is the side that is on the
// remote. Which of the two git calls ours is of no matter to it.
//
// In a record each field is merged by itself. Where one side alone changed it, that
// stands. Where both did: of a scalar the push's, of an owner and a lease the
// branch's, of a stamp the first, of approved and reviewed the later; labels, refs
// and blockedBy are sets, metadata goes by its keys, the body by its lines; a key
// that is not ours is one piece of text. Where both sides can be read and no record
// comes of the push's values, the branch's stand. Whatever gives way is named in
// Overruled. Comments, order, quotes and line ends stay as the sides have them, and
// no conflict marker is ever written.
//
// A file that only one side took out, while the other changed it, stays. A file
// of one name that both sides added is two records, never one: see Apart.
// .highest is the higher of the two. Any other file, and a record that one of the
// versions cannot be read as, is merged by its lines.
func Merge(path string, base, branch, pushed []byte) Merged {
	kind := kindOfPath(path)
	isRecord := kind != 0 && strings.HasSuffix(path, ".md") && path != kind.Dir()+"/README.md"
	if isRecord && len(base) == 0 {
		base = nil // git shows a file that is not there as an empty one
	}
	m := &merging{path: path, kind: kind}
	switch {
	case kind != 0 && path == highestPath(kind):
		return Merged{Data: higher(kind, branch, pushed)}
	case same3(branch, pushed), same3(base, pushed):
		return Merged{Data: branch}
	case same3(base, branch):
		return Merged{Data: pushed}
	case branch == nil:
		m.lose("", "", "", false)
		return Merged{Data: pushed, Overruled: m.over}
	case pushed == nil:
		m.lose("", "", "", true)
		return Merged{Data: branch, Overruled: m.over}
	case !isRecord:
		return Merged{Data: m.text(base, branch, pushed), Overruled: m.over}
	case base == nil:
		return m.apart(branch, pushed)
	}
	return m.record(base, branch, pushed)
}

// same3 reports whether two versions are the same; none is not an empty file.
func same3(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// merging is one file being merged.
type merging struct {
	path string
	kind Kind
	over []Overruled
}

func (m *merging) lose(field, lost, kept string, pushed bool) {
	m.over = append(m.over, Overruled{Path: m.path, Field: field, Lost: lost, Kept: kept, Pushed: pushed})
}

// higher gives the .highest with the higher number, the branch's of equal ones.
func higher(k Kind, branch, pushed []byte) []byte {
	number := func(data []byte) int {
		kind, n, _ := ParseID(strings.TrimSpace(string(data)))
		if data == nil || kind != k {
			return -1
		}
		return n
	}
	if number(pushed) > number(branch) {
		return pushed
	}
	return branch
}

// apart keeps the record of the branch and makes a draft of the pushed one.
func (m *merging) apart(branch, pushed []byte) Merged {
	r, _, err := readLoose(m.kind, pushed)
	if err != nil {
		return Merged{Faults: Parse(m.path, pushed).Faults}
	}
	var draft []byte
	if r.task != nil {
		t := *r.task
		t.ID = ""
		draft, err = Splice(pushed, &t)
	} else {
		p := *r.plan
		p.ID = ""
		draft, err = Splice(pushed, &p)
	}
	if err != nil {
		return Merged{Faults: []Fault{{Path: m.path, Field: "id", Reason: "is a name that the branch has given to another record; " +
			"its id cannot be taken out", Mend: mendID}}}
	}
	return Merged{Data: branch, Apart: draft}
}

// text merges a file by its lines. What is no text is not cut: the push's stands.
func (m *merging) text(base, branch, pushed []byte) []byte {
	if !isText(base) || !isText(branch) || !isText(pushed) {
		m.lose("content", fmt.Sprintf("%d bytes", len(branch)), fmt.Sprintf("%d bytes", len(pushed)), false)
		return pushed
	}
	b, s, p, eol := sameEOL(base, branch, pushed)
	return []byte(m.lines("text", b, s, p, eol))
}

func isText(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

// lines merges three texts by their lines and names what clashed as of a field.
func (m *merging) lines(field string, base, branch, pushed, eol string) string {
	b, s, p := splitLines([]byte(base)), splitLines([]byte(branch)), splitLines([]byte(pushed))
	merged, clashes := mergeLines(b, s, p)
	for _, c := range clashes {
		m.lose(field, chomp(joinLines(c.branch, eol)), chomp(joinLines(c.pushed, eol)), false)
	}
	text := joinLines(merged, eol)
	ends := func(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }
	switch end := pick(ends(base), ends(branch), ends(pushed)); {
	case text == "" || end == ends(text):
	case end:
		text += eol
	default:
		text = chomp(text)
	}
	return text
}

// pick is the three-way rule: what one side changed, of two changes the push's.
func pick[T comparable](base, branch, pushed T) T {
	if pushed == base {
		return branch
	}
	return pushed
}

// sameEOL gives the three versions with the line ends that the merged file is to
// have, as text, and those.
func sameEOL(base, branch, pushed []byte) (b, s, p, eol string) {
	crlf := pick(isCRLF(base), isCRLF(branch), isCRLF(pushed))
	turn := func(data []byte) string {
		text := string(data)
		switch is := isCRLF(data); {
		case is == crlf:
		case is:
			text = strings.ReplaceAll(text, "\r\n", "\n")
		default:
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		}
		return text
	}
	if eol = "\n"; crlf {
		eol = "\r\n"
	}
	return turn(base), turn(branch), turn(pushed), eol
}

// isCRLF reports whether the first line of a file ends in CR LF.
func isCRLF(data []byte) bool {
	line, _ := lineAt(data, 0)
	return bytes.HasSuffix(line, []byte("\r\n"))
}
