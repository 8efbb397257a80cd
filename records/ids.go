package records

import (
	"strconv"
	"strings"
)

// What lies where in the tree.
const (
	// TaskDir is the folder every task file lies under.
	TaskDir = "tasks"
	// PlanDir is the folder every plan file lies under.
	PlanDir = "plans"
	// SignersFile holds the public keys that the host's commits are proved with, in
	// the form of git's allowed signers file. It is the host's alone.
	SignersFile = ".git-tasks/allowed_signers"
)

// Kind says which of the two collections a record belongs to. Its zero value
// is neither.
type Kind uint8

// The two kinds of record.
const (
	TaskKind Kind = iota + 1
	PlanKind
)

// letter gives what the ids of the kind begin with: "t" or "p", "" for neither.
func (k Kind) letter() string {
	switch k {
	case TaskKind:
		return "t"
	case PlanKind:
		return "p"
	}
	return ""
}

// noun gives what a record of the kind is called: "plan", else "task".
func (k Kind) noun() string {
	if k == PlanKind {
		return "plan"
	}
	return "task"
}

// Dir gives the top folder of the kind: TaskDir or PlanDir, "" for neither.
func (k Kind) Dir() string {
	switch k {
	case TaskKind:
		return TaskDir
	case PlanKind:
		return PlanDir
	}
	return ""
}

// maxDigits bounds the number of an id, so that it always fits an int and a
// file name.
const maxDigits = 9

// maxNumber is the last number there is.
const maxNumber = 999_999_999

// ParseID reads an id: t or p, then one to nine digits without a leading zero.
// Anything else, spaces included, is not an id.
func ParseID(id string) (Kind, int, bool) {
	if len(id) < 2 || len(id) > 1+maxDigits {
		return 0, 0, false
	}
	var k Kind
	switch id[0] {
	case 't':
		k = TaskKind
	case 'p':
		k = PlanKind
	default:
		return 0, 0, false
	}
	n := 0
	for i := 1; i < len(id); i++ {
		c := id[i]
		if c < '0' || c > '9' || i == 1 && c == '0' {
			return 0, 0, false
		}
		n = n*10 + int(c-'0')
	}
	return k, n, true
}

// formatID gives the id of number n in the collection k.
func formatID(k Kind, n int) string {
	return k.letter() + strconv.Itoa(n)
}

// PathOf gives where the record of an id lies: the number without its last two
// digits spells the folders, two digits a level counted from the right, so
// that no folder ever holds more than about two hundred entries. PathOf("t7")
// is "tasks/t7.md", PathOf("t12345") is "tasks/1/23/t12345.md". It is "" for
// what is not an id.
func PathOf(id string) string {
	k, n, ok := ParseID(id)
	if !ok {
		return ""
	}
	return string(appendPath(nil, k, n))
}

// appendPath appends where the record of number n lies in the collection k.
func appendPath(b []byte, k Kind, n int) []byte {
	b = append(append(b, k.Dir()...), '/')
	if n >= 100 {
		var digits [maxDigits]byte
		folders := strconv.AppendInt(digits[:0], int64(n/100), 10)
		for len(folders) > 0 {
			cut := 2 - len(folders)%2
			b = append(append(b, folders[:cut]...), '/')
			folders = folders[cut:]
		}
	}
	b = append(b, k.letter()...)
	return append(strconv.AppendInt(b, int64(n), 10), ".md"...)
}

// highestPath gives the one-line file that remembers the highest id a collection
// ever held once that id has left the tree.
func highestPath(k Kind) string { return k.Dir() + "/.highest" }

// kindOfPath gives the collection a path lies in, 0 when it lies in neither.
func kindOfPath(path string) Kind {
	switch {
	case strings.HasPrefix(path, TaskDir+"/"):
		return TaskKind
	case strings.HasPrefix(path, PlanDir+"/"):
		return PlanKind
	}
	return 0
}

// idOfPath gives the id that a file's name spells within its own collection, ""
// when it spells none.
func idOfPath(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	id, ok := strings.CutSuffix(name, ".md")
	if !ok {
		return ""
	}
	if k, _, ok := ParseID(id); !ok || k != kindOfPath(path) {
		return ""
	}
	return id
}
