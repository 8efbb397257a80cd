package records

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bothWays reads a file by its spelling and by YAML. What the first takes the
// second must read as the same, without a fault or a warning.
func bothWays(t interface{ Fatalf(string, ...any) }, path string, data []byte) (taken bool) {
	got, taken := readCanonical(kindOfPath(path), idOfPath(path), string(data))
	if !taken {
		return false
	}
	r := &reader{path: path, kind: kindOfPath(path), named: idOfPath(path)}
	r.read(data)
	if want := r.parsed(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\nreads as %+v %+v\nYAML is  %+v %+v\n%v %v", data, got, got.Record(), want, want.Record(), want.Faults, want.Warnings)
	}
	return true
}

// FuzzCanonical holds the shortcut to what YAML reads, whatever the bytes are.
func FuzzCanonical(f *testing.F) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if !file.IsDir() {
			f.Add(sample(f, file.Name()))
		}
	}
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		f.Add(anyTask(rnd).Encode())
		f.Add(anyPlan(rnd).Encode())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, path := range []string{"tasks/t7.md", "plans/p7.md", "tasks/t40.md", "plans/p44.md", "tasks/draft.md"} {
			bothWays(t, path, data)
		}
	})
}

// anyTask makes a task with any of the fields set, to plain words or to texts
// that need quotes.
func anyTask(rnd *rand.Rand) *Task {
	t := &Task{}
	fill(rnd, t.keys())
	t.ID, t.Title, t.Status, t.Packet, t.Rank = "t7", "x"+words(rnd), Todo, nil, words(rnd)
	t.Priority = []Priority{"", High, Medium, Low}[rnd.IntN(4)]
	if rnd.IntN(3) > 0 {
		t.Body = words(rnd) + "\n\n" + words(rnd)
	}
	return t
}

func anyPlan(rnd *rand.Rand) *Plan {
	p := &Plan{}
	fill(rnd, p.keys())
	p.ID, p.Title, p.Status, p.Goal = "p7", "x"+words(rnd), Active, words(rnd)
	p.Scope = []Scope{{Kind: FolderScope, Folder: "/srv/" + words(rnd)}, {Kind: SessionScope, Session: "ahp-session:/one"}}[rnd.IntN(2)]
	return p
}

func fill(rnd *rand.Rand, keys []key) {
	for _, k := range keys {
		if rnd.IntN(2) == 0 {
			continue
		}
		at := fmt.Sprintf("20%02d-%02d-%02dT%02d:10:59.%03dZ", rnd.IntN(99), 1+rnd.IntN(12), 1+rnd.IntN(28), rnd.IntN(24), rnd.IntN(1000))
		switch f := k.field.(type) {
		case *string:
			*f = words(rnd)
		case *[]string:
			for range rnd.IntN(4) {
				*f = append(*f, words(rnd))
			}
		case *map[string]string:
			*f = map[string]string{"k" + words(rnd): words(rnd), "a:b": words(rnd)}
		case **Lease:
			*f = &Lease{At: at, By: "x" + words(rnd), Until: at}
		case **Source:
			*f = &Source{Tool: "TodoWrite", ID: words(rnd)}
		case **Stamp:
			*f = &Stamp{At: at, By: "x" + words(rnd), In: words(rnd)}
			if k.name == "reviewed" {
				(*f).Verdict = ChangesWanted
			}
		}
	}
}

func words(rnd *rand.Rand) string {
	list := make([]string, rnd.IntN(6))
	for i := range list {
		list[i] = []string{"read", "the", "plan", "ä", "1", "yes", "a: b", "(c)", "#", "\"", "\\", "\t", "\n", "\u2028", "世界", "👩‍👩‍👧", "\x1b[31m", "<<<<<<< a", "/srv/x", "t12", "no", "-", "'", "\u00a0", "\U000E0041"}[rnd.IntN(25)]
	}
	return strings.Join(list, " ")
}

// What our writer writes is read by its spelling, and as YAML reads it; what
// somebody changed in it is read as YAML reads it or left to YAML.
func TestCanonicalEqualsYAML(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 33)
	taken, broken := 0, 0
	for range heavy(60_000) {
		path, data := "tasks/t7.md", anyTask(rnd).Encode()
		if rnd.IntN(4) == 0 {
			path, data = "plans/p7.md", anyPlan(rnd).Encode()
		}
		if !bothWays(t, path, data) && !strings.Contains(string(data), conflictStart) && !strings.Contains(string(data), "\n  \"") {
			t.Fatalf("left to YAML:\n%s", data)
		}
		if bothWays(t, path, mutate(rnd, data)) {
			taken++
		} else {
			broken++
		}
	}
	if taken == 0 || broken == 0 {
		t.Errorf("of the changed files %d were taken, %d left to YAML", taken, broken)
	}
}

// mutate changes a file as a hand, a merge or a bad disk might.
func mutate(rnd *rand.Rand, data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	i, j := rnd.IntN(len(lines)), rnd.IntN(len(lines))
	switch rnd.IntN(7) {
	case 0:
		lines[i], lines[j] = lines[j], lines[i]
	case 1:
		lines = slices.Insert(lines, i, lines[j])
	case 2:
		lines = slices.Delete(lines, i, i+1)
	case 3:
		lines[i] = strings.Replace(lines[i], " ", []string{"  ", "\t", "", " #", "\n"}[rnd.IntN(5)], 1)
	case 4:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + []string{" ", "\r\n", ": ", " # x", "---\n", "\\\n"}[rnd.IntN(6)]
	default:
		bytes := []byte(strings.Join(lines, ""))
		const marks = "\n \t\r\":#-[]{}'&*!|>%@,\\\x00\x85\xffxut0Z"
		bytes[rnd.IntN(len(bytes))] = marks[rnd.IntN(len(marks))]
		return bytes
	}
	return []byte(strings.Join(lines, ""))
}

// Whatever texts a task holds, both ways read them.
func TestCanonicalTakesAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		task := &Task{ID: "t7", Title: "x" + text.Draw(t, "title"), Status: Todo, Note: text.Draw(t, "note"),
			Labels: rapid.SliceOf(text).Draw(t, "labels"), Body: text.Draw(t, "body")}
		if !bothWays(t, "tasks/t7.md", task.Encode()) && !strings.Contains(task.Body, conflictStart) {
			t.Fatalf("left to YAML:\n%q", task.Encode())
		}
	})
}

func TestMomentIsWhatWeWrite(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2026-10-18T10:00:00.000Z": true, "2024-02-29T23:59:59.999Z": true, "2026-12-31T00:00:00.000Z": true,
		"2026-02-29T10:00:00.000Z": false, "2026-04-31T10:00:00.000Z": false, "2026-13-01T10:00:00.000Z": false,
		"2026-10-18T24:00:00.000Z": false, "2026-10-18T10:60:00.000Z": false, "2026-10-18T10:00:60.000Z": false,
		"2026-10-18T10:00:00.00Z": false, "2026-10-18 10:00:00.000Z": false, "2026-10-00T10:00:00.000Z": false, "": false,
	} {
		at, ok := ParseTime(text)
		if isMoment(text) != want || want != (ok && FormatTime(at) == text) {
			t.Errorf("%q: %v, want %v", text, isMoment(text), want)
		}
	}
}

// BenchmarkParse is one record of our own spelling, and one of a hand's, which
// YAML reads.
func BenchmarkParse(b *testing.B) {
	task := Parse("tasks/t40.md", sample(b, "40-canonical.md")).Task
	task.Packet = nil
	ours := task.Encode()
	theirs := []byte(strings.Replace(string(ours), "title: ", "title:  ", 1))
	for name, data := range map[string][]byte{"canonical": ours, "yaml": theirs} {
		b.Run(name, func(b *testing.B) {
			want := Parse("tasks/t40.md", ours)
			b.ReportAllocs()
			for b.Loop() {
				if p := Parse("tasks/t40.md", data); p.Task == nil || p.Task.Title != want.Task.Title || len(p.Task.Labels) != len(want.Task.Labels) {
					b.Fatal(p.Faults)
				}
			}
		})
	}
}

// TestSpliceOfTheCanonical: what the shortcut makes of a canonical file is what is
// made of it line by line, but for quotes that are kept there and not needed.
func TestSpliceOfTheCanonical(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 11))
	short, strip := 0, strings.NewReplacer(`"`, "", `\\`, `\`)
	for range 500 {
		for _, pair := range [][2]Record{{anyTask(rnd), anyTask(rnd)}, {anyPlan(rnd), anyPlan(rnd)}} {
			old, want := pair[0].Encode(), pair[1].page()
			got, ok := respelled(old, pair[1])
			if !ok {
				continue
			}
			short++
			if by, err := spliced(old, want); err != nil || strip.Replace(string(got)) != strip.Replace(string(by)) {
				t.Fatalf("%q\nbecomes     %q\nline by line %q, %v", old, got, by, err)
			}
		}
	}
	if short < 400 {
		t.Errorf("the shortcut was taken %d times", short)
	}
}

// TestEncodeByBlocks holds the file of a record to its page, laid out line by line.
func TestEncodeByBlocks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 13))
	for range 500 {
		for _, r := range []Record{anyTask(rnd), anyPlan(rnd)} {
			p := r.page()
			want := "---\n"
			for _, e := range p.entries {
				if e.value.form != absent {
					want += strings.Join(blockLines(e, 0), "\n") + "\n"
				}
			}
			if want += "---\n" + bodyText(p.body, "\n"); string(r.Encode()) != want {
				t.Fatalf("a record is encoded as\n%s\nand its page is\n%s", r.Encode(), want)
			}
		}
	}
}

// TestSame: records say the same where their pages are equal, and nowhere else; and
// the keys that changed are those whose entries differ.
func TestSame(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(17, 19))
	equal := 0
	for range 2000 {
		a, b := anyTask(rnd), anyTask(rnd)
		switch rnd.IntN(4) {
		case 0: // the same file, read twice
			b = Parse(PathOf(a.ID), a.Encode()).Task
			if b == nil {
				continue
			}
		case 1: // all but one key
			stamps := *a
			b, stamps.Reviewed = &stamps, b.Reviewed
			if a.Created != nil {
				again := *a.Created
				b.Created = &again
			}
		}
		was, is := a.page(), b.page()
		want := reflect.DeepEqual(was, is)
		if got := same(a, b); got != want {
			t.Fatalf("same is %t of\n%s\nand\n%s", got, a.Encode(), b.Encode())
		}
		var differ []string
		for i, e := range is.entries {
			if !reflect.DeepEqual(was.entries[i], e) {
				differ = append(differ, e.key)
			}
		}
		if a.Body != b.Body {
			differ = append(differ, "body")
		}
		if got := changed(a, b); !slices.Equal(got, differ) {
			t.Fatalf("changed is %q, want %q", got, differ)
		}
		if want {
			equal++
		}
	}
	if equal < 200 {
		t.Errorf("%d pairs said the same", equal)
	}
}
