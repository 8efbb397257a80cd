package records

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// lopsided says where a merge depends on which side is which, but for what it names
// as overruled: that is the same either way round, and everything else comes out the
// same. Lists are sets, and a text is its lines.
func lopsided(base, branch, pushed []byte) string {
	one, other := Merge(handPath, base, branch, pushed), Merge(handPath, base, pushed, branch)
	if len(one.Faults) > 0 || len(other.Faults) > 0 {
		if len(one.Faults) == 0 || len(other.Faults) == 0 {
			return "one way round it is refused"
		}
		return ""
	}
	named, mirrored := overruled(one), overruled(other)
	if !maps.Equal(named, mirrored) {
		return "other things give way"
	}
	x, _, err := readLoose(TaskKind, one.Data)
	y, _, err2 := readLoose(TaskKind, other.Data)
	if err != nil || err2 != nil {
		return "it cannot be read"
	}
	left, right := x.task.page(), y.task.page()
	for i, e := range left.entries {
		if !named[e.key] && !reflect.DeepEqual(asSet(e.value), asSet(right.entries[i].value)) {
			return e.key + " differs"
		}
	}
	if mine, theirs := keysBeside(x, named), keysBeside(y, named); !reflect.DeepEqual(mine, theirs) {
		return "a key that is not ours differs"
	}
	if lines := func(r *reader) []string {
		return slices.Sorted(strings.Lines(string(r.sheet.data[r.sheet.rest:]) + "\n"))
	}; !named["body"] && !slices.Equal(lines(x), lines(y)) {
		return "the body differs"
	}
	return ""
}

// overruled gives the fields that gave way on either side; those of metadata are
// one, and what becomes of comments shows in them alone.
func overruled(m Merged) map[string]bool {
	named := map[string]bool{}
	for _, o := range m.Overruled {
		if field, _, _ := strings.Cut(o.Field, "."); field != "comment" {
			named[field] = true
		}
	}
	return named
}

// asSet gives a value whose order is of no matter without one.
func asSet(v value) any {
	switch v.form {
	case listed:
		var items []string
		for _, item := range v.items {
			items = append(items, textOf(item))
		}
		slices.Sort(items)
		return items
	case mapped:
		keys := map[string]string{}
		for _, e := range v.keys {
			keys[e.key] = textOf(e.value)
		}
		return keys
	}
	return v
}

func keysBeside(r *reader, named map[string]bool) map[string]entry {
	keys := map[string]entry{}
	for _, e := range r.unknown(r.task.page()) {
		if !named[e.key] {
			keys[e.key] = e
		}
	}
	return keys
}

// Whose side is whose matters only where both changed the same, and is named.
func TestP13MergeIsSymmetric(t *testing.T) {
	t.Parallel()
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		base, branch, pushed := threeVersions(t)
		if what := lopsided(base, branch, pushed); what != "" {
			t.Fatalf("%s\nbase   %q\nbranch %q\npushed %q\nmerged %+v\nor     %+v", what, base, branch, pushed,
				Merge(handPath, base, branch, pushed), Merge(handPath, base, pushed, branch))
		}
		if len(Merge(handPath, base, branch, pushed).Overruled) == 0 {
			plain++
		}
	})
	if plain == 0 {
		t.Error("something gave way each time")
	}
}

// refusedOneWay are versions of which one side is no record where the other's changes
// give way to it.
var refusedOneWay = [][3]string{
	{"---\nid: t1\ntitle: a\nstatus: todo\n---\nx\n", "---\nid: t2\ntitle: a\nstatus: doing\n---\nx\n", "---\nid:\ntitle: a\nstatus: todo\n---\ny\n"},
	{"---\ntitle: a\nid: t2\nstatus: todo\n---\n=======\n", "---\ntitle: a\nid: t1\nstatus: todo\n---\ny\n", "---\ntitle: a\nid:\nstatus: todo\n---\n---\n"},
	{"---\ntitle: a\nid: t2\npriority:\n---\ny\n", "---\ntitle: a\nowner:\nid:\npriority:\n---\n", "---\ntitle: a\nid: t1\nlabels:\npriority: high\n---\nx\n"},
}

// TestP13MergeIsRefusedEitherWay: what can be merged one way round is merged the other
// way round, too, and says which side gave way.
func TestP13MergeIsRefusedEitherWay(t *testing.T) {
	t.Parallel()
	for i, c := range refusedOneWay {
		if what := lopsided([]byte(c[0]), []byte(c[1]), []byte(c[2])); what != "" {
			t.Errorf("%d: %s", i, what)
		}
		for _, sides := range [][2]string{{c[1], c[2]}, {c[2], c[1]}} {
			m := Merge(handPath, []byte(c[0]), []byte(sides[0]), []byte(sides[1]))
			if len(m.Faults) > 0 {
				t.Errorf("%d is refused: %v", i, m.Faults)
			}
			for j, side := range sides {
				if what := lostOf([]byte(c[0]), []byte(side), m, j == 1); what != "" {
					t.Errorf("%d: side %d lost %s", i, j, what)
				}
			}
		}
	}
}

// FuzzMerge merges any three texts. Where all three are records, what either side
// changed is in the result or named, and the result is the same either way round.
func FuzzMerge(f *testing.F) {
	f.Add("---\ntitle: a\n---\nx\n", "---\ntitle: b\n---\nx\n", "---\ntitle: a\nown: [\n---\ny\n")
	f.Add("", "---\nid: t1\ntitle: b\n---\n", "---\r\nid: t1\r\ntitle: c\r\n---\r\n")
	const claimed = "---\nid: t1\ntitle: a\nstatus: doing\nowner: w1\nlease:\n  at: 2026-10-18T10:00:00.000Z\n  by: w1\n  until: 2026-10-18T12:00:00.000Z\nrank: V\n---\nx\n"
	todo := strings.Replace(claimed[:strings.Index(claimed, "owner")]+claimed[strings.Index(claimed, "rank"):], "doing", "todo", 1)
	for _, both := range [][2]string{
		{claimed, strings.Replace(todo, "status", "owner: w2\nstatus", 1)},                                                     // claimed, and assigned
		{claimed, strings.Replace(todo, "rank: V", "rank: k", 1)},                                                              // claimed, and moved
		{strings.Replace(todo, "rank: V", "rank: Vk", 1), strings.Replace(todo, "rank: V\n", "", 1)},                           // moved, and put back by its number
		{strings.Replace(todo, "rank: V", "parent: t2\nrank: k", 1), strings.Replace(todo, "rank: V", "rank: '~'", 1)},         // below another, and a rank that is none
		{strings.Replace(claimed, "until: 2026-10-18T12", "until: 2026-10-18T13", 1), strings.Replace(claimed, "w1", "w2", 2)}, // renewed, and taken over
	} {
		f.Add(todo, both[0], both[1])
		f.Add(claimed, both[0], both[1])
	}
	f.Add("{a: b}", "---\n{title: a}\n---", "---\n{title: b, c: d}\n---")
	for _, c := range refusedOneWay {
		f.Add(c[0], c[1], c[2])
	}
	rnd := rand.New(rand.NewPCG(13, 5))
	for _, s := range sampleTasks { // files of other people's tools, changed on two sides
		if base := string(sample(f, s.name)); base != "" {
			f.Add(base, handEdit(rnd, base, "ana"), handEdit(rnd, base, "bob"))
		}
	}
	for range 40 {
		base := handFile(rnd)
		f.Add(base, handEdit(rnd, base, "ana"), handEdit(rnd, base, "bob"))
	}
	f.Fuzz(func(t *testing.T, base, branch, pushed string) {
		for _, path := range []string{"tasks/t1.md", "plans/x.md", "README.md", "tasks/.highest"} {
			m := Merge(path, []byte(base), []byte(branch), []byte(pushed))
			if m.Data == nil && len(m.Faults) == 0 && path != "tasks/.highest" {
				t.Fatalf("%s: neither a file nor a reason", path)
			}
			for _, o := range m.Overruled {
				if strings.ContainsAny(o.String(), "\n\x1b") {
					t.Fatalf("%q", o)
				}
			}
		}
		for _, text := range []string{base, branch, pushed} {
			if _, _, err := readLoose(TaskKind, []byte(text)); err != nil || !isText([]byte(text)) {
				return
			}
		}
		if what := lopsided([]byte(base), []byte(branch), []byte(pushed)); what != "" {
			t.Fatalf("either way round: %s", what)
		}
		if m := Merge(handPath, []byte(base), []byte(branch), []byte(pushed)); len(m.Faults) == 0 {
			for i, side := range []string{branch, pushed} {
				if what := lostOf([]byte(base), []byte(side), m, i == 1); what != "" {
					t.Fatalf("side %d lost %s", i, what)
				}
			}
		}
	})
}
