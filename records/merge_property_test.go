package records

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// handLines are lines that a person adds to a frontmatter, or to the text below.
var handLines = []string{"# mine\n", "cost: 3 # each\n", "team: {a: [1, b], c: ~}\n", "steps:\n  - x # y\n  - >-\n    z\n", "\n", "  # deep\n"}

// handEdit changes a file the way a person or a tool may.
func handEdit(rnd *rand.Rand, text string, who string) string {
	for range 1 + rnd.IntN(3) {
		next := text
		switch r, _, err := readLoose(TaskKind, []byte(text)); rnd.IntN(6) {
		case 0, 1:
			if err != nil {
				continue
			}
			fieldEdits[rnd.IntN(len(fieldEdits))].edit(r.task)
			if rnd.IntN(2) == 0 {
				r.task.Note = "note of " + who
			}
			data, err := Splice([]byte(text), r.task)
			if err != nil {
				continue
			}
			next = string(data)
		case 2:
			at := strings.Index(text, "---") + 3
			at += strings.Index(text[at:], "\n") + 1
			line := strings.Replace(handLines[rnd.IntN(len(handLines))], "mine", who, 1)
			next = text[:at] + strings.ReplaceAll(line, "\n", "\r\n"[1-strings.Count(text[:at], "\r")%2:]) + text[at:]
		case 3:
			next = strings.ReplaceAll(text, "own: ", fmt.Sprintf("own: [%s] # ", who))
		case 4:
			next = text + fmt.Sprintf("line of %s\n", who)
		case 5:
			next = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "Body", "Body of "+who)
		}
		if _, _, err := readLoose(TaskKind, []byte(next)); err == nil {
			text = next
		}
	}
	return text
}

// threeVersions draws a file and what two sides made of it.
func threeVersions(t *rapid.T) (base, branch, pushed []byte) {
	rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
	for {
		text := handFile(rnd)
		if _, _, err := readLoose(TaskKind, []byte(text)); err == nil {
			return []byte(text), []byte(handEdit(rnd, text, "ana")), []byte(handEdit(rnd, text, "bob"))
		}
	}
}

const handPath = "tasks/x.md"

func TestMergeOfOneSideIsThatSide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base, x, _ := threeVersions(t)
		for _, m := range []Merged{Merge(handPath, base, x, x), Merge(handPath, base, base, x), Merge(handPath, base, x, base)} {
			if !bytes.Equal(m.Data, x) || len(m.Overruled)+len(m.Faults) > 0 {
				t.Fatalf("%q\nbecomes %q, %v %v", x, m.Data, m.Overruled, m.Faults)
			}
		}
	})
}

// What either side changed is in the result or named, and the result is a record
// without a conflict marker, whatever people wrote.
func TestP13MergeLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base, branch, pushed := threeVersions(t)
		m := Merge(handPath, base, branch, pushed)
		fail := func(what string) {
			t.Fatalf("%s\nbase   %q\nbranch %q\npushed %q\nmerged %q\n%v %v", what, base, branch, pushed, m.Data, m.Overruled, m.Faults)
		}
		if len(m.Faults) > 0 {
			fail("no record")
		}
		got := Parse(handPath, m.Data)
		if len(got.Faults) > 0 || bytes.Contains(m.Data, []byte("<<<<")) {
			fail("not fit to be written")
		}
		for i, side := range [][]byte{branch, pushed} {
			if what := lostOf(base, side, m, i == 1); what != "" {
				fail("lost " + what)
			}
		}
		if again := Merge(handPath, base, branch, m.Data); !sameRecord(again.Data, m.Data) {
			fail(fmt.Sprintf("again %q", again.Data))
		}
	})
}

// lostOf names what one side changed, and neither the merged file says nor the
// merge tells.
func lostOf(base, side []byte, m Merged, pushed bool) string {
	told := func(field, lost string) bool {
		return slices.ContainsFunc(m.Overruled, func(o Overruled) bool {
			return o.Pushed == pushed && (o.Field == field || strings.HasPrefix(o.Field, field+".")) &&
				(lost == "" || strings.Contains(o.Lost, lost))
		})
	}
	was, _, _ := readLoose(TaskKind, base)
	is, _, _ := readLoose(TaskKind, side)
	got, _, _ := readLoose(TaskKind, m.Data)
	before, now, after := was.task.page(), is.task.page(), got.task.page()
	for i, e := range now.entries {
		a, b, c := before.entries[i].value, e.value, after.entries[i].value
		if a.form == listed || e.key == "metadata" || reflect.DeepEqual(a, b) || reflect.DeepEqual(b, c) || told(e.key, "") {
			continue
		}
		return e.key
	}
	for _, list := range [][3][]string{{was.task.Labels, is.task.Labels, got.task.Labels}, {was.task.BlockedBy, is.task.BlockedBy, got.task.BlockedBy}} {
		for _, item := range list[1] {
			if !slices.Contains(list[0], item) && !slices.Contains(list[2], item) {
				return "item " + item
			}
		}
		for _, item := range list[0] {
			if !slices.Contains(list[1], item) && slices.Contains(list[2], item) {
				return "the end of item " + item
			}
		}
	}
	for k, v := range is.task.Metadata {
		if was.task.Metadata[k] != v && got.task.Metadata[k] != v && !told("metadata", "") {
			return "metadata " + k
		}
	}
	for _, c := range is.comments() {
		if !slices.Contains(was.comments(), c) && !slices.Contains(got.comments(), c) && !told("comment", c) {
			return "comment " + c
		}
	}
	for _, e := range is.unknown(now) {
		if !slices.ContainsFunc(was.unknown(now), func(o entry) bool { return reflect.DeepEqual(o, e) }) &&
			!slices.ContainsFunc(got.unknown(now), func(o entry) bool { return reflect.DeepEqual(o, e) }) && !told(e.key, "") {
			return "key " + e.key
		}
	}
	for line := range strings.Lines(is.task.Body) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.Contains(was.task.Body, line) && !strings.Contains(got.task.Body, line) && !told("body", line) {
			return "line " + line
		}
	}
	return ""
}

func sameRecord(a, b []byte) bool {
	x, _, err := readLoose(TaskKind, a)
	y, _, err2 := readLoose(TaskKind, b)
	return err == nil && err2 == nil && reflect.DeepEqual(x.task, y.task) && reflect.DeepEqual(x.unknown(x.task.page()), y.unknown(x.task.page()))
}

// In files that other people's tools wrote, two fields changed on two sides come
// together, and no other line is touched.
func TestP13MergeOfSamples(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 14)
	for range heavy(4000) {
		s := sampleTasks[rnd.IntN(len(sampleTasks))]
		base := sample(t, s.name)
		want := *Parse(s.path, base).Task
		var keys []string
		var sides [2][]byte
		for i := range sides {
			edit := fieldEdits[rnd.IntN(len(fieldEdits))]
			one := *Parse(s.path, base).Task
			edit.edit(&one)
			edit.edit(&want)
			keys = append(keys, edit.key)
			data, err := Splice(base, &one)
			if err != nil {
				t.Fatal(err)
			}
			sides[i] = data
		}
		if keys[0] == keys[1] {
			continue
		}
		m := Merge(s.path, base, sides[0], sides[1])
		if got := Parse(s.path, m.Data).Task; len(m.Overruled) > 0 || !reflect.DeepEqual(got, &want) {
			t.Fatalf("%s, %q: %+v, want %+v, %v %v", s.name, keys, got, want, m.Overruled, m.Faults)
		}
		rest := func(data []byte) []byte { return []byte(withoutKey([]byte(withoutKey(data, keys[0])), keys[1])) }
		if a, b := rest(base), rest(m.Data); !bytes.Equal(a, b) {
			t.Fatalf("%s, %q: beside them\n%s\nbecame\n%s", s.name, keys, a, b)
		}
	}
}
