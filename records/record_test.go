package records

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestP16IDs(t *testing.T) {
	t.Parallel()
	for id, n := range map[string]int{"t1": 1, "p1": 1, "t999999999": 999999999, "p10": 10} {
		k, got, ok := ParseID(id)
		if !ok || got != n || formatID(k, got) != id || k.letter() != id[:1] {
			t.Errorf("%q: %d %v", id, got, ok)
		}
	}
	for _, id := range []string{"", "t", "t0", "t01", "t1 ", " t1", "T1", "x1", "t-1", "t+1", "t1.0", "t1000000000", "t99999999999999999999", "t١", "tt1", "1"} {
		if k, n, ok := ParseID(id); ok || k != 0 || n != 0 || PathOf(id) != "" {
			t.Errorf("%q is no id", id)
		}
	}
}

func TestPathOf(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"t7": "tasks/t7.md", "t99": "tasks/t99.md", "t100": "tasks/1/t100.md", "t123": "tasks/1/t123.md", "t1234": "tasks/12/t1234.md",
		"t12345": "tasks/1/23/t12345.md", "t10005": "tasks/1/00/t10005.md", "p123456789": "plans/1/23/45/67/p123456789.md", "p3": "plans/p3.md",
	} {
		if got := PathOf(id); got != want || kindOfPath(got).letter() != id[:1] || idOfPath(got) != id {
			t.Errorf("%s: %s", id, got)
		}
	}
	if highestPath(TaskKind) != "tasks/.highest" || highestPath(PlanKind) != "plans/.highest" || Kind(0).Dir()+Kind(0).letter() != "" {
		t.Error("highest")
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 10, 18, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-10-18T10:00:00.000Z": noon, "2026-10-18T10:00:00Z": noon, "2026-10-18T10:00Z": noon, "2026-10-18T10:00": noon, "2026-10-18 10:00:00": noon,
		"2026-10-18T12:00:00+02:00": noon, "2026-10-18T04:30-0530": noon, "2026-10-18T10:00:00.123456789Z": noon.Add(123456789),
		"2026-10-18": noon.Add(-10 * time.Hour), "2028-02-29": time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), "1969-12-31T23:59:59Z": time.Unix(-1, 0).UTC(),
	} {
		if got, ok := ParseTime(text); !ok || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "yesterday", "123", "2026", "2026-10", "2026-1-8", "2026-02-29", "2026-13-01", "2026-10-18T", "2026-10-18T1:00", "2026-10-18T25:00", "2026-10-18T10",
		"2026-10-18T10:00:00,5Z", "2026-10-18t10:00Z", "2026-10-18  10:00", "2026-10-18T10:00:00.000Z ", " 2026-10-18", "2026-10-18T10:00 Z", "20261018T100000Z", "2026-10-18T10:00:00+2"} {
		if got, ok := ParseTime(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := FormatTime(noon.Add(1999 * time.Microsecond).In(time.FixedZone("", 3600))); got != "2026-10-18T10:00:00.001Z" {
		t.Error(got)
	}
	if at, ok := (Stamp{At: "2026-10-18"}).Time(); !ok || at.Hour() != 0 {
		t.Error(at)
	}
}

// TestP23Visible asks that nothing reaches a terminal as control, and that an
// item stays one line.
func TestP23Visible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Read the plan": "Read the plan", "Über 🚀 日本\u00a0x": "Über 🚀 日本\u00a0x", "👩‍🚀": "👩‍🚀", "\ufffd": "\ufffd",
		"x\nt9 done high paid": "x t9 done high paid", "a\r\nb": "a b", "a\r\rb\n\rc": "a  b  c", "a\u0085b\u2028c\u2029d": "a b c d",
		"\x1b[2J\x00\t\x7f\u009b": `\x1b[2J\x00\x09\x7f\x9b`, "a\u202eb\u2066\u200f\u061c": `a\u202eb\u2066\u200f\u061c`, "\U000e0041\U000e007f": `\U000e0041\U000e007f`,
		"\xff\xc3": `\xff\xc3`, "a\xe9b": `a\xe9b`,
	} {
		if got := Visible(text); got != want || !oneLine(got) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, one := range map[string]bool{"": true, "a b": true, "a\u202eb": true, "a\nb": false, "a\tb": false, "a\u2028": false, "\u0085": false, "\x7f": false, "\u009f": false} {
		if oneLine(text) != one {
			t.Errorf("OneLine(%q)", text)
		}
	}
	rnd := seeded(t, 23)
	for range heavy(100_000) {
		line := (&Task{ID: "t1", Status: Todo, Title: hostile(rnd)}).Line()
		if !oneLine(line) || strings.ContainsAny(line, "\u202e\u2066\U000e0041") || strings.ContainsFunc(line, func(c rune) bool { return isBidi(c) || isTagCharacter(c) }) {
			t.Fatalf("%q", line)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		(&Task{ID: "t1", Status: Todo, Title: "Read\nit"}).Line():              "t1 todo medium Read it",
		(&Task{ID: "t2", Status: Done, Priority: Low, Title: "\x1bx"}).Line():  `t2 done low \x1bx`,
		(&Plan{ID: "p1", Status: Draft, Title: "Ship it"}).Line():              "p1 draft Ship it",
		Fault{Path: "tasks/t7.md", Line: 3, Reason: "a\nb"}.String():           "tasks/t7.md:3: a b",
		Fault{Path: "tasks/\x1b.md", Reason: "is empty", Mend: "x"}.String():   `tasks/\x1b.md: is empty`,
		BareSession("ahp-session:/one") + BareSession("ahp-session:///one/x/"): "oneone/x/",
		BareSession("one") + BareSession("/two"):                               "onetwo",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestScopeValid(t *testing.T) {
	t.Parallel()
	for s, want := range map[Scope]bool{
		{Kind: "folder", Folder: "/srv"}: true, {Kind: "bot", Bot: "b"}: true, {Kind: "session", Session: "one"}: true,
		{}: false, {Kind: "folder"}: false, {Kind: "folder", Folder: " "}: false, {Kind: "folder", Folder: "/srv", Bot: "b"}: false, {Kind: "host", Folder: "/srv"}: false, {Folder: "/srv"}: false,
	} {
		if s.Valid() != want {
			t.Errorf("%+v", s)
		}
	}
}

func TestStamps(t *testing.T) {
	t.Parallel()
	task := Task{Created: stampOf("a"), Finished: stampOf("b"), Reviewed: stampOf("c")}
	var names []string
	for name, s := range task.Stamps() {
		names = append(names, name+s.By)
	}
	if want := []string{"createda", "finishedb", "reviewedc"}; !slices.Equal(names, want) {
		t.Error(names)
	}
	plan := Plan{Approved: stampOf("a")}
	for name, s := range plan.Stamps() {
		if name != "approved" || s != plan.Approved {
			t.Error(name)
		}
		break
	}
}

// TestCase5Sample reads and writes the file that shows every field.
func TestCase5Sample(t *testing.T) {
	t.Parallel()
	data := sample(t, "40-canonical.md")
	p := Parse("tasks/t40.md", data)
	if len(p.Faults)+len(p.Warnings) > 0 {
		t.Fatal(p.Faults, p.Warnings)
	}
	if p.Task.Body != "The long text of the task." || p.Task.Approved.By != "bob" || p.Task.Approved.In != "ahp-session:/two" || p.Task.Labels[0] != "docs" {
		t.Errorf("%+v", p.Task)
	}
	if got := p.Task.Encode(); string(got) != string(data) {
		t.Errorf("%s", got)
	}
	text, err := json.Marshal(p.Task)
	if err != nil {
		t.Fatal(err)
	}
	var again Task
	if err := json.Unmarshal(text, &again); err != nil || again.Title != p.Task.Title || !reflect.DeepEqual(again.Packet, p.Task.Packet) {
		t.Errorf("%v\n%s", err, text)
	}
	for _, key := range []string{`"blockedBy"`, `"refs"`, `"finished"`} {
		if strings.Contains(string(text), key) {
			t.Errorf("%s in %s", key, text)
		}
	}
}

func TestEncodeLeast(t *testing.T) {
	t.Parallel()
	task := Task{ID: "t1", Title: "yes", Status: Todo, Priority: Medium}
	if got := string(task.Encode()); got != "---\nid: t1\ntitle: \"yes\"\nstatus: todo\npriority: medium\nlabels: []\nblockedBy: []\nrefs: []\n---\n" {
		t.Error(got)
	}
	plan := Plan{ID: "p1", Title: "P", Status: Draft, Scope: Scope{Kind: "session", Session: "one"}, Goal: "Why"}
	if got := string(plan.Encode()); got != "---\nid: p1\nscope:\n  kind: session\n  session: one\ntitle: P\nstatus: draft\nrefs: []\n---\n\nWhy\n" {
		t.Error(got)
	}
	if p := Parse("plans/p1.md", plan.Encode()); !reflect.DeepEqual(p.Plan, &plan) {
		t.Errorf("%+v", p)
	}
}

// TestP15Samples reads files of other programs: each is reported once, by the
// line and field that a person has to look at.
func TestP15Samples(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"01-backlogmd-at-assignee.md": "5 assignee", "02-backlogmd-sections.md": "2 id", "03-backlogmd-folded-title.md": "2 id",
		"04-backlogmd-no-frontmatter.md": "0 ", "05-backlogmd-dquote-dates.md": "2 id", "06-backlogmd-plain-datetime.md": "2 id",
		"07-backlogmd-colon-title-broken.md": "3 title", "08-backlogmd-apostrophe-broken.md": "3 title", "09-beans-comment-id.md": "4 status",
		"10-beans-parent-tags.md": "4 status", "11-ticket-flow-deps.md": "1 title", "20-speckit-tasks.md": "1 title", "30-empty-frontmatter.md": "1 title",
		"31-obsidian-properties.md": "1 title", "92-own-line-separator.md": "3 title",
	} {
		p := Parse("tasks/"+name, sample(t, name))
		if len(p.Faults) == 0 || p.Task != nil || p.Draft {
			t.Errorf("%s: %+v", name, p)
			continue
		}
		f := p.Faults[0]
		if got := string(rune('0'+f.Line)) + " " + f.Field; got != want {
			t.Errorf("%s: %s [%s]", name, f, f.Field)
		}
	}
	for _, s := range sampleTasks {
		p := Parse(s.path, sample(t, s.name))
		if warns := s.name == "91-own-title-traps.md"; len(p.Faults) > 0 || warns != (len(p.Warnings) == 2) {
			t.Errorf("%s: %v %v", s.name, p.Faults, p.Warnings)
		}
	}
	if p := Parse("tasks/t93.md", sample(t, "93-own-body-fence.md")); !strings.HasPrefix(p.Task.Body, "---\nid: t1\n") {
		t.Errorf("%q", p.Task.Body)
	}
}
