package records

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestImplicitRank(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "V1V", 3: "V3V", 61: "VzV", 62: "W10V", 3843: "WzzV", 3844: "X100V", maxNumber: "a15ftgFV"} {
		if got := implicitRank(n); got != want {
			t.Errorf("%d has %s, want %s", n, got, want)
		}
	}
	last := ""
	for n := 1; n < maxNumber-n/50; n += 1 + n/50 {
		if key := implicitRank(n); key <= last || !validRank(key) {
			t.Fatalf("%d has %s behind %s", n, key, last)
		} else {
			last = key
		}
	}
}

// The pairs that are easy to get wrong: open ends, neighbours of the alphabet, one
// that begins with the other.
func TestRankBetweenPairs(t *testing.T) {
	t.Parallel()
	for _, pair := range [][3]string{
		{"", "", "V"}, {"", "V", "U"}, {"V", "", "W"}, {"A", "B", "AV"}, {"A", "A1", "A0V"}, {"Az", "B", "AzV"},
		{"", "1", "0z"}, {"zz", "", "zz1"}, {"A", "A01", "A00V"}, {"V1V", "V2V", "V2"}, {"V3V", "", "V3W"}, {"A", "C", "B"}, {"A", "D", "C"},
	} {
		low, high, want := pair[0], pair[1], pair[2]
		got := rankBetween(low, high)
		if got != want {
			t.Errorf("between %q and %q: %s, want %s", low, high, got, want)
		}
		checkBetween(t, low, got, high)
	}
}

func checkBetween(t *testing.T, low, got, high string) {
	t.Helper()
	if got <= low || high != "" && got >= high || !validRank(got) {
		t.Fatalf("between %q and %q: %q", low, high, got)
	}
}

func TestRankBounds(t *testing.T) {
	t.Parallel()
	low, high := implicitRank(1), implicitRank(1)
	for range 5000 {
		next, before := rankBetween(low, ""), rankBetween("", high)
		checkBetween(t, low, next, "")
		checkBetween(t, "", before, high)
		low, high = next, before
	}
	if len(low) > 90 || len(high) > 90 {
		t.Errorf("5 000 appends take %d bytes, prepends %d", len(low), len(high))
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for name, behind := range map[string]func(int) bool{
		"first": func(int) bool { return false }, "last": func(int) bool { return true },
		"by turns": func(n int) bool { return n%2 == 0 }, "anywhere": func(int) bool { return rnd.IntN(2) == 0 },
	} {
		for _, gap := range [][2]string{{"V1V", "V2V"}, {"A", "B"}, {"A", "A1"}, {"VzV", "W10V"}} {
			low, high := gap[0], gap[1]
			longest := 0
			for n := range 1000 {
				key := rankBetween(low, high)
				checkBetween(t, low, key, high)
				longest = max(longest, len(key))
				if behind(n) {
					low = key
				} else {
					high = key
				}
			}
			if longest > 205 {
				t.Errorf("%s, %q: 1 000 inserts take %d bytes", name, gap, longest)
			}
		}
	}
}

// What a place says must not differ from what the ranks say.
func TestPlacesCompareAsRanks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(2, 2))
	var keys []string
	for range 300 {
		var b strings.Builder
		for range 1 + rnd.IntN(4) {
			b.WriteByte("0129AVWXYZaz"[rnd.IntN(12)])
		}
		keys = append(keys, b.String(), implicitRank(1+rnd.IntN(70)), "")
	}
	said := func(n int, rank string) string {
		if !validRank(rank) {
			rank = implicitRank(n)
		}
		return fmt.Sprintf("%s %9d", rank, n)
	}
	for range 50_000 {
		a, b := rnd.IntN(len(keys)), rnd.IntN(len(keys))
		got := placeOf(a+1, keys[a]).compare(placeOf(b+1, keys[b]))
		if want := strings.Compare(said(a+1, keys[a]), said(b+1, keys[b])); got != want {
			t.Fatalf("%s and %s: %d, want %d", said(a+1, keys[a]), said(b+1, keys[b]), got, want)
		}
	}
}

func TestRankInsertsAgainstModel(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 3))
	keys := []string{implicitRank(1)}
	for range 2000 {
		at := rnd.IntN(len(keys) + 1)
		low, high := "", ""
		if at > 0 {
			low = keys[at-1]
		}
		if at < len(keys) {
			high = keys[at]
		}
		keys = slices.Insert(keys, at, rankBetween(low, high))
	}
	if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != 2001 {
		t.Error("the keys are not sorted, or two are the same")
	}
}

func TestValidRank(t *testing.T) {
	t.Parallel()
	for rank, want := range map[string]bool{"V": true, "01": true, "zz": true, "": false, "0": false, "A0": false, "a-b": false, "é": false, "V ": false} {
		if validRank(rank) != want {
			t.Errorf("%q: %v", rank, !want)
		}
	}
}
