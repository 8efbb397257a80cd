package records

import (
	"os"
	"strings"
	"testing"
)

// advises reports whether a mend is something to do rather than lines.
func advises(mend string) bool {
	word, _, _ := strings.Cut(mend, " ")
	switch word {
	case "take", "save", "rename", "indent":
		return true
	}
	return false
}

// mended puts a mend where it belongs: in the place of its line, or before all.
func mended(data string, f Fault) string {
	lines := strings.SplitAfter(data, "\n")
	if f.Line == 0 {
		return f.Mend + "\n" + data
	}
	lines[f.Line-1] = f.Mend + "\n"
	return strings.Join(lines, "")
}

// mendAll puts in mends until none is left, and gives what cannot be mended so.
// Each must end the fault it is about, and make nothing worse.
func mendAll(t *testing.T, path, data string) Parsed {
	t.Helper()
	p := Parse(path, []byte(data))
	for range 20 {
		at := -1
		for i, f := range p.Faults {
			if f.Mend != "" && !advises(f.Mend) {
				at = i
			}
		}
		if at < 0 {
			return p
		}
		f := p.Faults[at]
		next := mended(data, f)
		now := Parse(path, []byte(next))
		for _, g := range now.Faults {
			if g.Reason == f.Reason && g.Line == f.Line || len(now.Faults) > len(p.Faults) && len(p.Faults) > 1 {
				t.Errorf("%s: %q\nmended with %q\nsays %s", path, data, f.Mend, g)
				return now
			}
		}
		data, p = next, now
	}
	t.Errorf("%q is never mended", data)
	return p
}

// TestEveryLineMends holds every mend that is a line to its word: put in place of
// the line, the file reads. What stays is what no line was given for.
func TestEveryLineMends(t *testing.T) {
	t.Parallel()
	for _, c := range handEdits {
		data := head + c.text + "\n---\n"
		if c.mend != "" && !advises(c.mend) {
			data = mended(data, Parse("tasks/t7.md", []byte(data)).Faults[0])
			if p := mendAll(t, "tasks/t7.md", data); len(p.Faults) > 0 {
				t.Errorf("%q mended with %q: %s", c.text, c.mend, p.Faults[0])
			}
		}
		mendAll(t, "tasks/t7.md", head+c.text+"\n---\n")
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			for _, path := range []string{"tasks/t7.md", "tasks/x.md", "plans/p7.md", "plans/x.md"} {
				mendAll(t, path, string(sample(t, e.Name())))
			}
		}
	}
}

// TestMendsOfTagsWordsAndWholeFiles is a mend each that once was not one.
func TestMendsOfTagsWordsAndWholeFiles(t *testing.T) {
	t.Parallel()
	for text, mend := range map[string]string{
		"title: a\npriority: !!str high":                                         "priority: high",
		"title: a\npriority: !x high":                                            "priority: high",
		"title: a\npriority: &x high":                                            "priority: high",
		"title: a\nown: &x high\npriority: *x":                                   "priority: high",
		"title: a\npriority: !!str High # c":                                     "",
		"title: !!str Read the plan":                                             "title: Read the plan",
		"title: !!str 'a b' # c":                                                 "title: 'a b' # c",
		"title: !<tag:yaml.org,2002:str> a":                                      "title: a",
		"title: !!str &x a":                                                      "title: a",
		"title: !!str |\n  a":                                                    "title: |",
		"title: !!str":                                                           "",
		"title: a\nnote: !!binary aGk=":                                          "note: aGk=",
		"title: a\nlabels: !!seq [a, !!str b]":                                   "labels: [a, b]",
		"title: a\nlabels: !!seq\n  - a":                                         "labels:",
		"title: a\nlabels:\n  - !!str a":                                         "  - a",
		"title: a\nlabels: [!!str a, !!str b]":                                   "labels: [a, b]",
		"title: a\nblockedBy:\n  - !x t1":                                        "  - t1",
		"title: a\nplan: !!str p1":                                               "plan: p1",
		"title: a\ncreated: {at: !!timestamp 2026-10-18, by: x}":                 "created: {at: 2026-10-18, by: x}",
		"title: a\ncreated:\n  at: 2026-10-18\n  by: !!str x":                    "  by: x",
		"title: a\nreviewed: {at: 2026-10-18, by: x, verdict: Approved}":         "reviewed: {at: 2026-10-18, by: x, verdict: approved}",
		"title: a\npriority: 'HIGH' # c":                                         "priority: high # c",
		"title: a\npriority: @high":                                              "",
		"title: a\nlabels: a\n  b":                                               "",
		"title: a\nlabels: @a":                                                   `labels: ["@a"]`,
		"title: a\nnote: [a,\n  b]":                                              "",
		"title: &x a\n  b":                                                       "",
		"title: [WIP] x\n  y":                                                    "",
		"title: a\nmetadata:\n\ta: b\n\tc: d":                                    "  a: b",
		"title: a\nlabels:\n  - @x\n  - @y":                                      `  - "@x"`,
		"title: a\ncreated: @x":                                                  "",
		"title: a\nlabels: \"a\x1b\n  b\"":                                       "",
		"title: a\nnote: [x]\nmetadata: {k: [v]}":                                `note: "[x]"`,
		"title: a\nblockedBy: !!str t1":                                          "",
		"title: a\nsource: !!map {tool: x}":                                      "source: {tool: x}",
		"title: a\npacket: !y {n: 1}":                                            "packet: {n: 1}",
		"title: a\nlease: !!map\n  at: 2026-10-18\n  by: x\n  until: 2026-10-19": "lease:",
	} {
		p := Parse("tasks/t7.md", []byte(head+text+"\n---\n"))
		all := append(p.Faults, p.Warnings...)
		if len(all) == 0 || all[0].Mend != mend {
			t.Errorf("%q: %v\nwant mend %q, got %+v", text, all, mend, all)
		}
	}
	for _, c := range []struct{ path, data, reason, mend string }{
		{"tasks/renamed.md", "---\nid: t1\ntitle: a\nstatus: todo\n---\n", "in a file of another name", "rename it to tasks/t1.md if that is free, else take the id out: it is minted"},
		{"plans/web/x.md", "---\nid: p1234\ntitle: a\nscope: {kind: bot, bot: b}\nstatus: draft\n---\n", "in a file of another name", "rename it to plans/12/p1234.md if that is free, else take the id out: it is minted"},
		{"tasks/t7.md", "---\nid: !!str t7\ntitle: a\nstatus: todo\n---\n", "is a YAML tag", "id: t7"},
		{"tasks/t7.md", "---\nid: [t7]\ntitle: a\nstatus: todo\n---\n", "id must be a string.", "id: t7"},
		{"tasks/t7.md", "---\nid: @t7\ntitle: a\nstatus: todo\n---\n", "id begins with @", "id: t7"},
		{"tasks/x.md", "---\nid: @t7\ntitle: a\nstatus: todo\n---\n", "id begins with @", ""},
		{"tasks/t7.md", "{", "has no frontmatter", "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/x.md", "# x", "has no frontmatter", "---\ntitle: What is to be done\n---"},
		{"plans/x.md", "# x", "has no frontmatter", "---\nscope: {kind: folder, folder: /path}\ntitle: What is to be done\n---"},
		{"plans/p7.md", "", "is empty", "---\nid: p7\nscope: {kind: folder, folder: /path}\ntitle: What is to be done\nstatus: draft\n---"},
		{"tasks/t7.md", "---\n{id: t9, title: a, status: todo}\n---\n", "where the file's name says t7", "{id: t7, title: a, status: todo}"},
		{"tasks/t7.md", "---\n{id: t7, title: a, status: todo, priority: High}\n---\n", priorityReason, "{id: t7, title: a, status: todo, priority: high}"},
		{"tasks/t1000000000.md", "---\nid: t1000000000\ntitle: a\nstatus: todo\n---\n", "id must be t<n>, a number of at most nine digits", "take the id out: it is minted"},
		{"tasks/t7.md", "---\nid: t12345678901234567890\ntitle: a\nstatus: todo\n---\n", "at most nine digits", "id: t7"},
		{"plans/p7.md", "---\nid: p0000000001\ntitle: a\nscope: {kind: bot, bot: b}\nstatus: draft\n---\n", "id must be p<n>, a number counted up", "id: p7"},
	} {
		p := Parse(c.path, []byte(c.data))
		if len(p.Faults) != 1 || !strings.Contains(p.Faults[0].Reason, c.reason) || p.Faults[0].Mend != c.mend {
			t.Errorf("%s %q: %+v\nwant %q", c.path, c.data, p.Faults, c.mend)
			continue
		}
		mendAll(t, c.path, c.data)
	}
}

// TestMendsOfAnyText puts texts that are misread wherever a line holds one: a mend
// that is a line ends what it is about, and leaves a readable file readable.
func TestMendsOfAnyText(t *testing.T) {
	t.Parallel()
	rnd := seeded(t, 20)
	shapes := []string{"title: %", "title: a\nnote: %", "title: a\npriority: %", "title: a\nlabels: %", "title: a\nlabels:\n  - %\n  - b",
		"title: a\nblockedBy: [%]", "title: a\nplan: %\nparent: x", "title: a\nmetadata:\n  k: %", "title: a\ncreated:\n  at: 2026-10-18\n  by: %",
		"title: a\nnote: %\n  more", "title: a\nlabels: [%,\n  b]", "title: a\nreviewed: {at: 2026-10-18, by: x, verdict: %}", "title: a\nid: %"}
	for range heavy(60_000) {
		text := hostile(rnd)
		if rnd.IntN(3) == 0 {
			text = []string{"!!str ", "!x ", "&x ", "!!seq ", "!!str &x "}[rnd.IntN(5)] + text
		}
		data := head + strings.Replace(shapes[rnd.IntN(len(shapes))], "%", text, 1) + "\n---\n"
		p := Parse("tasks/t7.md", []byte(data))
		mendAll(t, "tasks/t7.md", data)
		for _, w := range p.Warnings {
			if w.Mend == "" || len(p.Faults) > 0 {
				continue
			}
			now := Parse("tasks/t7.md", []byte(mended(data, w)))
			for _, f := range append(now.Faults, now.Warnings...) {
				if len(now.Faults) > 0 || f == w {
					t.Errorf("%q\nmended with %q\nsays %s", data, w.Mend, f)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}
