package install

import (
	"fmt"
	"slices"
	"strings"
)

const (
	around   = 3       // lines that are shown before and behind a change
	maxTable = 4 << 20 // of lines compared with each other
)

// line is a line of a diff.
type line struct {
	mark byte // ' ', '-' or '+'
	text string
}

// Diff is the edit as a unified diff, "" where it changes nothing.
func (e *Edit) Diff() string {
	if !e.Changes() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", nameOf(e.Path, e.Before), nameOf(e.Path, e.After))
	all := compare(slices.Collect(strings.Lines(string(e.Before))), slices.Collect(strings.Lines(string(e.After))))
	for from := 0; from < len(all); {
		first := slices.IndexFunc(all[from:], func(l line) bool { return l.mark != ' ' })
		if first < 0 {
			break
		}
		start := max(from, from+first-around)
		end, same := from+first, 0
		for ; end < len(all) && same <= 2*around; end++ {
			if same++; all[end].mark != ' ' {
				same = 0
			}
		}
		if end -= max(0, same-around); end < start {
			end = start
		}
		hunk(&b, all, start, end)
		from = end
	}
	return b.String()
}

func nameOf(path string, file []byte) string {
	if file == nil {
		return "/dev/null"
	}
	return path
}

// hunk prints a stretch of a diff.
func hunk(b *strings.Builder, all []line, start, end int) {
	count := func(lines []line, without byte) (n int) {
		for _, l := range lines {
			if l.mark != without {
				n++
			}
		}
		return n
	}
	at := func(without byte) string {
		n, first := count(all[start:end], without), count(all[:start], without)
		if n > 0 {
			first++
		}
		return fmt.Sprintf("%d,%d", first, n)
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", at('+'), at('-'))
	for _, l := range all[start:end] {
		b.WriteByte(l.mark)
		b.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// compare gives the shortest way from some lines to others, or all lines that
// differ where they are too many.
func compare(old, new []string) []line {
	var head, tail []line
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		head, old, new = append(head, line{' ', old[0]}), old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		tail = append(tail, line{' ', old[len(old)-1]})
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	slices.Reverse(tail)
	middle := head
	if len(old)*len(new) <= maxTable {
		middle = append(middle, shortest(old, new)...)
	} else {
		for _, text := range old {
			middle = append(middle, line{'-', text})
		}
		for _, text := range new {
			middle = append(middle, line{'+', text})
		}
	}
	return append(middle, tail...)
}

// shortest compares by the longest common lines.
func shortest(old, new []string) []line {
	width := len(new) + 1
	common := make([]int32, (len(old)+1)*width)
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var lines []line
	for i, j := 0, 0; i < len(old) || j < len(new); {
		switch {
		case i < len(old) && j < len(new) && old[i] == new[j]:
			lines = append(lines, line{' ', old[i]})
			i, j = i+1, j+1
		case i < len(old) && (j == len(new) || common[(i+1)*width+j] >= common[i*width+j+1]):
			lines = append(lines, line{'-', old[i]})
			i++
		default:
			lines = append(lines, line{'+', new[j]})
			j++
		}
	}
	return lines
}
