package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Hunks make one text of the other, whatever the texts: few lines that repeat, many
// that are cut at those which occur once, and more than are compared at all.
func TestHunksMakeTheOtherText(t *testing.T) {
	t.Parallel()
	lines := func(n, kinds int) *rapid.Generator[[]string] {
		return rapid.SliceOfN(rapid.Map(rapid.IntRange(0, kinds), func(i int) string { return fmt.Sprintf("%d\n", i) }), 0, n)
	}
	rapid.Check(t, func(t *rapid.T) {
		n, kinds := 12, rapid.SampledFrom([]int{1, 3, 40}).Draw(t, "kinds")
		base, side := lines(n, kinds).Draw(t, "base"), lines(n, kinds).Draw(t, "side")
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
			long := make([]string, 700)
			for i := range long {
				long[i] = fmt.Sprintf("%d\n", i%rapid.SampledFrom([]int{2, 650, 1000}).Draw(t, "repeats"))
			}
			base, side = slices.Concat(base, long, side), slices.Concat(side, long[:350], base, long[350:])
		}
		if got := replaced(base, 0, len(base), hunksOf(base, side)); !slices.Equal(got, side) {
			t.Fatalf("%q\nbecomes %q\nnot %q", base, got, side)
		}
	})
}

func TestMergeLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, branch, pushed, want, lost string }{
		"apart":             {"a b c d e", "A b c d e", "a b c d E", "A b c d E", ""},
		"side by side":      {"a b c", "A b c", "a B c", "A B c", ""},
		"the same":          {"a b c", "a X c", "a X c", "a X c", ""},
		"the same line":     {"a b c", "a X c", "a Y c", "a Y c", "X"},
		"inside a removal":  {"a b c d", "a d", "a b X c d", "a b X c d", ""},
		"removal and edit":  {"a b c", "a c", "a Y c", "a Y c", ""},
		"edit and removal":  {"a b c", "a X c", "a c", "a c", "X"},
		"put in, one place": {"a b", "a X b", "a Y b", "a X Y b", ""},
		"put in, shared":    {"a", "a X Z", "a Y Z", "a X Y Z", ""},
		"in front of edit":  {"a b", "a X b", "a B", "a X B", ""},
		"behind an edit":    {"a b c", "a B c", "a b X c", "a B X c", ""},
		"an echo":           {"a b c", "a b X c", "a B X c", "a B X c", ""},
		"all new":           {"", "a b", "c", "a b c", ""},
		"all gone":          {"a b", "", "a b c", "c", ""},
		"chained":           {"a b c d", "X Y c d", "a P Q d", "a P Q d", "X Y c"},
	} {
		got, clashes := mergeLines(strings.Fields(c.base), strings.Fields(c.branch), strings.Fields(c.pushed))
		lost := ""
		for _, clash := range clashes {
			lost += strings.Join(clash.branch, " ")
		}
		if strings.Join(got, " ") != c.want || lost != c.lost {
			t.Errorf("%s: %q, lost %q, want %q, %q", name, got, lost, c.want, c.lost)
		}
	}
}
