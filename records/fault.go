package records

import (
	"strconv"
	"strings"
)

// Fault is one thing that is wrong with a file, said so that a person can mend
// it. The same shape serves for what makes a file no record at all and for what
// is merely worth a warning.
type Fault struct {
	// Path is the file, from the top of the tree, with slashes.
	Path string
	// Line counts from 1; 0 means the file as a whole.
	Line int
	// Field is the frontmatter key it is about, "" for none.
	Field string
	// Reason says what is wrong.
	Reason string
	// Mend is what belongs in the place of the line, one line or several with
	// "\n" between them; where Line is 0, what belongs before all others. Where
	// no line would mend it Mend says what to do, and it is "" where that is not
	// known.
	Mend string
	// Held says that it is wrong because another holds the task, and will be right
	// once nobody does.
	Held bool
}

// String gives "tasks/t7.md:3: reason", or "tasks/t7.md: reason" for the file
// as a whole. It is one line whatever the file's name holds.
func (f Fault) String() string {
	at := Visible(f.Path)
	if f.Line > 0 {
		at += ":" + strconv.Itoa(f.Line)
	}
	return at + ": " + Visible(f.Reason)
}

// Explain gives String and, in lines of their own, what mends it, where that is
// known:
//
//	tasks/t7.md:3: reason
//	    mend: title: "a: b"
func (f Fault) Explain() string {
	if f.Mend == "" {
		return f.String()
	}
	text := f.String() + "\n    mend: "
	for i, line := range strings.Split(f.Mend, "\n") {
		if i > 0 {
			text += "\n          "
		}
		text += Visible(line)
	}
	return text
}
