package records

import (
	"fmt"
	"strings"
	"testing"
)

// TestP17Limits asks for the reason of each refusal.
func TestP17Limits(t *testing.T) {
	t.Parallel()
	file := func(front string) string { return head + "title: a\n" + front + "\n---\n" }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: v\n", i)
		}
		return b.String()
	}
	fill := func(n int) string {
		front := head[len("---\n"):] + "title: a\nnote: "
		return front + strings.Repeat("n", n-len(front)-1) + "\n"
	}
	for _, c := range []struct{ name, data, reason string }{
		{"64 KiB of frontmatter", "---\n" + fill(maxFrontmatter) + "---\n", ""},
		{"one byte more", "---\n" + fill(maxFrontmatter+1) + "---\n", "has 65537 bytes of frontmatter: at most 64 KiB"},
		{"1 MiB", head + "title: a\n---\n" + strings.Repeat("b", MaxRecord-len(head)-13), ""},
		{"1 MiB and a byte", head + "title: a\n---\n" + strings.Repeat("b", MaxRecord-len(head)-12), "has 1048577 bytes: a record is at most 1 MiB"},
		{"a line of 1 MiB", file("note: " + strings.Repeat("n", 1<<20)), "a record is at most 1 MiB"},
		{"256 keys", file(keys(maxKeys - 3)), ""},
		{"257 keys", file(keys(maxKeys - 2)), tooManyKeys},
		{"257 keys of a map", file("metadata:\n  " + strings.ReplaceAll(keys(maxKeys-3), "\n", "\n  ")), tooManyKeys},
		{"257 keys in braces", file("own: {" + strings.ReplaceAll(keys(maxKeys-3), "\n", ", ") + "}"), tooManyKeys},
		{"257 keys without values", file("own: {" + strings.Repeat("? a,", maxKeys) + "}"), tooManyKeys},
		{"60,000 keys", file(keys(60_000)), "bytes of frontmatter"},
		{"5,000 equal keys", file(strings.Repeat("k: v\n", 5_000)), tooManyKeys},
		{"depth 32", file("own: " + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1)), ""},
		{"depth 33", file("own: " + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)), tooDeep},
		{"depth 33 of maps", file("own: " + strings.Repeat("{a: ", maxDepth) + strings.Repeat("}", maxDepth)), tooDeep},
		{"depth 33 of dashes", file("own:\n  " + strings.Repeat("- ", maxDepth) + "x"), tooDeep},
		{"depth 33 behind a tag", file("own: !a " + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)), tooDeep},
		{"depth 33 of indents", file(staircase(maxDepth)), tooDeep},
		{"60,000 brackets", file("own: " + strings.Repeat("[", 60_000)), tooDeep},
		{"100,000 brackets", file("own: " + strings.Repeat("[", 100_000)), "bytes of frontmatter"},
		{"30,000 dashes", file("own:\n" + strings.Repeat("- ", 30_000)), tooDeep},
		{"alias bomb", file("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]"), "is a YAML alias"},
		{"self alias", file("a: &a [*a]"), "alias"},
	} {
		p := Parse("tasks/t7.md", []byte(c.data))
		switch {
		case c.reason == "" && len(p.Faults) > 0:
			t.Errorf("%s: %s", c.name, p.Faults[0])
		case c.reason != "" && (len(p.Faults) == 0 || !strings.Contains(p.Faults[0].Reason, c.reason)):
			t.Errorf("%s: %v, want %q", c.name, p.Faults, c.reason)
		}
	}
}

func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sk:\n", strings.Repeat(" ", i))
	}
	return b.String() + strings.Repeat(" ", n) + "k: v"
}

// TestLimitsSpareText holds more brackets, keys and dashes inside texts than
// any limit allows: a text has no shape.
func TestLimitsSpareText(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("[{", 300)
	lines := strings.Repeat("  k: v\n", 300)
	for _, front := range []string{
		"note: " + quote(much), "note: '" + much + "'", "note: a" + much, "labels: ['" + much + "', \"" + much + "\"]",
		"note: |\n" + lines, "own:\n  - |\n" + strings.ReplaceAll(lines, "  k", "    k"),
		"note: \"a\n" + lines + "\"", "own: 'it''s " + much + "'", "own: # " + much, "own: [a, # " + much + "\n  b]", "own: {\"a\\\"" + much + "\": b}",
	} {
		if p := Parse("tasks/t7.md", []byte(head+"title: a\n"+front+"\n---\n")); len(p.Faults) > 0 {
			t.Errorf("%.60q: %s", front, p.Faults[0])
		}
	}
	task := Task{ID: "t7", Title: "a", Status: Todo, Body: much + "\n" + lines, Labels: []string{much, lines}, Metadata: map[string]string{much: lines}}
	if p := Parse("tasks/t7.md", task.Encode()); len(p.Faults) > 0 {
		t.Error(p.Faults[0])
	}
}

// BenchmarkParseHostile is the slowest files we know, for the memory column.
func BenchmarkParseHostile(b *testing.B) {
	for name, front := range map[string]string{
		"brackets": "own: " + strings.Repeat("[", 60_000),
		"items":    "own: [" + strings.Repeat("a,", 30_000) + "]",
		"aliases":  "a: &a x\nown: [" + strings.Repeat("*a,", 20_000) + "]",
		"nulls":    "labels: [" + strings.Repeat("~,", 25_000) + "]",
		"tags":     "labels: [" + strings.Repeat("!a é,", 9_000) + "]",
		"labels":   "labels: [" + strings.Repeat("é,", 20_000) + "]",
		"anchors":  "labels:\n" + strings.Repeat("- &é b #c\n", 5_000),
		"broken":   strings.Repeat("k:\n - @\n", 250),
		"tall":     "own:\n" + strings.Repeat(" - a\n", 10_000) + " - @",
	} {
		data := []byte(head + "title: a\n" + front + "\n---\n")
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse("tasks/t7.md", data)
			}
		})
	}
}
