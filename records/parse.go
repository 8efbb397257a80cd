package records

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Parsed is what Parse made of one file.
type Parsed struct {
	// Task or Plan is what the file says, for a draft as well; both are nil
	// when there are Faults.
	Task *Task
	Plan *Plan
	// Draft reports a file that can be read and has no id yet.
	Draft bool
	// Faults is what makes the file no record, Warnings what its reader should
	// know although it is one. Both are in the order of their lines.
	Faults   []Fault
	Warnings []Fault

	lines referenceLines
}

// referenceLines is where in a task's file it names others, and its rank among
// them, 0 for nowhere.
type referenceLines struct{ plan, parent, rank, blockedBy int }

// Record gives the Task or the Plan, whichever there is, nil when there are
// Faults.
func (p Parsed) Record() Record { return recordOf(p.Task, p.Plan) }

// Parse reads one file. The path, from the top of the tree, says which kind of
// record it is and which id it must have. Whatever the bytes are, Parse neither
// panics nor takes long: the limits are judged before YAML is.
func Parse(path string, data []byte) Parsed { return parse(path, string(data)) }

func parse(path, text string) Parsed {
	kind, id := kindOfPath(path), idOfPath(path)
	if p, ok := readCanonical(kind, id, text); ok {
		return p
	}
	r := &reader{path: path, kind: kind, named: id}
	if r.kind == 0 {
		r.file("lies neither under tasks/ nor under plans/", "")
		return r.parsed()
	}
	r.read([]byte(text))
	return r.parsed()
}

// reader takes one file apart and gathers what is wrong with it.
type reader struct {
	path string
	kind Kind
	// named is the id that the file's name spells; loose takes any id, as when
	// a record is compared with what it was.
	named string
	loose bool
	// proving reads a mend, whose own faults need none.
	proving bool

	sheet  sheet
	lines  []string
	root   *yaml.Node
	cursor cursor

	task     *Task
	plan     *Plan
	draft    bool
	faults   []Fault
	warnings []Fault
	// found counts the faults, those of one line and one reason each time.
	found int
	// provenBytes is what proving mends has read so far.
	provenBytes int
	// names is where a task names others.
	names referenceLines
}

func (r *reader) parsed() Parsed {
	byLine := func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) }
	slices.SortStableFunc(r.faults, byLine)
	slices.SortStableFunc(r.warnings, byLine)
	p := Parsed{Faults: r.faults, Warnings: r.warnings}
	if len(r.faults) == 0 {
		p.Task, p.Plan, p.Draft, p.lines = r.task, r.plan, r.draft, r.names
	}
	return p
}

// read goes from the bytes to the fields, one gate after the other: what fails
// one is not shown to the next.
func (r *reader) read(data []byte) {
	if !r.takes(data) || !r.parse() || !r.sound() {
		return
	}
	switch r.kind {
	case TaskKind:
		r.readTask()
	case PlanKind:
		r.readPlan()
	}
}

// takes judges the bytes: size, encoding, fences, shape, and what YAML would
// only have a vague word for.
func (r *reader) takes(data []byte) bool {
	if len(data) > MaxRecord {
		r.file(fmt.Sprintf("has %d bytes: a record is at most 1 MiB", len(data)), "")
		return false
	}
	if !utf8.Valid(data) {
		r.badEncoding(data)
		return false
	}
	sheet, reason, line := cut(data)
	r.sheet = sheet
	if reason != "" {
		mend := ""
		if reason == noFrontmatter || reason == emptyFile {
			mend = r.mendFences()
		}
		r.add(Fault{Line: line, Reason: reason, Mend: mend})
		return false
	}
	if n := len(sheet.front()); n > maxFrontmatter {
		r.file(fmt.Sprintf("has %d bytes of frontmatter: at most 64 KiB", n), "")
		return false
	}
	r.lines = splitLines(sheet.front())
	if reason, i := overLimit(r.lines); reason != "" {
		r.add(Fault{Line: sheet.line + i, Reason: reason})
		return false
	}
	return r.plainText()
}

func (r *reader) badEncoding(data []byte) {
	at := 0
	for at < len(data) {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	r.add(Fault{
		Line: 1 + bytes.Count(data[:at], []byte("\n")),
		Reason: fmt.Sprintf("is not UTF-8: byte 0x%02x at column %d",
			data[at], utf8.RuneCount(data[start:at])+1),
		Mend: "save the file as UTF-8",
	})
}

// parse makes nodes of the frontmatter.
func (r *reader) parse() bool {
	root, err := decode(r.sheet.front())
	if err != nil {
		r.add(r.diagnose(err))
		return false
	}
	if reason, at := overLimitNode(root); at != nil {
		r.add(Fault{Line: r.at(at), Reason: reason})
		return false
	}
	r.root = root
	return true
}

var (
	errNoMap     = errors.New("frontmatter must be lines of `key: value`")
	errDocuments = errors.New("a second document begins in the frontmatter")
)

// decode gives the map at the top of a YAML text, empty for a text that holds
// nothing. A parser that gives up by a panic is an error like any other.
func decode(text []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml parser gave up: %v", p)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := d.Decode(&doc); err == io.EOF {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Column: 1}, nil
	} else if err != nil {
		return nil, err
	}
	var more yaml.Node
	if err := d.Decode(&more); err == nil {
		return nil, errDocuments
	} else if err != io.EOF {
		return nil, err
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errNoMap
	}
	return doc.Content[0], nil
}

// at gives the line of the file that a node begins on.
func (r *reader) at(n *yaml.Node) int { return r.sheet.line + n.Line - 1 }

// raw gives the line of the frontmatter that a node begins on, "" for none.
func (r *reader) raw(n *yaml.Node) string {
	if n.Line < 1 || n.Line > len(r.lines) {
		return ""
	}
	return chomp(r.lines[n.Line-1])
}

// namedFaults bounds how many faults of one file are named, and how many
// warnings: a person mends a few and looks again.
const namedFaults = 40

// full reports whether no more faults are named.
func (r *reader) full() bool { return r.found >= namedFaults }

func (r *reader) add(f Fault) {
	f.Path = r.path
	if !r.full() && !slices.Contains(r.faults, f) {
		r.faults = append(r.faults, f)
	}
	r.found++
}

func (r *reader) warn(f Fault) {
	f.Path = r.path
	r.warnings = append(r.warnings, f)
}

// file adds a fault of the file as a whole.
func (r *reader) file(reason, mend string) { r.add(Fault{Reason: reason, Mend: mend}) }
