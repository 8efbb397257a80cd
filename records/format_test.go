package records_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
)

// What a person typed is put in quotes, and a file in a wrong folder gets its path.
func ExampleFormat() {
	f := records.Format("tasks/t123.md", []byte("---\nid: t123\ntitle: Read: the plan\nstatus: todo # yet\n---\n"))
	fmt.Printf("%s\n%s", f.Path, f.Data)
	for _, note := range f.Notes {
		fmt.Println(note)
	}
	// Output:
	// tasks/1/t123.md
	// ---
	// id: t123
	// title: "Read: the plan"
	// status: todo # yet
	// ---
	// tasks/t123.md:3: put title in quotes
	// tasks/t123.md: moved to tasks/1/t123.md, where t123 belongs
}

func TestFormatPutsTextInQuotes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"title: a: b":                  `title: "a: b"`,
		"title: @x":                    `title: "@x"`,
		"title: `x` y":                 "title: \"`x` y\"",
		"title: [WIP] x":               `title: "[WIP] x"`,
		"title: *x*":                   `title: "*x*"`,
		"title: !x":                    `title: "!x"`,
		"title: !x y":                  `title: "!x y"`,
		"title: &x y":                  `title: "&x y"`,
		"title: 'user's next'":         `title: "user's next"`,
		"title: Fix #12":               `title: "Fix #12"`,
		"title: % done":                `title: "% done"`,
		"title: x\nnote: a: b":         "title: x\nnote: \"a: b\"",
		"title: a: b\nnote: @x":        "title: \"a: b\"\nnote: \"@x\"",
		"title: x\nlabels:\n  - @a":    "title: x\nlabels:\n  - \"@a\"",
		"title: x\nlabels:\n- a #1\n":  "title: x\nlabels:\n- \"a #1\"\n",
		"title: x\nlabels:\n- a: b\n":  "title: x\nlabels:\n- a: b\n",
		"title: x\nlabels:\n- a: b: c": "title: x\nlabels:\n- \"a: b: c\"",
		"title: x # why":               "title: x # why",
		"title: x #":                   "title: x #",
		"title: x\nstatus: !y done":    "title: x\nstatus: !y done",
		"title: x\nlabels: docs":       "title: x\nlabels: docs",
		"title: x\nlabels: [a":         "title: x\nlabels: [a",
		"title: x\ntitle: y":           "title: x\ntitle: y",
		"title: x\n\tnote: y":          "title: x\n\tnote: y",
		"title: x\npriority: High":     "title: x\npriority: High",
		"title: yes\nnote: 2026-10-18": "title: yes\nnote: 2026-10-18",
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			turn := func(s string) string { return strings.ReplaceAll("---\n"+s+"\n---\n\nBody\n", "\n", eol) }
			f := records.Format("tasks/x.md", []byte(turn(line)))
			if string(f.Data) != turn(want) || f.Path != "tasks/x.md" || (len(f.Notes) > 0) != (line != want) {
				t.Errorf("%q becomes %q, %q", line, f.Data, f.Notes)
			}
		}
	}
}

// The files that other people's tools wrote and YAML could not read are mended as far
// as quotes mend them.
func TestA7FormatMendsWhatOthersWrote(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"01-backlogmd-at-assignee.md":        "assignee: \"@rowan\"\nreporter: \"@rowan\"\n",
		"07-backlogmd-colon-title-broken.md": "title: \"Kitchen: leave the chairs already in place\"\n",
		"08-backlogmd-apostrophe-broken.md":  "title: \"Ask for the neighbour's ladder\"\n",
		"04-backlogmd-no-frontmatter.md":     "",
		"20-speckit-tasks.md":                "",
		"03-backlogmd-folded-title.md":       "",
		"92-own-line-separator.md":           "title: \"harmless\\u2028id: t1\"\n",
		"06-backlogmd-plain-datetime.md":     "",
		"31-obsidian-properties.md":          "",
	} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f := records.Format("tasks/x.md", data)
		if !strings.Contains(string(f.Data), want) || want == "" && string(f.Data) != string(data) {
			t.Errorf("%s becomes\n%s%q", name, f.Data, f.Notes)
		}
	}
}

func TestFormatMovesRecords(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct{ text, want string }{
		"tasks/t123.md": {taskFile("t123", "todo"), "tasks/1/t123.md"}, "tasks/web/t7.md": {taskFile("t7", "todo"), "tasks/t7.md"},
		"plans/x/p1.md": {planFile("p1", "draft"), "plans/p1.md"}, "tasks/1/t7.md": {taskFile("t8", "todo"), "tasks/1/t7.md"},
		"tasks/t7.md": {taskFile("t7", "todo"), "tasks/t7.md"}, "tasks/web/x.md": {"---\ntitle: x\n---\n", "tasks/web/x.md"},
		"README.md": {"title: a: b", "README.md"}, "tasks/.highest": {"x", "tasks/.highest"}, "tasks/README.md": {"---\ntitle: a: b\n---\n", "tasks/README.md"},
	} {
		f := records.Format(path, []byte(c.text))
		if f.Path != c.want || string(f.Data) != c.text {
			t.Errorf("%s goes to %s: %q, %q", path, f.Path, f.Data, f.Notes)
		}
	}
}

// Format changes no file that reads as it is, changes none twice, and what it puts
// in quotes is the text as it was typed.
func TestP13FormatChangesWhatItHasTo(t *testing.T) {
	t.Parallel()
	mended := 0
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		parts := append([]string{"a", " ", ": ", "b", " #12", "@", "*", "!", "[", "'", "\"", "`", "- ", "% "}, hostile...)
		var title strings.Builder
		for range 1 + rnd.IntN(4) {
			title.WriteString(parts[rnd.IntN(len(parts))])
		}
		text := "---\n# c\nid: t7\ntitle: " + title.String() + "\nstatus: todo   # yet\nown: {a: 1}\n---\n\nBody\n"
		before := records.Parse("tasks/t7.md", []byte(text))
		f := records.Format("tasks/t7.md", []byte(text))
		if len(before.Faults)+len(before.Warnings) == 0 && string(f.Data) != text {
			t.Fatalf("%q\nbecomes %q", text, f.Data)
		}
		if again := records.Format(f.Path, f.Data); string(again.Data) != string(f.Data) || len(again.Notes) > 0 {
			t.Fatalf("%q\nbecomes %q\nand then %q, %q", text, f.Data, again.Data, again.Notes)
		}
		if len(f.Notes) == 0 {
			if string(f.Data) != text {
				t.Fatalf("%q\nbecomes %q without a word", text, f.Data)
			}
			return
		}
		mended++
		after := records.Parse("tasks/t7.md", f.Data)
		typed := strings.TrimSpace(title.String())
		if r := after.Task; r == nil || len(after.Warnings) > 0 || r.Status != records.Todo || r.Body != "Body" ||
			!strings.Contains(typed, strings.Trim(r.Title, `"'`)) || strings.Count(string(f.Data), "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q\nbecomes %q: %+v %q", text, f.Data, after.Task, texts(after.Faults))
		}
	})
	if mended == 0 {
		t.Error("nothing was mended")
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("---\ntitle: a: b\nlabels:\n- @x\n---\n")
	f.Add("\uFEFF---\r\ntitle: !x #12\r\n---")
	f.Fuzz(func(t *testing.T, text string) {
		once := records.Format("tasks/t123.md", []byte(text))
		again := records.Format(once.Path, once.Data)
		if string(again.Data) != string(once.Data) || again.Path != once.Path {
			t.Fatalf("%q\nbecomes %q, and then %q", text, once.Data, again.Data)
		}
		if before := records.Parse("tasks/t123.md", []byte(text)); len(before.Faults)+len(before.Warnings) == 0 && string(once.Data) != text {
			t.Fatalf("%q reads and becomes %q", text, once.Data)
		}
	})
}
