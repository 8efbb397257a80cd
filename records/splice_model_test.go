package records

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// handParts are the ways in which a person may write one key, comments and
// blank lines among them.
var handParts = map[string][]string{
	"":          {"", "# c\n", "\n", "\n# c\n\n", "  # in\n"},
	"title":     {"title: a\n", "title:   'it''s' # c\n", "title: \"x\\\"y\"# c\n", "title: >-\n  a\n\n  b\n", "title: a #12\n", "title:\n  a\n", "title: a\n  b # c\n", "\"title\": a\n", "title : a\n", "title: !x b\n"},
	"status":    {"status: todo\n", "status: doing   # c\n", "status: \"done\"\n", "'status': review\n"},
	"labels":    {"labels: []\n", "labels:\n", "labels: ~ # c\n", "labels: [a,b] # c\n", "labels: [ 'a', \"b,c\" , d ]\n", "labels: [a,\n  b # c\n  ]\n", "labels:\n- a\n- b # c\n", "labels:\n    # c\n    - 'a'\n\n    -   b\n", "labels: # c\n  - a\n  - b\n    c\n", "labels:\n  -\n    a\n", "labels:\n  - >-\n    a\n    b\n  - |\n    c\n", "labels:\n  - \"a\n    b\"\n"},
	"note":      {"note: |\n  # a\n  b\n", "note: \"a\n  b\" # c\n", "note: 'a\n\n  b'\n", "note: ahp:/x # c\n", "note: ''\n", "note: é # ü\n", "note: &a b\n"},
	"metadata":  {"metadata:\n  a: b # c\n\n  # d\n  e: 'f'\n", "metadata: {a: b, c: }\n", "metadata: {a: b,\n  c: d} # e\n", "metadata:\n    a: |\n      x\n    b: 1\n", "metadata: {}\n"},
	"created":   {"created:\n  at: 2026-10-18 # c\n  by: ana\n  own: 1\n", "created: {at: 2026-10-18T10:00Z, by: \"ana\", own: [1, yes]}\n", "created:\n    by: 12\n    at: '2026-10-18'\n"},
	"refs":      {"refs: [https://x.y/z]\n", "refs:\n  - https://x.y/z # c\n"},
	"own":       {"own: {a: [1, yes], b: !x c}\n", "own: |+\n  a\n\n", "own: 0x1f # c\n", "own: >\n  # a\n\n", "own:\n- a\n# c\n- b\n", "own: [a, # c\n  b]\n"},
	"blockedBy": {"blockedBy: t1, # c\n", "blockedBy: [t1]\n", "blockedBy:\n  - t1\n  # c\n"},
}

// handFile is a file as a person may have left it.
func handFile(rnd *rand.Rand) string {
	var keys []string
	for key := range handParts {
		keys = append(keys, key)
	}
	// The order of a map is random; ours has to be repeatable.
	slices.Sort(keys)
	rnd.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var b strings.Builder
	for _, key := range keys {
		if parts := handParts[key]; key == "title" || rnd.IntN(3) > 0 {
			b.WriteString(parts[rnd.IntN(len(parts))])
		}
		if rnd.IntN(4) == 0 {
			b.WriteString(handParts[""][rnd.IntN(len(handParts[""]))])
		}
	}
	text := "---\n" + b.String() + "---\n" + []string{"", "\n", "Body", "\nBody\n", "\n\nBody\n\n"}[rnd.IntN(5)]
	if rnd.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rnd.IntN(5) == 0 {
		text = byteOrderMark + text
	}
	return text
}

// TestP13HandWrittenFiles makes one change in files of every manner: it arrives,
// nothing else changes, and the file still reads.
func TestP13HandWrittenFiles(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 13)
	read := 0
	for range heavy(100_000) {
		old := handFile(rnd)
		r, _, err := readLoose(TaskKind, []byte(old))
		if err != nil {
			continue
		}
		read++
		if same, err := Splice([]byte(old), r.task); err != nil || string(same) != old {
			t.Fatalf("a change of nothing: %v\n%q\n%q", err, same, old)
		}
		f := fieldEdits[rnd.IntN(len(fieldEdits))]
		f.edit(r.task)
		data, err := Splice([]byte(old), r.task)
		if err != nil {
			t.Fatalf("setting %s: %v\n%s", f.key, err, old)
		}
		checkFieldLines(t, "made", f.key, []byte(old), data)
		if t.Failed() {
			t.Fatalf("%q", old)
		}
	}
	if read < heavy(100_000)/4 {
		t.Errorf("only %d files could be read", read)
	}
}
