package records

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// namedReferences bounds how many of the wrong names of one field are told.
const namedReferences = 3

// references judges what the tasks of a tree name. It changes no verdict on any
// file: a record may name what is still to come.
type references struct {
	tops    [2]int      // the highest number ever used, by Kind
	drafts  draftNames  // those may be named until they have an id
	loops   map[int]int // tasks that wait for themselves in the end, with one of those they wait for on the way
	circles map[int]int // tasks that stand under themselves in the end, with their parents
}

// referenceWarnings gives what the records name that never was, and what waits
// for itself. It reads no file.
func (b *Book) referenceWarnings(x *index) ([]Fault, error) {
	r := &references{}
	for _, k := range []Kind{TaskKind, PlanKind} {
		top, err := b.highest(k)
		if err != nil {
			return nil, err
		}
		r.tops[k-TaskKind] = top
	}
	for _, path := range x.reported().drafts {
		r.drafts.add(&minted{path: path})
	}
	waits, parents := map[int][]int{}, map[int][]int{}
	x.table(TaskKind).holders(func(l *leaf) bool {
		if l.record() != nil && len(l.task.BlockedBy) > 0 {
			waits[l.number] = blockersOf(l.task)
		}
		if l.record() != nil && l.task.Parent != "" {
			parents[l.number] = b.parentNumber(l.task)
		}
		return true
	})
	r.loops, r.circles = loops(waits), loops(parents)
	var warnings []Fault
	x.table(TaskKind).holders(func(l *leaf) bool {
		if l.record() != nil {
			warnings = append(warnings, r.judge(l)...)
		}
		return true
	})
	return warnings, nil
}

// blockersOf gives the numbers of the tasks that one waits for, but for its own.
func blockersOf(t *Task) []int {
	var numbers []int
	for _, id := range t.BlockedBy {
		if k, n, ok := ParseID(id); ok && k == TaskKind && id != t.ID {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// parentNumber gives the number of the task that another one stands under; none
// for its own.
func (b *Book) parentNumber(t *Task) []int {
	parent, err := b.parent(t)
	if err != nil || parent == nil || parent.ID == t.ID {
		return nil
	}
	_, n, _ := ParseID(parent.ID)
	return []int{n}
}

// judge gives the warnings of one task, at most one a field.
func (r *references) judge(l *leaf) []Fault {
	t := l.task
	var warnings []Fault
	warn := func(field string, line int, k Kind, names ...string) {
		var wrong []string
		for _, name := range names {
			if why := r.wrong(k, name, l); why != "" {
				wrong = append(wrong, why)
			}
		}
		mend := "name a " + k.noun() + " that there is, or take it out"
		if next, loops := r.loops[l.number]; field == "blockedBy" && loops {
			wrong = append(wrong, fmt.Sprintf("names %s, which waits for %s in the end", formatID(k, next), t.ID))
			mend = "take out one of those that wait for each other"
		}
		if next, circles := r.circles[l.number]; field == "parent" && circles {
			wrong = append(wrong, fmt.Sprintf("names %s, which stands under %s in the end", formatID(k, next), t.ID))
			mend = "take the parent out of one of them"
		}
		if more := len(wrong) - namedReferences; more > 0 {
			wrong = append(wrong[:namedReferences:namedReferences], fmt.Sprintf("%d more are wrong", more))
		}
		if len(wrong) > 0 {
			warnings = append(warnings, Fault{Path: l.path, Line: line, Field: field,
				Reason: field + " " + strings.Join(wrong, "; "), Mend: mend})
		}
	}
	if t.Plan != "" {
		warn("plan", l.lines.plan, PlanKind, t.Plan)
	}
	if t.Parent != "" {
		warn("parent", l.lines.parent, TaskKind, t.Parent)
	}
	if t.Rank != "" && !validRank(t.Rank) {
		warnings = append(warnings, Fault{Path: l.path, Line: l.lines.rank, Field: "rank", Mend: "take it out",
			Reason: "rank is none, and counts for nothing: a rank has digits and the letters A to Z and a to z alone, and does not end in 0"})
	}
	if len(t.BlockedBy) > 0 {
		warn("blockedBy", l.lines.blockedBy, TaskKind, t.BlockedBy...)
	}
	return warnings
}

// wrong says what is wrong with a name in a task, "" for nothing. An id that is
// not above the highest was a record once.
func (r *references) wrong(want Kind, name string, l *leaf) string {
	k, n, ok := ParseID(name)
	top := r.tops[want-TaskKind]
	switch {
	case !ok && r.drafts.find(want, name, l.path) != nil:
		return ""
	case !ok && tooLong(name):
		return fmt.Sprintf("names %s, which has more than nine digits", name)
	case !ok:
		return fmt.Sprintf("names %s, which is no id of a %s", strconv.Quote(name), want.noun())
	case k != want:
		return fmt.Sprintf("names %s, which is a %s", name, k.noun())
	case name == l.task.ID:
		return "names the task itself"
	case n > top && top == 0:
		return fmt.Sprintf("names %s, which never was: there has been no %s yet", name, want.noun())
	case n > top:
		return fmt.Sprintf("names %s, which never was: the highest is %s", name, formatID(want, top))
	}
	return ""
}

// tooLong reports whether a text would be an id but for the number of its digits.
func tooLong(id string) bool {
	if len(id) <= 1+maxDigits {
		return false
	}
	_, _, ok := ParseID(id[:1+maxDigits])
	return ok && strings.Trim(id[1+maxDigits:], "0123456789") == ""
}

// loops gives every number that waits for itself in the end, with the first of
// those it waits for that does so too in the same round. Numbers that wait for
// nobody are in no round.
func loops(waits map[int][]int) map[int]int {
	f := &rounds{waits: waits, order: map[int]int{}, low: map[int]int{}, round: map[int]int{}}
	for n := range waits {
		if f.order[n] == 0 {
			f.walk(n)
		}
	}
	found := map[int]int{}
	for n, next := range waits {
		i := slices.IndexFunc(next, func(m int) bool { return f.round[m] != 0 && f.round[m] == f.round[n] })
		if i >= 0 {
			found[n] = next[i]
		}
	}
	return found
}

// rounds finds which numbers reach each other, in one walk over all of them
// (Tarjan's strongly connected components), without recursion: a chain may be
// as long as the list.
type rounds struct {
	waits map[int][]int
	order map[int]int // when a number was met, from 1
	low   map[int]int // the earliest number still open that one reaches
	open  []int       // met, and not known yet which round they are in
	round map[int]int // by number, 0 while open
}

// visit is a number on the way, and how many of its blockers were looked at.
type visit struct{ number, looked int }

func (f *rounds) walk(from int) {
	way := []visit{f.meet(from)}
	for len(way) > 0 {
		at := &way[len(way)-1]
		if next := f.waits[at.number]; at.looked < len(next) {
			m := next[at.looked]
			at.looked++
			switch {
			case f.order[m] == 0:
				way = append(way, f.meet(m))
			case f.round[m] == 0:
				f.low[at.number] = min(f.low[at.number], f.order[m])
			}
			continue
		}
		n := at.number
		way = way[:len(way)-1]
		if f.low[n] == f.order[n] {
			f.close(n)
		}
		if len(way) > 0 {
			above := way[len(way)-1].number
			f.low[above] = min(f.low[above], f.low[n])
		}
	}
}

func (f *rounds) meet(n int) visit {
	f.order[n] = len(f.order) + 1
	f.low[n] = f.order[n]
	f.open = append(f.open, n)
	return visit{number: n}
}

// close puts what was met since n, n too, in one round.
func (f *rounds) close(n int) {
	for f.round[n] == 0 {
		last := len(f.open) - 1
		f.round[f.open[last]] = f.order[n]
		f.open = f.open[:last]
	}
}
