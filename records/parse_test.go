package records

import (
	"reflect"
	"strings"
	"testing"
)

// head is the beginning of the file that the tables below add to; what they add
// begins on line 4.
const head = "---\nid: t7\nstatus: todo\n"

// handEdits is what makes a file no record: the line, the field, a word of the
// reason, and the line as it should be.
var handEdits = []struct {
	text          string
	line          int
	field, reason string
	mend          string
}{
	{"title: a: b", 4, "title", "quote it", `title: "a: b"`},
	{"title: @x", 4, "title", "keeps for itself: quote it", `title: "@x"`},
	{"title: `x`", 4, "title", "keeps for itself: quote it", "title: \"`x`\""},
	{"title: [WIP] x", 4, "title", "opens a list or a map: quote it", `title: "[WIP] x"`},
	{"title: *x* y", 4, "title", "alias: quote it", `title: "*x* y"`},
	{"title: *x", 4, "title", "alias", `title: "*x"`},
	{"title: 'user's next'", 4, "title", "quotes that do not fit", `title: "user's next"`},
	{`title: "Q" w`, 4, "title", "quotes that do not fit", `title: "\"Q\" w"`},
	{"title: 'unclosed\nown: 1", 4, "title", "quotes that do not fit", `title: "unclosed"`},
	{"title: | x", 4, "title", "has a meaning in YAML", `title: "| x"`},
	{"title: - x", 4, "title", "has a meaning in YAML", `title: "- x"`},
	{"own: 1\ntitle: @x", 5, "title", "quote it", `title: "@x"`},
	{"title: #12", 4, "title", "title must be a non-empty string.", `title: "#12"`},
	{"title: [a]", 4, "title", "title must be a string.", `title: "[a]"`},
	{"title: {a: b}", 4, "title", "title must be a string.", `title: "{a: b}"`},
	{"title:\n  - a", 5, "title", "title must be a string.", ""},
	{"title:", 4, "title", "title must be a non-empty string.", ""},
	{"title: ~", 4, "title", "title must be a non-empty string.", ""},
	{`title: "  "`, 4, "title", "title must be a non-empty string.", ""},
	{"own: 1", 1, "title", "title must be a non-empty string.", "---\ntitle: What is to be done"},
	{"title: a\ntitle: b", 5, "title", "duplicate key title: it is on line 4 too", "take one of the two lines out"},
	{"title: a\nown: {b: 1, b: 2}", 5, "b", "duplicate key b", "take one of the two lines out"},
	{"title: a\nid: t7", 5, "id", "duplicate key id", "take one of the two lines out"},
	{"title: a\u2028id: t1", 4, "title", "duplicate key id: U+2028 counts as a line break in YAML", `title: "a\u2028id: t1"`},
	{"title: a\u0085b", 4, "title", "U+0085 counts as a line break in YAML", `title: "a\x85b"`},
	{"title: a\x1bb", 4, "title", "control character U+001B", `title: "a\x1bb"`},
	{"title: a\rb", 4, "title", "control character U+000D", `title: "a\x0db"`},
	{"title: a\x00", 4, "title", "control character U+0000", `title: "a\x00"`},
	{"title: a\nlabels:\n\t- b", 6, "", "indented with a tab", "  - b"},
	{"title: a\n  \town: b", 5, "own", "indented with a tab", ""},
	{"title: a\nown: !!str x", 5, "own", "!!str is a YAML tag", "own: x"},
	{"title: a\nown: !!set {x}", 5, "own", "!!set is a YAML tag", "own: {x}"},
	{"title: a\nlabels: !s [x]", 5, "labels", "!s is a YAML tag", "labels: [x]"},
	{"title: a\nx: &a [1]\ny: *a", 6, "y", "*a is a YAML alias", `y: "*a"`},
	{"title: a\n--- x", 5, "", "a second document", "---"},
	{"%YAML 1.2\ntitle: a", 4, "", "directive", "take the line out"},
	{"title: a\n<<<<<<< HEAD\nown: 1\n=======\nown: 2\n>>>>>>> x", 5, "", "conflict markers", ""},
	{"title: a\n own: c", 5, "own", "indented as nothing above it allows", "own: c"},
	{"title: a\nstray\nown: c", 5, "", "not a line of `key: value`", "indent it if it belongs to the line above"},
	{"title:foo", 4, "", "needs a blank behind its colon", "title: foo"},
	{"title: a\n? [a]\n: b", 5, "", "a key must be text", ""},
	{"title: a\npriority: High", 5, "priority", priorityReason, "priority: high"},
	{"title: a\npriority: urgent", 5, "priority", priorityReason, ""},
	{"title: a\npriority: [low]", 5, "priority", priorityReason, ""},
	{"title: a\nlabels: docs, x", 5, "labels", "labels must be an array of strings.", "labels: [docs, x]"},
	{"title: a\nlabels: {a: b}", 5, "labels", "labels must be an array of strings.", ""},
	{"title: a\nlabels: [null, ~]", 5, "labels", "labels must be an array of strings.", `take the item out, or write "" for an empty one`},
	{"title: a\nlabels:\n  - a\n  - [b]", 7, "labels", "labels must be an array of strings.", `  - "[b]"`},
	{"title: a\nlabels:\n  - #12", 6, "labels", "labels must be an array of strings.", `  - "#12"`},
	{"title: a\nlabels:\n  - ok\n  - a: b: c", 7, "labels", "quote it", `  - "a: b: c"`},
	{"title: a\nlabels:\n  - ok\n  - @x", 7, "labels", "quote it", `  - "@x"`},
	{"title: a\nrefs: [a\nown: 1", 5, "refs", "opens a list or a map", "refs: [a]"},
	{"title: a\nblockedBy: 3", 5, "blockedBy", "blockedBy must be an array of strings.", "blockedBy: [\"3\"]"},
	{"title: a\nnote: [b]", 5, "note", "note must be a string.", `note: "[b]"`},
	{"title: a\nmetadata: x", 5, "metadata", "metadata must be an object of strings.", ""},
	{"title: a\nmetadata:\n  c: [d]", 6, "metadata.c", "metadata must be an object of strings.", `  c: "[d]"`},
	{"title: a\npacket: x", 5, "packet", "packet must be an object.", ""},
	{"title: a\nsource: x", 5, "source", "source must be a map", ""},
	{"title: a\ncreated: x", 5, "created", "created must be a map", ""},
	{"title: a\ncreated:\n  at: yesterday\n  by: x", 6, "created.at", "created.at must be an ISO-8601 timestamp.", ""},
	{"title: a\ncreated:\n  at: 2026-02-29\n  by: x", 6, "created.at", "created.at must be an ISO-8601 timestamp.", ""},
	{"title: a\ncreated:\n  at: 2026-10-18\n  by: [x]", 7, "created.by", "created.by must be a string.", `  by: "[x]"`},
	{"title: a\ncreated:\n  at: 2026-10-18", 6, "created.by", "created.by must be a non-empty string.", ""},
	{"title: a\ncreated:\n  by: x", 6, "created.at", "created.at must be an ISO-8601 timestamp.", ""},
	{"title: a\ncreated: !x {at: 2026-10-18, by: x}", 5, "created", "!x is a YAML tag", "created: {at: 2026-10-18, by: x}"},
	{"title: a\nmetadata: {[a]: b}", 5, "metadata", "metadata must be an object of strings.", ""},
	{"title: a\npacket: {a: {[b]: c}}", 5, "packet", "the keys of packet must be text.", ""},
	{"title: a\nlease: {at: 2026-10-18}", 5, "lease.by", "lease.by must be a non-empty string.", ""},
	{"title: a\nown: x]\nlabels: ]", 6, "labels", "the end of a list: quote it", `labels: ["]"]`},
	{"title: a\nlabels:\n  - a\n - b", 7, "labels", "an item where no list is open", ""},
	{"- a\ntitle: b", 4, "status", "an item where no list is open", ""},
	{"title: a\nreviewed: {at: 2026-10-18, by: x, verdict: ok}", 5, "reviewed.verdict", verdictReason, ""},
	{"title: a\nlease: {at: 2026-10-18T10:00, by: me, until: never}", 5, "lease.until", "lease.until must be an ISO-8601 timestamp.", ""},
}

// TestHandEditsReported asks for the first fault of each, in full.
func TestHandEditsReported(t *testing.T) {
	t.Parallel()
	for _, c := range handEdits {
		p := Parse("tasks/t7.md", []byte(head+c.text+"\n---\n"))
		if len(p.Faults) == 0 || p.Task != nil {
			t.Errorf("%q: no fault", c.text)
			continue
		}
		f := p.Faults[0]
		if f.Path != "tasks/t7.md" || f.Line != c.line || f.Field != c.field || !strings.Contains(f.Reason, c.reason) || f.Mend != c.mend {
			t.Errorf("%q: %s [%s] mend %q\nwant line %d [%s] %q mend %q", c.text, f, f.Field, f.Mend, c.line, c.field, c.reason, c.mend)
		}
	}
}

// TestMendedLineReads puts the line of each mend where the fault was: that
// fault is gone then.
func TestMendedLineReads(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"title: a: b", "title: @x", "title: [WIP] x", "title: *x* y", "title: 'user's next'", `title: "Q" w`, "title: | x",
		"title: #12", "title: [a]", "title: a\u2028id: t1", "title: a\x1bb", "title:foo", "title: !!str x", "title: Fix #12", "title: !x y", "title: &x y"} {
		p := Parse("tasks/t7.md", []byte(head+text+"\n---\n"))
		f := append(p.Faults, p.Warnings...)[0]
		p = Parse("tasks/t7.md", []byte(head+f.Mend+"\n---\n"))
		if len(p.Faults)+len(p.Warnings) > 0 || f.Line != 4 {
			t.Errorf("%q mended to %q: %v %v", text, f.Mend, p.Faults, p.Warnings)
		}
	}
}

// TestHandEditsWarned is what is read although YAML does not read all of it.
func TestHandEditsWarned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text         string
		line         int
		field, lost  string
		mend         string
		title, other string
	}{
		{"title: Fix #12", 4, "title", "#12", `title: "Fix #12"`, "Fix", ""},
		{"title: !x y", 4, "title", "!x", `title: "!x y"`, "y", ""},
		{"title: &x y", 4, "title", "&x", `title: "&x y"`, "y", ""},
		{"title: a\nnote: b #c", 5, "note", "#c", `note: "b #c"`, "a", "b"},
		{"title: a\nnote: #c", 5, "note", "#c", `note: "#c"`, "a", ""},
		{"title: a\nnote: b\n  c #d", 6, "note", "#d", "", "a", "b c"},
		{"title: a\ntopic: b #c", 5, "topic", "#c", `topic: "b #c"`, "a", ""},
		{"title: a\nactive: b #c", 5, "active", "#c", `active: "b #c"`, "a", ""},
		{"title: a\nlabels:\n  - b #c", 6, "labels", "#c", `  - "b #c"`, "a", ""},
		{"title: a\nrefs:\n- !x y", 6, "refs", "!x", `- "!x y"`, "a", ""},
		{"title: a\nlabels: [b #c\n  ]", 5, "labels", "#c", "", "a", ""},
		{"title: a\nowner: !x y", 5, "owner", "!x", `owner: "!x y"`, "a", ""},
	} {
		p := Parse("tasks/t7.md", []byte(head+c.text+"\n---\n"))
		if len(p.Faults) > 0 || len(p.Warnings) != 1 {
			t.Errorf("%q: faults %v, warnings %v", c.text, p.Faults, p.Warnings)
			continue
		}
		f := p.Warnings[0]
		if f.Line != c.line || f.Field != c.field || !strings.Contains(f.Reason, c.lost) || f.Mend != c.mend {
			t.Errorf("%q: %s [%s] mend %q", c.text, f, f.Field, f.Mend)
		}
		if p.Task.Title != c.title || c.other != "" && p.Task.Note != c.other {
			t.Errorf("%q: read %+v", c.text, p.Task)
		}
	}
}

// TestHandEditsQuiet is what is read without a word.
func TestHandEditsQuiet(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Task{
		"title: yes":                                {Title: "yes"},
		"title: 12":                                 {Title: "12"},
		"title: 2026-10-18":                         {Title: "2026-10-18"},
		"title: 0x10":                               {Title: "0x10"},
		"title: 1.0":                                {Title: "1.0"},
		`title: "null"`:                             {Title: "null"},
		"title: C#":                                 {Title: "C#"},
		"title: a   ":                               {Title: "a"},
		"title: 'Fix #12' # c":                      {Title: "Fix #12"},
		"title: >-\n  one\n  two":                   {Title: "one two"},
		"title: >\n  one\n  two\n":                  {Title: "one two"},
		"title: |\n  one\n  two":                    {Title: "one\ntwo"},
		"title: a\nlabels: [x, 'y, z'] # c":         {Title: "a", Labels: []string{"x", "y, z"}},
		"title: a\nlabels:\n- no\n- 007\n- \"\"":    {Title: "a", Labels: []string{"no", "007", ""}},
		"title: a\nlabels: []\nnote: ~\nplan: null": {Title: "a"},
		"title: a\nowner: ana # c":                  {Title: "a", Owner: "ana"},
		"title: a\npriority:\nrank: 1e3":            {Title: "a", Rank: "1e3"},
		"title: a\nmetadata: {n: 1, e: '', z: }":    {Title: "a", Metadata: map[string]string{"n": "1", "e": ""}},
		"title: a\npacket: {n: 1, t: yes, u: true, v: [null, 1.5, 0x10, .inf]}": {Title: "a", Packet: map[string]any{
			"n": 1.0, "t": "yes", "u": true, "v": []any{nil, 1.5, 16.0, ".inf"}}},
		"title: a\nsource: {tool: x, id: 3}":                                     {Title: "a", Source: &Source{Tool: "x", ID: "3"}},
		"title: a\ncreated: {at: 2026-10-18 10:00, by: 12, own: x, verdict: ok}": {Title: "a", Created: &Stamp{At: "2026-10-18 10:00", By: "12"}},
		"ID: t9\nTitle : b\ntitle: a\nown key: {a: [1, b]}":                      {Title: "a"},
		"# c\n\ntitle: a\nown: |\n  # no comment\n  <<<<<<< x\n":                 {Title: "a"},
	} {
		p := Parse("tasks/t7.md", []byte(head+text+"\n---\n"))
		want.ID, want.Status = "t7", Todo
		if len(p.Faults)+len(p.Warnings) > 0 || !reflect.DeepEqual(p.Task, &want) {
			t.Errorf("%q: %+v %v %v", text, p.Task, p.Faults, p.Warnings)
		}
	}
}

// TestParseWholeFile is what is wrong with a file rather than with a line.
func TestParseWholeFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, data   string
		line         int
		reason, mend string
	}{
		{"tasks/t7.md", "", 0, "is empty", "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/t7.md", "\uFEFF \r\n\n", 0, "is empty", "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/t7.md", "# Title\n", 0, noFrontmatter, "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/t7.md", " ---\nid: t7\n---\n", 0, noFrontmatter, "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/t7.md", "----\nid: t7\n----\n", 0, noFrontmatter, "---\nid: t7\ntitle: What is to be done\nstatus: todo\n---"},
		{"tasks/t7.md", "\n\n---\nid: t7\n", 3, "never closed", ""},
		{"tasks/t7.md", "<<<<<<< HEAD\n---\nid: t7\n---\n", 1, conflictReason, ""},
		{"tasks/t7.md", "---\nid: t7\ntitle: caf\xe9\n---\n", 3, "is not UTF-8: byte 0xe9 at column 11", "save the file as UTF-8"},
		{"tasks/t7.md", "---\nid: t7\ntitle: a\nstatus: todo\n---\n\nà\xff\n", 7, "is not UTF-8: byte 0xff at column 2", "save the file as UTF-8"},
		{"notes/t7.md", "---\nid: t7\n---\n", 0, "lies neither under tasks/ nor under plans/", ""},
		{"tasks/t7.md", "---\ntitle: a\nstatus: todo\n---\n", 1, "id is missing: the file's name says t7", "---\nid: t7"},
		{"tasks/t9.md", "---\nid: t2\ntitle: a\nstatus: todo\n---\n", 2, "id is t2 where the file's name says t9", "id: t9"},
		{"tasks/t7.md", "---\nid: x1\ntitle: a\nstatus: todo\n---\n", 2, "id must be t<n>", "id: t7"},
		{"tasks/t7.md", "---\nid: t07\ntitle: a\nstatus: todo\n---\n", 2, "id must be t<n>", "id: t7"},
		{"tasks/p7.md", "---\nid: p7\ntitle: a\nstatus: todo\n---\n", 2, "id must be t<n>", "take the id out: it is minted"},
		{"tasks/note.md", "---\nid: t2\ntitle: a\nstatus: todo\n---\n", 2, "in a file of another name", "rename it to tasks/t2.md if that is free, else take the id out: it is minted"},
		{"tasks/t7.md", "---\nid: t7\ntitle: a\n---\n", 1, taskStatusReason, "---\nstatus: todo"},
		{"tasks/t7.md", "---\nid: t7\ntitle: a\nstatus: waiting\n---\n", 4, taskStatusReason, ""},
		{"tasks/t7.md", "---\nid: t7\ntitle: a\nstatus: active\n---\n", 4, taskStatusReason, ""},
		{"tasks/t7.md", "---\nid: t7\ntitle: a\nstatus: 5\n---\n", 4, taskStatusReason, ""},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope: {kind: bot, bot: b}\nstatus: review\n---\n", 5, planStatusReason, ""},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nstatus: draft\n---\n", 1, scopeReason, "---\nscope: {kind: folder, folder: /path}"},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope: /srv\nstatus: draft\n---\n", 4, scopeReason, "scope: {kind: folder, folder: /srv}"},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope: bot:pilot\nstatus: draft\n---\n", 4, scopeReason, "scope: {kind: bot, bot: pilot}"},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope: here\nstatus: draft\n---\n", 4, scopeReason, "scope: {kind: folder, folder: /path}"},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope:\n  kind: bot\n  folder: /srv\nstatus: draft\n---\n", 5, scopeReason, ""},
		{"plans/p7.md", "---\nid: p7\ntitle: a\nscope: {kind: bot, folder: /srv}\nstatus: draft\n---\n", 4, scopeReason, "scope: {kind: folder, folder: /srv}"},
	} {
		p := Parse(c.path, []byte(c.data))
		if len(p.Faults) != 1 || p.Task != nil || p.Plan != nil || p.Draft {
			t.Errorf("%q: %+v", c.data, p)
			continue
		}
		if f := p.Faults[0]; f.Path != c.path || f.Line != c.line || !strings.Contains(f.Reason, c.reason) || f.Mend != c.mend {
			t.Errorf("%q: %s mend %q", c.data, f, f.Mend)
		}
	}
}

// TestDraft is a file that waits for its id.
func TestDraft(t *testing.T) {
	t.Parallel()
	for path, data := range map[string]string{
		"tasks/fix-login.md":  "---\ntitle: Fix\n---\n",
		"tasks/sub/t07.md":    "---\nid:\ntitle: Fix\nstatus: doing\n---\n",
		"tasks/p7.md":         "---\nid: ~\ntitle: Fix\n---\n",
		"plans/next plan.md":  "---\ntitle: Fix\nscope: {kind: session, session: one}\n---\n",
		"plans/t7.md":         "---\ntitle: Fix\nscope: {kind: session, session: one}\nstatus: active\n---\n",
		"tasks/0000000001.md": "---\ntitle: Fix\n---\n",
	} {
		p := Parse(path, []byte(data))
		if len(p.Faults) > 0 || !p.Draft || p.Task == nil == (p.Plan == nil) {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if p := Parse("tasks/x.md", []byte("---\nstatus: todo\n---\n")); p.Draft || len(p.Faults) != 1 {
		t.Errorf("a draft without a title: %+v", p)
	}
}

// TestConflictInBody is a warning: a body may speak of merges.
func TestConflictInBody(t *testing.T) {
	t.Parallel()
	whole := head + "title: a\n---\n\nx\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
	p := Parse("tasks/t7.md", []byte(whole))
	if len(p.Faults) > 0 || len(p.Warnings) != 1 || p.Warnings[0].Line != 8 || p.Warnings[0].Field != "body" {
		t.Errorf("%+v", p)
	}
	p = Parse("tasks/t7.md", []byte(head+"title: a\n---\n\nTitle\n=======\n"))
	if len(p.Faults)+len(p.Warnings) > 0 {
		t.Errorf("a heading: %+v", p)
	}
}
