package records_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

func TestCases1To3IdsCountUpAndNeverComeBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	o := d.do(add("A"))
	want := records.Stamp{At: "2026-10-18T12:00:00.000Z", By: "ana", In: "ahp-session:/one"}
	if task := d.task("t1"); task.Status != records.Todo || *task.Created != want {
		t.Errorf("t1 is %+v, created %+v", task, task.Created)
	}
	if o.What != "add" || o.Title != "A" || o.IDs[0] != "t1" || o.Files[0].Path != "tasks/t1.md" {
		t.Errorf("outcome %+v", o)
	}
	if o := d.do(add("B")); o.IDs[0] != "t2" {
		t.Errorf("second add makes %s", o.IDs)
	}
	if o := d.do(records.AddPlan{Title: "P", Scope: records.Scope{Kind: "bot", Bot: "pilot"}}); o.IDs[0] != "p1" {
		t.Errorf("first plan is %s", o.IDs)
	}
	// A foreign commit takes the highest away; the follow-up notes that.
	gone := tree{"tasks/t1.md": d.tree["tasks/t1.md"]}
	after := d.book.Advance(gone.fs(), []string{"tasks/t2.md"})
	ups, err := after.FollowUps(d.book, []records.Foreign{{Author: "bob", Paths: []string{"tasks/t2.md"}}})
	if err != nil || len(ups) != 1 || ups[0].Author != "" {
		t.Fatalf("follow-ups %+v, %v", ups, err)
	}
	d.tree, d.book = gone.with(ups[0].Files), ups[0].Book
	if o := d.do(add("C")); o.IDs[0] != "t3" {
		t.Errorf("after a removal add makes %s", o.IDs)
	}
}

func TestCase4NoPriorityIsMedium(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.do(add("A"))
	if line := d.task("t1").Line(); line != "t1 todo medium A" || strings.Contains(d.tree["tasks/t1.md"], "priority") {
		t.Errorf("%q of %q", line, d.tree["tasks/t1.md"])
	}
	medium := records.SetTask{Task: "t1", Fields: records.Fields{Priority: ptr("medium")}}
	if o := d.do(medium); len(o.Files) > 0 {
		t.Error("naming medium on a task without the key changes the file")
	}
	d.do(records.AddTask{Fields: records.Fields{Title: ptr("B"), Priority: ptr("medium")}})
	if !strings.Contains(d.tree["tasks/t2.md"], "\npriority: medium\n") {
		t.Errorf("medium named on a new task is not written: %q", d.tree["tasks/t2.md"])
	}
	d.do(records.SetTask{Task: "t2", Fields: records.Fields{Priority: ptr("high")}})
	d.do(records.SetTask{Task: "t2", Fields: records.Fields{Priority: ptr("medium")}})
	if got := d.task("t2").Priority; got != records.Medium {
		t.Errorf("high to medium gives %q", got)
	}
}

// Texts that YAML reads as something else, or that break out of a line.
var hostile = []string{
	"yes", "1.0", "0x1F", "2026-10-18", "null", "~", "@x", "a: b", "# x", "'x", "\"x", "`x`", "[WIP] x", "*x*", "!x y",
	"&x y", "- x", "{a}", "a #b", "$1 ${2}", "%s", "é ñ 漢字 🎉", "---", "...", "\u202eevil", "=", "<<", "|", ">", "x:",
	"trailing\\", "it's \"quoted\"", "\U000e0041tag", "a, b", "0o17", "1e3", "12:30:00", "y", "No", "?", ": x",
}

func TestCase17TextsRoundTrip(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	for _, text := range hostile {
		o := d.do(records.AddTask{Fields: records.Fields{Title: &text, Labels: &[]string{text, "b"}, Topic: &text,
			Note: &text, Refs: &[]string{text}, Body: &text, Folder: &text, Bot: &text}})
		task := d.task(o.IDs[0])
		if task.Title != text || task.Labels[0] != text || task.Note != text || task.Body != text || task.Refs[0] != text {
			t.Errorf("%q came back as %+v", text, task)
		}
		d.do(records.SetTask{Task: "t1", Fields: records.Fields{Title: &text, Note: &text, Labels: &[]string{text}}})
		if task := d.task("t1"); task.Title != text || task.Note != text {
			t.Errorf("%q was set as %+v", text, task)
		}
	}
}

func TestCase18BodiesRoundTrip(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	for _, body := range []string{"abc", "abc\n", "\n\nabc", "a\n---\nb\n", "---", "\r\na\r\n", "\n", " ", "id: t9\n---\n", "a\n\n\n"} {
		o := d.do(records.AddTask{Fields: records.Fields{Title: ptr("x"), Body: &body}})
		if got := d.task(o.IDs[0]).Body; got != body {
			t.Errorf("body %q came back as %q", body, got)
		}
	}
}

func TestCase35NewTaskIsAlwaysTodo(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.do(records.AddTask{Fields: records.Fields{Title: ptr("A"), Status: ptr("done"), Active: ptr("on it")}})
	if task := d.task("t1"); task.Status != records.Todo || task.Finished != nil || task.Active != "on it" {
		t.Errorf("added as %+v", task)
	}
}

func TestCases36To43Refusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t3.md": taskFile("t3", "waiting")})
	with := func(f records.Fields) records.AddTask {
		f.Title = ptr("A")
		return records.AddTask{Fields: f}
	}
	to := func(f records.Fields) records.SetTask { return records.SetTask{Task: "t1", Fields: f} }
	for _, c := range []struct {
		edit records.Edit
		text string
	}{
		{records.AddTask{}, "title must be a non-empty string."},
		{add(" \t"), "title must be a non-empty string."},
		{add("a\nb"), "title must be one line of at most 256 bytes."},
		{add("a\u2028b"), "title must be one line of at most 256 bytes."},
		{add(strings.Repeat("a", 257)), "title must be one line of at most 256 bytes."},
		{with(records.Fields{Plan: ptr("p9")}), "plan must match the id of a known plan (see plan_list)."},
		{with(records.Fields{Plan: ptr("t1")}), "plan must match the id of a known plan (see plan_list)."},
		{with(records.Fields{Priority: ptr("urgent")}), "priority must be high, medium, or low."},
		{with(records.Fields{Topic: ptr("a\rb")}), "topic must be one line."},
		{with(records.Fields{Active: ptr("a\nb")}), "active must be one line."},
		{with(records.Fields{Note: ptr("a\x1bb")}), "note must be one line."},
		{with(records.Fields{BlockedBy: &[]string{"t3"}}), "blockedBy must match the id of a known task (see task_list)."},
		{with(records.Fields{BlockedBy: &[]string{"t4"}}), "blockedBy must match the id of a known task (see task_list)."},
		{to(records.Fields{Title: ptr("")}), "title must be a non-empty string."},
		{to(records.Fields{Status: ptr("started")}), "status must be todo, doing, blocked, review, done, or dropped."},
		{to(records.Fields{Status: ptr("")}), "status must be todo, doing, blocked, review, done, or dropped."},
		{to(records.Fields{Status: ptr("draft")}), "status must be todo, doing, blocked, review, done, or dropped."},
		{to(records.Fields{Plan: ptr("p9")}), "plan must match the id of a known plan (see plan_list)."},
		// Of several the first in declared order is named.
		{with(records.Fields{Note: ptr("a\nb"), Plan: ptr("p9"), Priority: ptr("x")}), "priority must be high, medium, or low."},
		{to(records.Fields{Note: ptr("a\nb"), Plan: ptr("p9"), Status: ptr("x")}), "status must be todo, doing, blocked, review, done, or dropped."},
	} {
		d.refused(c.edit, records.Invalid, c.text)
	}
	for _, id := range []string{"t7", "", "t3", "p1", " t1 ", "t1.md", "../t1", "T1", "t01", "t1\n", "t99999999999999999999"} {
		d.refused(set(id, "done"), records.NotFound, "task must match the id of a known task (see task_list).")
	}
	if o := d.do(add("B")); o.IDs[0] != "t4" {
		t.Errorf("the refusals used up ids: next is %s", o.IDs)
	}
}

func TestCases44To47StampsOfMoves(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo")})
	at := func(hour int) string {
		d.mark.At = noon.Add(time.Duration(hour) * time.Hour)
		return records.FormatTime(d.mark.At)
	}
	first := at(1)
	if o := d.do(set("t1", "doing")); o.What != "doing" {
		t.Errorf("a move is called %q", o.What)
	}
	at(2)
	d.do(set("t1", "todo"))
	d.do(set("t1", "doing"))
	if task := d.task("t1"); task.Started == nil || task.Started.At != first || task.Finished != nil {
		t.Errorf("started is %+v", task.Started)
	}
	third := at(3)
	d.do(set("t1", "review"))
	at(4)
	d.do(set("t1", "done"))
	if got := d.task("t1").Finished; got == nil || got.At != third {
		t.Errorf("finished is %+v, want the review's %s", got, third)
	}
	d.do(set("t2", "dropped"))
	if task := d.task("t2"); task.Finished == nil || task.Started != nil {
		t.Errorf("dropped from todo: %+v", task)
	}
}

func TestCases48And49ActiveGoesWithDoing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo")})
	both := func(status, active string) records.SetTask {
		return records.SetTask{Task: "t1", Fields: records.Fields{Status: &status, Active: &active}}
	}
	d.do(both("doing", "on it"))
	if got := d.task("t1").Active; got != "on it" {
		t.Errorf("active is %q", got)
	}
	d.do(set("t1", "review"))
	if got := d.task("t1").Active; got != "" {
		t.Errorf("active outlives doing: %q", got)
	}
	d.do(both("doing", "again"))
	d.do(both("done", "still"))
	if got := d.task("t1").Active; got != "" {
		t.Errorf("active named on leaving doing stays: %q", got)
	}
}

// What is named is never dropped without a word: only the end of the doing ends
// what was being done.
func TestActiveIsKeptOutsideDoing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "doing", "active: on it")})
	to := func(id, status, active string) string {
		f := records.Fields{}
		if status != "" {
			f.Status = &status
		}
		if active != "-" {
			f.Active = &active
		}
		d.do(records.SetTask{Task: id, Fields: f})
		return d.task(id).Active
	}
	for _, c := range []struct{ id, status, active, want string }{
		{"t1", "", "Reading", "Reading"},
		{"t1", "blocked", "-", "Reading"},
		{"t1", "review", "Waiting", "Waiting"},
		{"t1", "doing", "-", "Waiting"},
		{"t1", "doing", "Going on", "Going on"},
		{"t1", "blocked", "Stuck", ""},
		{"t1", "", "Stuck", "Stuck"},
		{"t1", "", "", ""},
		{"t2", "todo", "-", ""},
		{"t2", "done", "Done it", "Done it"},
	} {
		if got := to(c.id, c.status, c.active); got != c.want {
			t.Errorf("%+v: active is %q", c, got)
		}
	}
	d.do(records.AddTask{Fields: records.Fields{Title: ptr("A"), Active: ptr("Reading")}})
	if got := d.task("t3").Active; got != "Reading" {
		t.Errorf("a new task's active is %q", got)
	}
}

func TestCase50TitleAloneMovesNoStamp(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": sample})
	o := d.do(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Read it"), Note: ptr("soon"), Labels: &[]string{"docs", "web"}}})
	if o.What != "set title, labels, note" {
		t.Errorf("called %q", o.What)
	}
	want := strings.NewReplacer("title: Read the plan", "title: Read it", "  - docs\n", "  - docs\n  - web\n",
		"active: Reading the plan\n", "active: Reading the plan\nnote: soon\n").Replace(sample)
	if got := d.tree["tasks/t1.md"]; got != want {
		t.Errorf("file is\n%s\nwant\n%s", got, want)
	}
}

func TestSetOfWhatStandsChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": sample})
	o := d.do(records.SetTask{Task: "t1", Fields: records.Fields{Title: ptr("Read the plan"), Status: ptr("doing"),
		Priority: ptr("high"), Labels: &[]string{"docs"}, Topic: ptr("tasks"), Plan: ptr("p1"), Bot: ptr("pilot"),
		BlockedBy: &[]string{}, Refs: &[]string{}, Active: ptr("Reading the plan"), Note: ptr(""), Body: ptr("What is to be read.")}})
	if len(o.Files) > 0 || o.What != "" || o.IDs[0] != "t1" || o.Title != "Read the plan" {
		t.Errorf("outcome %+v", o)
	}
	if o := d.do(records.SetTask{Task: "t1"}); len(o.Files) > 0 {
		t.Error("a call that names nothing changes the file")
	}
}

func TestCase54ClearingFields(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": sample, "plans/p1.md": planFile("p1", "active")})
	empty := ""
	d.do(records.SetTask{Task: "t1", Fields: records.Fields{Priority: &empty, Labels: &[]string{}, Topic: &empty,
		Plan: &empty, Bot: &empty, Folder: &empty, Session: &empty, Active: &empty, Body: &empty}})
	task := *d.task("t1")
	task.Created, task.Approved = nil, nil
	if want := (records.Task{ID: "t1", Title: "Read the plan", Status: records.Doing}); !reflect.DeepEqual(task, want) {
		t.Errorf("left: %+v", task)
	}
	d.do(records.SetTask{Task: "t1", Fields: records.Fields{Plan: ptr("p1")}})
	if got := d.task("t1").Plan; got != "p1" {
		t.Errorf("back in plan %q", got)
	}
}

func TestMissingPlanMayBeKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo", "plan: p9", "blockedBy: [t9]"), "tasks/t2.md": taskFile("t2", "todo")})
	o := d.do(records.SetTask{Task: "t1", Fields: records.Fields{Plan: ptr("p9"), Note: ptr("n"),
		BlockedBy: &[]string{"t2", "t9", "t2"}}})
	if o.What != "set blockedBy, note" || !slices.Equal(d.task("t1").BlockedBy, []string{"t2", "t9"}) {
		t.Errorf("%q, blockedBy %q", o.What, d.task("t1").BlockedBy)
	}
}

func TestCase55Blockers(t *testing.T) {
	t.Parallel()
	files := tree{
		"tasks/t1.md": taskFile("t1", "todo"), "tasks/t2.md": taskFile("t2", "todo", "blockedBy: [t1]"),
		"tasks/t3.md": taskFile("t3", "todo", "blockedBy: [t2]"),
		// A loop made by hand must not be walked for ever.
		"tasks/t4.md": taskFile("t4", "todo", "blockedBy: [t5]"), "tasks/t5.md": taskFile("t5", "todo", "blockedBy: [t4]"),
	}
	var many []string
	for n := 10; n < 75; n++ {
		id := fmt.Sprintf("t%d", n)
		files["tasks/"+id+".md"] = taskFile(id, "todo")
		many = append(many, id)
	}
	d := newDesk(t, files)
	by := func(id string, ids ...string) records.SetTask {
		return records.SetTask{Task: id, Fields: records.Fields{BlockedBy: &ids}}
	}
	d.refused(by("t1", "t99"), records.Invalid, "blockedBy must match the id of a known task (see task_list).")
	d.refused(by("t1", "p1"), records.Invalid, "blockedBy must match the id of a known task (see task_list).")
	d.refused(by("t1", "t1"), records.Invalid, "blockedBy must not name the task itself.")
	d.refused(by("t1", "t2"), records.Invalid, "blockedBy must not make a cycle.")
	d.refused(by("t1", "t3"), records.Invalid, "blockedBy must not make a cycle.")
	d.refused(by("t1", many...), records.Invalid, "blockedBy must name at most 64 tasks.")
	d.do(by("t1", append(many[:64], many[0])...))
	d.do(by("t3", "t4"))
	next := records.AddTask{Fields: records.Fields{Title: ptr("A"), BlockedBy: &[]string{"t75"}}}
	d.refused(next, records.Invalid, "blockedBy must match the id of a known task (see task_list).")
}

func TestRecordsThatWouldBeTooLarge(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": taskFile("t1", "todo")})
	long := strings.Repeat("a", records.MaxRecord)
	text := "body must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB."
	d.refused(records.AddTask{Fields: records.Fields{Title: ptr("A"), Body: &long}}, records.Invalid, text)
	d.refused(records.SetTask{Task: "t1", Fields: records.Fields{Note: ptr("n"), Body: &long}}, records.Invalid, text)
	line := strings.Repeat("b", 64<<10)
	text = strings.Replace(text, "body", "note", 1)
	d.refused(records.AddTask{Fields: records.Fields{Title: ptr("A"), Note: &line}}, records.Invalid, text)
	d.refused(records.SetTask{Task: "t1", Fields: records.Fields{Note: &line, Topic: ptr("t")}}, records.Invalid, text)
	labels := slices.Repeat([]string{"label"}, 64<<10/5)
	text = strings.Replace(text, "note", "labels", 1)
	d.refused(records.SetTask{Task: "t1", Fields: records.Fields{Labels: &labels, Topic: ptr("t")}}, records.Invalid, text)
	fits := strings.Repeat("a", records.MaxRecord-1000)
	d.do(records.SetTask{Task: "t1", Fields: records.Fields{Body: &fits}})
}

func TestTextThatIsNotUTF8IsReplaced(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{})
	d.do(records.AddTask{Fields: records.Fields{Title: ptr("caf\xe9"), Body: ptr("\xff"), Labels: &[]string{"\xfe"}}})
	if task := d.task("t1"); task.Title != "caf\uFFFD" || task.Body != "\uFFFD" || task.Labels[0] != "\uFFFD" {
		t.Errorf("written as %+v", task)
	}
}

// What a harness handed over may hold a number that is not equal to itself.
func TestPacketDoesNotStandInTheWay(t *testing.T) {
	t.Parallel()
	for _, packet := range []string{"packet: {x: .nan, y: [1, 2.5, true, null]}", "packet:\n  x: .inf\n  deep: {a: {b: c}}"} {
		files := tree{"tasks/t1.md": taskFile("t1", "todo", packet, "metadata: {a: b}", "rank: \"V1V\"", "owner: w1")}
		if faults := files.book().Faults(); len(faults) > 0 {
			t.Errorf("not a record at all: %q", texts(faults))
			continue
		}
		d := newDesk(t, files)
		d.do(set("t1", "doing"))
		if !strings.Contains(d.tree["tasks/t1.md"], packet+"\n") {
			t.Errorf("rewritten as %q", d.tree["tasks/t1.md"])
		}
	}
}
