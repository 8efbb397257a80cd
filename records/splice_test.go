package records

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"
)

// sample reads a file of testdata.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sampleTasks are the samples that are tasks, with the path each belongs to.
var sampleTasks = []struct{ name, path string }{
	{"40-canonical.md", "tasks/t40.md"}, {"41-commented.md", "tasks/t41.md"}, {"42-crlf-lists.md", "tasks/t42.md"},
	{"90-own-bom-crlf.md", "tasks/t90.md"}, {"91-own-title-traps.md", "tasks/t91.md"}, {"93-own-body-fence.md", "tasks/t93.md"},
}

// fieldEdits set each field once to something it was not, and most of them to
// nothing as well.
var fieldEdits = []struct {
	key  string
	edit func(*Task)
}{
	{"title", func(t *Task) { t.Title = "A new title" }}, {"title", func(t *Task) { t.Title = "a: b #c" }},
	{"status", func(t *Task) { t.Status = Review }}, {"priority", func(t *Task) { t.Priority = Low }}, {"priority", func(t *Task) { t.Priority = "" }},
	{"labels", func(t *Task) { t.Labels = append(t.Labels, "new") }}, {"labels", func(t *Task) { t.Labels = nil }}, {"labels", func(t *Task) { t.Labels = []string{"a, b", "c"} }},
	{"topic", func(t *Task) { t.Topic = "other" }}, {"plan", func(t *Task) { t.Plan = "p9" }}, {"plan", func(t *Task) { t.Plan = "" }},
	{"bot", func(t *Task) { t.Bot = "b" }}, {"folder", func(t *Task) { t.Folder = "/x" }}, {"session", func(t *Task) { t.Session = "ahp-session:/n" }},
	{"owner", func(t *Task) { t.Owner = "cy" }}, {"owner", func(t *Task) { t.Owner = "" }},
	{"lease", func(t *Task) {
		t.Lease = &Lease{At: "2026-11-01T00:00:00.000Z", By: "cy", Until: "2026-11-01T01:00:00.000Z"}
	}}, {"lease", func(t *Task) { t.Lease = nil }},
	{"parent", func(t *Task) { t.Parent = "t1" }}, {"rank", func(t *Task) { t.Rank = "no" }},
	{"blockedBy", func(t *Task) { t.BlockedBy = append([]string{"t9"}, t.BlockedBy...) }}, {"blockedBy", func(t *Task) { t.BlockedBy = []string{"t3", "t4"} }}, {"blockedBy", func(t *Task) { t.BlockedBy = nil }},
	{"refs", func(t *Task) { t.Refs = []string{"https://x.y/#z"} }}, {"active", func(t *Task) { t.Active = "Now" }}, {"active", func(t *Task) { t.Active = "" }},
	{"note", func(t *Task) { t.Note = "See below" }}, {"note", func(t *Task) { t.Note = "" }},
	{"metadata", func(t *Task) { t.Metadata = map[string]string{"build": "12", "a": "b"} }}, {"packet", func(t *Task) { t.Packet = map[string]any{"n": 1.5} }},
	{"source", func(t *Task) { t.Source = &Source{Tool: "x", ID: "4"} }},
	{"created", func(t *Task) { t.Created = stampOf("eve") }}, {"approved", func(t *Task) { t.Approved = stampOf("eve") }}, {"approved", func(t *Task) { t.Approved = nil }},
	{"started", func(t *Task) { t.Started = stampOf("eve") }}, {"finished", func(t *Task) { t.Finished = stampOf("eve") }},
	{"reviewed", func(t *Task) { t.Reviewed = stampOf("eve"); t.Reviewed.Verdict = ChangesWanted }},
}

func stampOf(by string) *Stamp {
	return &Stamp{At: "2026-11-02T00:00:00.000Z", By: by, In: "ahp-session:/z"}
}

// TestP13OneFieldOneLine sets each field of each sample and asks that every
// line which changed belongs to that field.
func TestP13OneFieldOneLine(t *testing.T) {
	t.Parallel()
	for _, s := range sampleTasks {
		old := sample(t, s.name)
		for i, f := range fieldEdits {
			p := Parse(s.path, old)
			if len(p.Faults) > 0 {
				t.Fatal(p.Faults[0])
			}
			f.edit(p.Task)
			data, err := Splice(old, p.Task)
			if err != nil {
				t.Errorf("%s, edit %d: %v", s.name, i, err)
				continue
			}
			if got := Parse(s.path, data).Task; !reflect.DeepEqual(got, p.Task) {
				t.Errorf("%s, edit %d: read %+v, want %+v", s.name, i, got, p.Task)
			}
			checkFieldLines(t, s.name, f.key, old, data)
		}
	}
}

// checkFieldLines takes the lines of one key out of both files and asks that
// what is left is the same, comments above and below the key included.
func checkFieldLines(t *testing.T, name, key string, old, data []byte) {
	t.Helper()
	a, b := withoutKey(old, key), withoutKey(data, key)
	if bytes.Contains(old, []byte("|+")) {
		// Blank lines behind a key that goes must go too where the text above
		// would take them for its own.
		a, b = withoutBlanks(a), withoutBlanks(b)
	}
	if a != b {
		t.Errorf("%s: setting %s changed other lines:\n%s\n--- was ---\n%s", name, key, data, old)
	}
	if bytes.HasPrefix(old, []byte(byteOrderMark)) != bytes.HasPrefix(data, []byte(byteOrderMark)) {
		t.Errorf("%s: byte order mark", name)
	}
	if bytes.Contains(old, []byte("\r\n")) && bytes.Count(data, []byte("\n")) != bytes.Count(data, []byte("\r\n")) {
		t.Errorf("%s: setting %s mixed line ends: %q", name, key, data)
	}
}

func withoutBlanks(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }), "\n")
}

// withoutKey is a file without the lines of one key, found by its indentation
// alone so that no code under test is trusted. An item list at the left edge
// belongs to the key above it, blank lines and comments at the edge only when
// more of the key follows.
func withoutKey(data []byte, key string) string {
	var b, pending strings.Builder
	inside, fences := false, 0
	for line := range strings.Lines(string(data)) {
		text := strings.TrimRight(line, "\r\n")
		if strings.TrimPrefix(text, byteOrderMark) == "---" {
			fences++
		}
		name, _, _ := strings.Cut(text, ":")
		switch {
		case fences != 1:
			inside = false
		case inside && (text == "" || text[0] == '#'):
			pending.WriteString(line)
			continue
		case inside && strings.Contains(pending.String(), "#") && strings.TrimSpace(text)[0] == '#':
			inside = false
		case strings.Trim(name, "\"' ") == key && text[0] != ' ':
			inside = true
		case text == "" || text[0] != ' ' && text[0] != '-' || strings.HasPrefix(text, "---"):
			inside = false
		}
		if !inside {
			b.WriteString(pending.String() + line)
		}
		pending.Reset()
	}
	return b.String()
}

// TestSpliceExact compares whole files where the manner of the change matters.
func TestSpliceExact(t *testing.T) {
	t.Parallel()
	base := "---\nid: t1\ntitle: x\nstatus: todo\n"
	for _, c := range []struct {
		name, old, want string
		edit            func(*Task)
	}{
		{"new key in its place", base + "own: 1\nrefs: []\n---\n", base + "priority: low\nown: 1\nrefs: []\n---\n", func(t *Task) { t.Priority = Low }},
		{"new key before comments", base + "# end\n---\n", base + "note: hey\n# end\n---\n", func(t *Task) { t.Note = "hey" }},
		{"null becomes a value", base + "plan:\n---\n", base + "plan: p1\n---\n", func(t *Task) { t.Plan = "p1" }},
		{"comment behind a null", base + "plan: # none\n---\n", base + "plan: p1 # none\n---\n", func(t *Task) { t.Plan = "p1" }},
		{"quotes kept", base + "note: \"n\" # c\n---\n", base + "note: \"m\" # c\n---\n", func(t *Task) { t.Note = "m" }},
		{"single quotes kept", base + "note: 'n'\n---\n", base + "note: 'yes'\n---\n", func(t *Task) { t.Note = "yes" }},
		{"single quotes given up", base + "note: 'n'\n---\n", base + "note: it's\n---\n", func(t *Task) { t.Note = "it's" }},
		{"quoted before a comment", base + "note: a #12\n---\n", base + "note: \"b\" #12\n---\n", func(t *Task) { t.Note = "b" }},
		{"flow list", base + "labels: [a, \"b c\"] # l\n---\n", base + "labels: [a, \"b c\", d, \"e, f\"] # l\n---\n", func(t *Task) { t.Labels = append(t.Labels, "d", "e, f") }},
		{"padded flow list", base + "labels: [ a,b ]\n---\n", base + "labels: [ b ]\n---\n", func(t *Task) { t.Labels = t.Labels[1:] }},
		{"item taken out", base + "labels:\n    - a # first\n    # above b\n    - b\n    - c\n---\n", base + "labels:\n    - a # first\n    # above b\n    - c\n---\n", func(t *Task) { t.Labels = []string{"a", "c"} }},
		{"item put between", base + "labels:\n- a\n- 'b'\n---\n", base + "labels:\n- a\n- new\n- 'b'\n---\n", func(t *Task) { t.Labels = []string{"a", "new", "b"} }},
		{"list as the file indents", base + "tags:\n    - x\nlabels: []\n---\n", base + "tags:\n    - x\nlabels:\n    - a\n---\n", func(t *Task) { t.Labels = []string{"a"} }},
		{"list emptied", base + "labels: # l\n  - a\n---\n", base + "labels: [] # l\n---\n", func(t *Task) { t.Labels = nil }},
		{"flow map", base + "created: {at: 2026-10-18, by: ana, via: mail}\n---\n", base + "created: {at: 2026-10-18, by: bob, via: mail}\n---\n", func(t *Task) { t.Created.By = "bob" }},
		{"key of a map", base + "metadata:\n  a: b # c\n  d: e\n---\n", base + "metadata:\n  a: z # c\n  c: x\n  d: e\n---\n", func(t *Task) { t.Metadata["a"] = "z"; t.Metadata["c"] = "x" }},
		{"map taken out", base + "metadata:\n  a: b\nown: 1\n---\n", base + "own: 1\n---\n", func(t *Task) { t.Metadata = nil }},
		{"folded text", base + "note: >- # why\n  a\n  b\n\nown: 1\n---\n", base + "note: \"c\" # why\n\nown: 1\n---\n", func(t *Task) { t.Note = "c" }},
		{"body added", base + "---", base + "---\n\nNew\n", func(t *Task) { t.Body = "New" }},
		{"body taken out", base + "---\nOld\n", base + "---\n", func(t *Task) { t.Body = "" }},
		{"nothing changed", base + "note:   n\n...\nBody", base + "note:   n\n...\nBody", func(*Task) {}},
	} {
		p := Parse("tasks/t1.md", []byte(c.old))
		if len(p.Faults) > 0 {
			t.Errorf("%s: %s", c.name, p.Faults[0])
			continue
		}
		c.edit(p.Task)
		got, err := Splice([]byte(c.old), p.Task)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// TestSpliceDraft gives a draft its id: the first key, whatever comes first now.
func TestSpliceDraft(t *testing.T) {
	t.Parallel()
	old := "---\n\n# mine\ntitle: Fix the login\nown: 1\n---\nBody\n"
	p := Parse("tasks/fix-login.md", []byte(old))
	if !p.Draft || p.Task == nil {
		t.Fatalf("no draft: %+v", p)
	}
	p.Task.ID, p.Task.Status = "t5", Todo
	got, err := Splice([]byte(old), p.Task)
	want := "---\nid: t5\n\n# mine\ntitle: Fix the login\nstatus: todo\nown: 1\n---\nBody\n"
	if err != nil || string(got) != want {
		t.Fatalf("%v\n%s", err, got)
	}
}

// TestSpliceBraces edits a record that is one map in braces: written anew, and
// the key that is not ours is still there.
func TestSpliceBraces(t *testing.T) {
	t.Parallel()
	old := sample(t, "43-braces.md")
	p := Parse("tasks/t43.md", old)
	if len(p.Faults) > 0 {
		t.Fatal(p.Faults[0])
	}
	p.Task.Status = Done
	got, err := Splice(old, p.Task)
	if err != nil || !strings.Contains(string(got), "own: yes\n") || !strings.HasSuffix(string(got), "---\n\nBody\n") {
		t.Fatalf("%v\n%s", err, got)
	}
}

func TestSplicePlan(t *testing.T) {
	t.Parallel()
	old := sample(t, "44-plan.md")
	p := Parse("plans/p44.md", old)
	if len(p.Faults) > 0 {
		t.Fatal(p.Faults[0])
	}
	p.Plan.Status, p.Plan.Approved, p.Plan.Scope.Folder = Active, stampOf("eve"), "/srv/work"
	got, err := Splice(old, p.Plan)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(old), "status: draft", "status: active", 1)
	want = strings.Replace(want, "folder: /srv}", "folder: /srv/work}", 1)
	want = strings.Replace(want, "  by: ana\n", "  by: ana\napproved:\n  at: 2026-11-02T00:00:00.000Z\n  by: eve\n  in: ahp-session:/z\n", 1)
	if string(got) != want {
		t.Fatalf("%s\nwant\n%s", got, want)
	}
}

// TestSpliceRefuses asks for an error, not for a broken file.
func TestSpliceRefuses(t *testing.T) {
	t.Parallel()
	good := []byte("---\nid: t1\ntitle: x\nstatus: todo\n---\n")
	for name, c := range map[string]struct {
		old  []byte
		task Task
	}{
		"old file cannot be read": {[]byte("---\ntitle: a: b\n---\n"), Task{ID: "t1", Title: "x", Status: Todo}},
		"unknown status":          {good, Task{ID: "t1", Title: "x", Status: "waiting"}},
		"blank title":             {good, Task{ID: "t1", Title: " ", Status: Todo}},
		"stamp without a time":    {good, Task{ID: "t1", Title: "x", Status: Todo, Created: &Stamp{At: "soon", By: "ana"}}},
		"too much frontmatter":    {good, Task{ID: "t1", Title: "x", Status: Todo, Note: strings.Repeat("n", maxFrontmatter)}},
		"too long a record":       {good, Task{ID: "t1", Title: "x", Status: Todo, Body: strings.Repeat("n", MaxRecord)}},
	} {
		if data, err := Splice(c.old, &c.task); err == nil {
			t.Errorf("%s: got %q", name, data[:min(len(data), 200)])
		}
	}
}
