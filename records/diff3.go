package records

import (
	"slices"
	"strings"
)

// What comparing two texts may cost: so many pairs of lines compared in all, and
// so many rounds of cutting at lines that occur once. Beyond that a stretch
// counts as replaced as a whole, which is coarse and never wrong.
const (
	comparedPairs = 4 << 20
	smallStretch  = 1 << 18
	cutRounds     = 24
)

// hunk is one change of a text: the lines lo to hi of the base, hi excluded,
// give way to others. Where hi is lo the lines are put in before it.
type hunk struct {
	lo, hi int
	lines  []string
}

// clash is what two sides made of the same lines of their base.
type clash struct{ branch, pushed []string }

// mergeLines gives base with the changes of both sides. Lines that both put in
// at one place all stay, those of the branch first. Where both changed the same
// lines those of the push stand, and the clash is told. Lines are compared
// without their ends.
func mergeLines(base, branch, pushed []string) ([]string, []clash) {
	var merged []string
	var clashes []clash
	b, p := hunksOf(base, branch), hunksOf(base, pushed)
	b, p = withoutEchoes(b, p), withoutEchoes(p, b)
	at := 0
	for len(b)+len(p) > 0 {
		lo, hi, nb, np := cluster(b, p)
		merged = append(merged, base[at:lo]...)
		ours, theirs := replaced(base, lo, hi, b[:nb]), replaced(base, lo, hi, p[:np])
		b, p, at = b[nb:], p[np:], hi
		switch {
		case np == 0:
			merged = append(merged, ours...)
		case nb == 0 || sameLines(ours, theirs):
			merged = append(merged, theirs...)
		case lo == hi:
			merged = append(merged, bothPut(ours, theirs)...)
		default:
			merged = append(merged, theirs...)
			clashes = append(clashes, clash{ours, theirs})
		}
	}
	return append(merged, base[at:]...), clashes
}

// withoutEchoes leaves out what one side puts in beside lines that the other
// replaces, by the same lines among others: they are in it already.
func withoutEchoes(hunks, others []hunk) []hunk {
	return slices.DeleteFunc(slices.Clone(hunks), func(h hunk) bool {
		at, _ := slices.BinarySearchFunc(others, h.lo, func(o hunk, lo int) int { return o.lo - lo })
		beside := others[max(at-1, 0):min(at+2, len(others))]
		return h.lo == h.hi && slices.ContainsFunc(beside, func(o hunk) bool {
			n := len(o.lines) - len(h.lines)
			return o.lo < o.hi && n >= 0 && (o.hi == h.lo && sameLines(o.lines[n:], h.lines) ||
				o.lo == h.lo && sameLines(o.lines[:len(h.lines)], h.lines))
		})
	})
}

// cluster gives the next lines of the base that are changed, and how many hunks
// of each side change them: hunks that touch without sharing a line stay apart.
func cluster(b, p []hunk) (lo, hi, nb, np int) {
	first := func(x, y []hunk) bool {
		return len(y) == 0 || len(x) > 0 && (x[0].lo < y[0].lo || x[0].lo == y[0].lo && x[0].hi <= y[0].hi)
	}
	if first(b, p) {
		lo, hi, nb = b[0].lo, b[0].hi, 1
	} else {
		lo, hi, np = p[0].lo, p[0].hi, 1
	}
	shares := func(h hunk) bool { return h.lo < hi || h.lo == hi && lo == hi && h.hi == hi }
	for {
		switch {
		case nb < len(b) && shares(b[nb]):
			hi = max(hi, b[nb].hi)
			nb++
		case np < len(p) && shares(p[np]):
			hi = max(hi, p[np].hi)
			np++
		default:
			return lo, hi, nb, np
		}
	}
}

// replaced gives the lines lo to hi of base with hunks that lie in them.
func replaced(base []string, lo, hi int, hunks []hunk) []string {
	var lines []string
	for _, h := range hunks {
		lines = append(append(lines, base[lo:h.lo]...), h.lines...)
		lo = h.hi
	}
	return append(lines, base[lo:hi]...)
}

// bothPut gives what two sides put in at one place, what both have at the front
// and at the end once.
func bothPut(branch, pushed []string) []string {
	front, back := sameEnds(branch, pushed)
	lines := slices.Clone(branch[:len(branch)-back])
	return append(append(lines, pushed[front:len(pushed)-back]...), branch[len(branch)-back:]...)
}

// sameEnds gives how many lines two texts share at the front, and of the others
// how many at the end.
func sameEnds(a, b []string) (front, back int) {
	for front < len(a) && front < len(b) && chomp(a[front]) == chomp(b[front]) {
		front++
	}
	for back < len(a)-front && back < len(b)-front && chomp(a[len(a)-1-back]) == chomp(b[len(b)-1-back]) {
		back++
	}
	return front, back
}

func sameLines(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return chomp(x) == chomp(y) })
}

// hunksOf gives what turns base into side.
func hunksOf(base, side []string) []hunk {
	d := &differ{pairs: comparedPairs, to: make([]int, len(base))}
	ids := map[string]int{}
	number := func(lines []string) []int {
		out := make([]int, len(lines))
		for i, line := range lines {
			line = chomp(line)
			if _, known := ids[line]; !known {
				ids[line] = len(ids)
			}
			out[i] = ids[line]
		}
		return out
	}
	d.a, d.b = number(base), number(side)
	for i := range d.to {
		d.to[i] = -1
	}
	d.match(0, len(base), 0, len(side), cutRounds)
	var hunks []hunk
	at, j := 0, 0
	for i := range len(base) + 1 {
		next := len(side)
		if i < len(base) {
			if next = d.to[i]; next < 0 {
				continue
			}
		}
		if at < i || j < next {
			hunks = append(hunks, hunk{at, i, side[j:next]})
		}
		at, j = i+1, next+1
	}
	return hunks
}

// differ finds which lines of a are which of b. Lines are numbers, equal ones
// equal numbers.
type differ struct {
	a, b  []int
	to    []int // by line of a the line of b, -1 for none
	pairs int   // how many more pairs may be compared
}

// match matches the lines a0 to a1 with b0 to b1: equal ends, then what occurs
// once on both sides, then the longest run of lines in both.
func (d *differ) match(a0, a1, b0, b1, rounds int) {
	for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
		d.to[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && d.a[a1-1] == d.b[b1-1] {
		a1, b1 = a1-1, b1-1
		d.to[a1] = b1
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	if size := (a1 - a0) * (b1 - b0); size <= smallStretch && size <= d.pairs {
		d.pairs -= size
		d.longest(a0, a1, b0, b1)
		return
	}
	if rounds == 0 {
		return
	}
	anchors := d.anchors(a0, a1, b0, b1)
	if len(anchors) == 0 {
		return
	}
	for _, at := range append(anchors, [2]int{a1, b1}) {
		d.match(a0, at[0], b0, at[1], rounds-1)
		if at[0] < a1 {
			d.to[at[0]] = at[1]
		}
		a0, b0 = at[0]+1, at[1]+1
	}
}

// anchors gives lines that occur once on both sides, as many as stand in the
// same order (patience diff).
func (d *differ) anchors(a0, a1, b0, b1 int) [][2]int {
	type seen struct{ inA, inB, at int }
	lines := map[int]*seen{}
	for _, n := range d.a[a0:a1] {
		if lines[n] == nil {
			lines[n] = &seen{}
		}
		lines[n].inA++
	}
	for j, n := range d.b[b0:b1] {
		if s := lines[n]; s != nil {
			s.inB++
			s.at = b0 + j
		}
	}
	var once, piles [][2]int
	var tops, below []int // by pile the index of its top in once; by index that of the one before, -1 for none
	for i, n := range d.a[a0:a1] {
		s := lines[n]
		if s.inA != 1 || s.inB != 1 {
			continue
		}
		pile, _ := slices.BinarySearchFunc(tops, s.at, func(top, at int) int { return once[top][1] - at })
		before := -1
		if pile > 0 {
			before = tops[pile-1]
		}
		if pile == len(tops) {
			tops = append(tops, 0)
		}
		tops[pile] = len(once)
		once, below = append(once, [2]int{a0 + i, s.at}), append(below, before)
	}
	if len(tops) > 0 {
		for i := tops[len(tops)-1]; i >= 0; i = below[i] {
			piles = append(piles, once[i])
		}
	}
	slices.Reverse(piles)
	return piles
}

// longest matches the longest run of lines that both have in the same order.
func (d *differ) longest(a0, a1, b0, b1 int) {
	width := b1 - b0 + 1
	table := make([]int32, (a1-a0+1)*width)
	for i := a1 - a0 - 1; i >= 0; i-- {
		for j := b1 - b0 - 1; j >= 0; j-- {
			if d.a[a0+i] == d.b[b0+j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < a1-a0 && j < b1-b0; {
		switch {
		case d.a[a0+i] == d.b[b0+j]:
			d.to[a0+i] = b0 + j
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// joinLines puts lines together, each but the last with a line end.
func joinLines(lines []string, eol string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		if i < len(lines)-1 && !strings.HasSuffix(line, "\n") {
			b.WriteString(eol)
		}
	}
	return b.String()
}
