package records_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
)

// A stale clone's file meets what the branch has become: each side's fields stand,
// and the one that both changed is named.
func ExampleMerge() {
	base := "---\nid: t7\ntitle: Read the plan   # soon\nstatus: todo\nlabels: [docs]\nroom: 12\n---\n\nFirst.\n"
	branch := strings.NewReplacer("status: todo", "status: doing", "[docs]", "[docs, now]", "Read the plan", "Read it").Replace(base)
	pushed := strings.NewReplacer("room: 12", "room: 14", "[docs]", "[api, docs]", "Read the plan", "Read all of it", "First.", "First.\nSecond.").Replace(base)

	m := records.Merge("tasks/t7.md", []byte(base), []byte(branch), []byte(pushed))
	fmt.Printf("%s", m.Data)
	for _, o := range m.Overruled {
		fmt.Println(o)
	}
	// Output:
	// ---
	// id: t7
	// title: Read all of it   # soon
	// status: doing
	// labels: [api, docs, now]
	// room: 14
	// ---
	//
	// First.
	// Second.
	// tasks/t7.md: title "Read it" of the branch gave way to "Read all of it"
}

// merged is one merge: what is put in place of parts of a task's file on the two
// sides, and what comes of it.
type merged struct{ branch, pushed, want, over []string }

func TestMergeByField(t *testing.T) {
	t.Parallel()
	const base = "---\n# kept\nid: t7\ntitle: Seven\nstatus: todo\nlabels:\n  - a\n  - b\nblockedBy: [t1, t2]\nnote: n\nmetadata:\n  k: 1\n" +
		"created:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana\nown: {x: 1} # theirs\n---\n\nOne\nTwo\nThree\nFour\n"
	stamp := func(name, at, by string) string { return name + ":\n  at: " + at + "\n  by: " + by + "\nown:" }
	for name, c := range map[string]merged{
		"fields of each":            {[]string{"todo", "doing"}, []string{"Seven", "7"}, []string{"status: doing", "title: 7\n"}, nil},
		"one scalar, both":          {[]string{"Seven", "A"}, []string{"Seven", "B"}, []string{"title: B\n"}, []string{`title "A" of the branch gave way to "B"`}},
		"the same, both":            {[]string{"Seven", "A"}, []string{"Seven", "A", "note: n", "note: m"}, []string{"title: A\n", "note: m\n"}, nil},
		"taken out and changed":     {[]string{"note: n\n", ""}, []string{"note: n", "note: m"}, []string{"note: m\n"}, []string{`note (nothing) of the branch gave way to "m"`}},
		"changed and taken out":     {[]string{"note: n", "note: m"}, []string{"note: n\n", ""}, []string{"metadata"}, []string{`note "m" of the branch gave way to (nothing)`}},
		"sets":                      {[]string{"  - a\n", "  - a\n  - c\n", "t1, ", ""}, []string{"  - b\n", "", "t2]", "t2, t3]"}, []string{"  - a\n  - c\nblockedBy: [t2, t3]"}, nil},
		"metadata":                  {[]string{"k: 1", "k: 2"}, []string{"k: 1", "k: 1\n  l: 2"}, []string{"  k: 2\n  l: 2\n"}, nil},
		"metadata, both":            {[]string{"k: 1", "k: 2"}, []string{"k: 1", "k: 3"}, []string{"  k: 3\n"}, []string{`metadata.k "2" of the branch gave way to "3"`}},
		"moved, each another way":   {[]string{"note: n", "rank: \"V2\"\nnote: n"}, []string{"note: n", "parent: t1\nnote: n"}, []string{"parent: t1\n", "rank: \"V2\"\n"}, nil},
		"moved, both":               {[]string{"note: n", "parent: t2\nnote: n"}, []string{"note: n", "parent: t1\nnote: n"}, []string{"parent: t1\n"}, []string{`parent "t2" of the branch gave way to "t1"`}},
		"a key of nobody's":         {[]string{"x: 1", "x: 2"}, []string{"Seven", "7"}, []string{"own: {x: 2} # theirs"}, nil},
		"a key of nobody's, both":   {[]string{"x: 1", "x: 2"}, []string{"x: 1", "x: 3"}, []string{"own: {x: 3} # theirs"}, []string{`own "{x: 2}" of the branch gave way to "{x: 3}"`}},
		"comments":                  {[]string{"# kept\n", "# kept\n# ana\n"}, []string{"todo", "doing # bob"}, []string{"# kept\n# ana\n", "status: doing # bob"}, nil},
		"a comment by the way":      {[]string{"todo", "done # ana"}, []string{"todo", "todo # bob"}, []string{"status: done # bob"}, []string{`comment "# ana" of the branch gave way to (nothing)`}},
		"order of the branch":       {[]string{"note: n\n", "", "title:", "note: n\ntitle:"}, []string{"note: n", "note: m"}, []string{"note: m\ntitle: Seven"}, nil},
		"lines of the body":         {[]string{"One\n", "Eins\n"}, []string{"Two\n", "Zwei\n", "Four\n", "Four\nFive\n"}, []string{"\nEins\nZwei\nThree\nFour\nFive\n"}, nil},
		"lines of the body, both":   {[]string{"Two\nThree", "2\n3"}, []string{"Three", "Drei"}, []string{"One\nTwo\nDrei\nFour"}, []string{`body "2\n3" of the branch gave way to "Two\nDrei"`}},
		"lines put in by both":      {[]string{"Four\n", "Four\nAna\n"}, []string{"Four\n", "Four\nBob\n"}, []string{"Four\nAna\nBob\n"}, nil},
		"approved, the later":       {[]string{"own:", stamp("approved", "2026-10-19", "ana")}, []string{"own:", stamp("approved", "2026-10-18", "bob")}, []string{"at: 2026-10-19"}, []string{`approved "{at: 2026-10-18, by: bob}" of the push gave way to "{at: 2026-10-19, by: ana}"`}},
		"started, the first":        {[]string{"own:", stamp("started", "2026-10-19", "ana")}, []string{"own:", stamp("started", "2026-10-18", "bob")}, []string{"at: 2026-10-18\n  by: bob"}, []string{`started "{at: 2026-10-19, by: ana}" of the branch gave way to "{at: 2026-10-18, by: bob}"`}},
		"owner, the branch's":       {[]string{"note: n", "owner: ana\nnote: n"}, []string{"note: n", "owner: bob\nnote: n"}, []string{"owner: ana"}, []string{`owner "bob" of the push gave way to "ana"`}},
		"line ends of the push":     {[]string{"todo", "doing"}, []string{"\n", "\r\n"}, []string{"status: doing\r\nlabels:\r\n", "One\r\nTwo"}, nil},
		"a text with a bare colon":  {[]string{"Seven", "\"a: b\""}, []string{"todo", "done"}, []string{"title: \"a: b\"\nstatus: done"}, nil},
		"a map in braces on a side": {[]string{"metadata:\n  k: 1", "metadata: {k: 1, l: 2}"}, []string{"k: 1", "k: 3"}, []string{"k: 3", "l: \"2\""}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := records.Merge("tasks/t7.md", []byte(base), []byte(strings.NewReplacer(c.branch...).Replace(base)),
				[]byte(strings.NewReplacer(c.pushed...).Replace(base)))
			if len(m.Faults) > 0 || m.Apart != nil {
				t.Fatalf("%+v", m)
			}
			for _, part := range append(c.want, "# kept") {
				if !strings.Contains(string(m.Data), part) {
					t.Errorf("lacks %q:\n%s", part, m.Data)
				}
			}
			var over []string
			for _, o := range m.Overruled {
				over = append(over, strings.TrimPrefix(o.String(), "tasks/t7.md: "))
			}
			wantList(t, "overruled", over, c.over...)
		})
	}
}

func TestMergeOfFilesAsAWhole(t *testing.T) {
	t.Parallel()
	seven, done := taskFile("t7", "todo"), taskFile("t7", "done")
	broken := strings.Replace(seven, "Task t7", "Task: t7: x", 1)
	for name, c := range map[string]struct {
		path                 string
		base, branch, pushed string // "" for none
		data, apart          string
		over, fault          string
	}{
		"removed by both":            {path: "tasks/t7.md", base: seven},
		"removed on the branch":      {path: "tasks/t7.md", base: seven, pushed: done, data: done, over: "tasks/t7.md: the branch took it out; what the push made of it stands"},
		"removed by the push":        {path: "tasks/t7.md", base: seven, branch: done, data: done, over: "tasks/t7.md: the push took it out; what the branch made of it stands"},
		"removed, else unchanged":    {path: "tasks/t7.md", base: seven, branch: seven},
		"A4 both add one name":       {path: "tasks/t7.md", branch: seven, pushed: done, data: seven, apart: strings.Replace(done, "id: t7\n", "", 1)},
		"both add one draft":         {path: "plans/x.md", branch: "---\ntitle: a\nscope: {kind: bot, bot: b}\n---\n", pushed: "---\ntitle: b\nscope: {kind: bot, bot: b}\n---\n", data: "---\ntitle: a\nscope: {kind: bot, bot: b}\n---\n", apart: "---\ntitle: b\nscope: {kind: bot, bot: b}\n---\n"},
		"both add, one unreadable":   {path: "tasks/t7.md", branch: seven, pushed: broken, fault: "tasks/t7.md:3: title holds a colon"},
		"readme":                     {path: "tasks/README.md", base: "a\nb\nc\n", branch: "A\nb\nc\n", pushed: "a\nb\nC\nd", data: "A\nb\nC\nd"},
		"readme, one line":           {path: "README.md", base: "a\n", branch: "b\n", pushed: "c\n", data: "c\n", over: `README.md: text "b" of the branch gave way to "c"`},
		"readme that both add":       {path: "README.md", branch: "b\n", pushed: "c\n", data: "b\nc\n"},
		"bytes":                      {path: "x.png", base: "\x00", branch: "\x00\x01", pushed: "\xff", data: "\xff", over: `x.png: content "2 bytes" of the branch gave way to "1 bytes"`},
		".highest":                   {path: "tasks/.highest", base: "t9\n", branch: "t12\n", pushed: "t11\n", data: "t12\n"},
		".highest of the push":       {path: "plans/.highest", branch: "p1\n", pushed: "p11\n", data: "p11\n"},
		".highest taken out":         {path: "tasks/.highest", base: "t9\n", branch: "t9\n", data: "t9\n"},
		"base broken, both mend":     {path: "tasks/t7.md", base: broken, branch: seven, pushed: strings.Replace(seven, "status", "note: x\nstatus", 1), data: strings.Replace(seven, "status", "note: x\nstatus", 1)},
		"branch broken":              {path: "tasks/t7.md", base: seven, branch: broken, pushed: done, fault: "tasks/t7.md:3: title holds a colon"},
		"branch broken, push mends":  {path: "tasks/t7.md", base: broken, branch: broken, pushed: seven, data: seven},
		"branch broken, other lines": {path: "tasks/t7.md", base: broken, branch: broken + "x\n", pushed: seven, data: seven + "x\n"},
		"markers are not hidden":     {path: "tasks/t7.md", base: seven, branch: done, pushed: strings.Replace(seven, "title", "<<<<<<< x\ntitle", 1), fault: "tasks/t7.md:3: holds conflict markers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := func(text string) []byte {
				if text == "" {
					return nil
				}
				return []byte(text)
			}
			m := records.Merge(c.path, of(c.base), of(c.branch), of(c.pushed))
			if string(m.Data) != c.data || (m.Data == nil) != (c.data == "") || string(m.Apart) != c.apart {
				t.Errorf("becomes %q, apart %q, want %q, %q", m.Data, m.Apart, c.data, c.apart)
			}
			if got := fmt.Sprint(m.Overruled); got != "["+c.over+"]" {
				t.Errorf("overruled %s, want %s", got, c.over)
			}
			if len(m.Faults) > 0 != (c.fault != "") || c.fault != "" && !strings.HasPrefix(m.Faults[0].String(), c.fault) {
				t.Errorf("faults %q, want %q", texts(m.Faults), c.fault)
			}
		})
	}
}

// Texts as long as a repository holds them are merged in bounded time, coarsely
// where they are made to be slow.
func TestMergeOfLongTexts(t *testing.T) {
	t.Parallel()
	var long, same strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&long, "line %d\n", i)
		same.WriteString([]string{"a\n", "b\n"}[i*i%7%2])
	}
	for name, base := range map[string]string{"different lines": long.String(), "the same lines": same.String()} {
		branch, pushed := "first\n"+base, strings.Replace(base, "\n", "!\n", 1)[:len(base)/2]+"middle\n"+base[len(base)/2+1:]+"last\n"
		m := records.Merge("notes.txt", []byte(base), []byte(branch), []byte(pushed))
		for _, part := range []string{"middle\n", "last\n"} {
			if !strings.Contains(string(m.Data), part) {
				t.Errorf("%s: lost %q", name, part)
			}
		}
		if !strings.Contains(string(m.Data), "first\n") && len(m.Overruled) == 0 {
			t.Errorf("%s: the branch's line is lost without a word", name)
		}
	}
}
