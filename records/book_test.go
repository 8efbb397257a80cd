package records_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

const sample = `---
id: t1
title: Read the plan
status: doing
priority: high
labels:
  - docs
topic: tasks
plan: p1
bot: pilot
folder: /srv/work
session: ahp-session:/one
blockedBy: []
refs: []
active: Reading the plan
created:
  at: 2026-10-18T10:00:00.000Z
  by: ana
  in: ahp-session:/one
approved:
  at: 2026-10-18T10:01:00.000Z
  by: bob
  in: ahp-session:/two
---

What is to be read.
`

func TestCase5SampleFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t, tree{"tasks/t1.md": sample})
	task := d.task("t1")
	if task.Body != "What is to be read." || task.Approved.By != "bob" || task.Approved.In != "ahp-session:/two" {
		t.Errorf("read as %+v", task)
	}
}

func TestCases6To11BadRecordsAreReportedAndLeftOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, text, mention string }{
		"6 status waiting":  {"tasks/t1.md", taskFile("t1", "waiting"), "status must be todo, doing, blocked"},
		"7 priority urgent": {"tasks/t1.md", taskFile("t1", "todo", "priority: urgent"), "priority must be high"},
		"8 id x1":           {"tasks/t1.md", taskFile("x1", "todo"), "id"},
		"9 labels a text":   {"tasks/t1.md", taskFile("t1", "todo", "labels: docs"), "labels"},
		"10 title a list":   {"tasks/t1.md", "---\nid: t1\ntitle: [a]\nstatus: todo\n---\n", "title"},
		"11 id of another":  {"tasks/t9.md", taskFile("t2", "todo"), "id"},
		"13 plan in review": {"plans/p1.md", planFile("p1", "review"), "status must be draft"},
		"no frontmatter":    {"tasks/notes.md", "just text\n", "---"},
		"id missing":        {"tasks/t4.md", "---\ntitle: a\nstatus: todo\n---\n", "id"},
		"empty file":        {"tasks/t4.md", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := tree{c.path: c.text, "tasks/t3.md": taskFile("t3", "todo")}.book()
			wantList(t, "tasks", taskIDs(t, b), "t3")
			wantFault(t, b.Faults(), c.path, c.mention)
			if got := show(t, b, strings.TrimSuffix(c.path[6:], ".md")); got != "" {
				t.Errorf("a point read gives %q", got)
			}
		})
	}
}

func TestCase12OneBadFileAmongTen(t *testing.T) {
	t.Parallel()
	files := tree{}
	for _, id := range []string{"t1", "t2", "t3", "t4", "t5", "t6", "t8", "t9", "t10"} {
		files["tasks/"+id+".md"] = taskFile(id, "todo")
	}
	files["tasks/t7.md"] = taskFile("t7", "waiting")
	b := files.book()
	wantList(t, "tasks", taskIDs(t, b), "t1", "t2", "t3", "t4", "t5", "t6", "t8", "t9", "t10")
	if faults := b.Faults(); len(faults) != 1 || faults[0].Line != 4 || faults[0].Path != "tasks/t7.md" {
		t.Errorf("faults: %q", faults)
	}
}

func TestCase14UnknownPlanIsValid(t *testing.T) {
	t.Parallel()
	b := tree{"tasks/t1.md": taskFile("t1", "todo", "plan: p99", "blockedBy: [t9]", "session: gone")}.book()
	wantList(t, "tasks", taskIDs(t, b), "t1")
	if faults := b.Faults(); len(faults) > 0 {
		t.Errorf("faults %q", texts(faults))
	}
}

func TestCase16RepairedRecordIsBack(t *testing.T) {
	t.Parallel()
	bad := tree{"tasks/t1.md": taskFile("t1", "waiting")}
	b := bad.book()
	wantList(t, "before", taskIDs(t, b))
	good := tree{"tasks/t1.md": taskFile("t1", "todo")}
	b = b.Advance(good.fs(), []string{"tasks/t1.md"})
	wantList(t, "after", taskIDs(t, b), "t1")
	if faults := b.Faults(); len(faults) > 0 {
		t.Errorf("still reported: %q", faults)
	}
}

func TestOddFilesAreReportedAndNeverOpened(t *testing.T) {
	t.Parallel()
	m := fstest.MapFS{
		"README.md":         {Data: []byte("top")},
		"tasks/README.md":   {Data: []byte("no record")},
		"plans/README.md":   {Data: []byte("no record")},
		"tasks/t1.md":       {Data: []byte(taskFile("t1", "todo"))},
		"tasks/t2.md":       {Data: []byte("../../etc/passwd"), Mode: fs.ModeSymlink},
		"tasks/t3.md":       {Mode: fs.ModeIrregular},
		"tasks/t4.md":       {Data: []byte(taskFile("t4", "todo")), Mode: 0o755},
		"tasks/notes.txt":   {Data: []byte("x")},
		"tasks/aux.md":      {Data: []byte(taskFile("t5", "todo"))},
		"tasks/a\x01b.md":   {Data: []byte(taskFile("t5", "todo"))},
		"tasks/a\\b.md":     {Data: []byte(taskFile("t5", "todo"))},
		"tasks/t6.md":       {Data: make([]byte, records.MaxRecord+1)},
		"tasks/t7.md/t8.md": {Data: []byte(taskFile("t8", "todo"))},
		"plans/.highest":    {Data: []byte("t12\n")},
		"tasks/1/README.md": {Data: []byte("no record")},
		"tasks/" + strings.Repeat("d/", 20) + "t9.md": {Data: []byte(taskFile("t9", "todo"))},
	}
	b := records.NewBook(opened{m, t})
	wantList(t, "tasks", taskIDs(t, b), "t1")
	faults := b.Faults()
	for path, mention := range map[string]string{
		"tasks/t2.md": "symbolic link", "tasks/t3.md": "submodule", "tasks/t4.md": "executable",
		"tasks/notes.txt": "ends in .md", "tasks/aux.md": "device", "tasks/a\x01b.md": "control character",
		"tasks/a\\b.md": "backslash", "tasks/t6.md": "1 MiB", "tasks/t7.md/t8.md": "named like a record",
		"plans/.highest": "one line", "tasks/1/README.md": "frontmatter",
		"tasks" + strings.Repeat("/d", 15): "too deep",
	} {
		wantFault(t, faults, path, mention)
	}
	if len(faults) != 12 {
		t.Errorf("%d faults: %q", len(faults), texts(faults))
	}
	if n, err := b.Next(records.TaskKind); err != nil || n != 8 {
		t.Errorf("next is %d, %v, want 8: unreadable names count", n, err)
	}
}

// opened fails a test that opens what must not be opened.
type opened struct {
	fstest.MapFS
	t *testing.T
}

func (o opened) ReadFile(name string) ([]byte, error) {
	switch name {
	case "tasks/t1.md", "plans/.highest", "tasks/1/README.md":
	default:
		o.t.Errorf("%q was opened", name)
	}
	return o.MapFS.ReadFile(name)
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	m := fstest.MapFS{
		"tasks/t1.md":        {Data: []byte(taskFile("t1", "todo"))},
		"tasks/caf\xe9.md":   {Data: []byte(taskFile("t2", "todo"))},
		"tasks/\xff/t3.md":   {Data: []byte(taskFile("t3", "todo"))},
		"tasks/ok/\xfe/x.md": {Data: []byte(taskFile("t3", "todo"))},
	}
	scratch := records.NewBook(m)
	moved := records.NewBook(tree{"tasks/t1.md": taskFile("t1", "todo")}.fs())
	wantList(t, "tasks", taskIDs(t, moved), "t1")
	moved = moved.Advance(m, []string{"tasks/caf\xe9.md", "tasks/\xff/t3.md", "tasks/ok/\xfe/x.md"})
	for name, b := range map[string]*records.Book{"scratch": scratch, "moved": moved} {
		wantList(t, name, texts(b.Faults()), `tasks/caf\xe9.md: has a name that is not UTF-8`,
			`tasks/ok/\xfe: has a name that is not UTF-8`, `tasks/\xff: has a name that is not UTF-8`)
	}
}

func TestA4TwoFilesWithOneID(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]tree{
		"the one at home wins":   {"tasks/t5.md": taskFile("t5", "todo"), "tasks/x/t5.md": taskFile("t5", "done"), "tasks/a/t5.md": taskFile("t5", "done")},
		"else the first path":    {"tasks/a/t5.md": taskFile("t5", "todo"), "tasks/b/t5.md": taskFile("t5", "done")},
		"unreadable but at home": {"tasks/t5.md": "broken", "tasks/x/t5.md": taskFile("t5", "todo")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := files.book()
			lazy := show(t, b, "t5")
			faults := b.Faults()
			if name == "else the first path" {
				wantFault(t, faults, "tasks/b/t5.md", "t5 is held by tasks/a/t5.md")
				wantFault(t, warningsOf(t, b), "tasks/a/t5.md", "tasks/t5.md")
			} else {
				wantFault(t, faults, "tasks/x/t5.md", "t5 is held by tasks/t5.md")
			}
			if whole := show(t, b, "t5"); whole != lazy {
				t.Errorf("a point read says %q, the whole Book %q", lazy, whole)
			}
			if strings.Contains(lazy, "done") || name == "unreadable but at home" && lazy != "" {
				t.Errorf("t5 is %q", lazy)
			}
			if n, err := b.Next(records.TaskKind); n != 6 || err != nil {
				t.Errorf("next is %d, %v", n, err)
			}
		})
	}
}

func TestMisplacedRecordIsReadAndWarned(t *testing.T) {
	t.Parallel()
	b := tree{"tasks/t123.md": taskFile("t123", "todo")}.book()
	if show(t, b, "t123") == "" {
		t.Error("a point read misses a record in the wrong folder")
	}
	wantList(t, "tasks", taskIDs(t, b), "t123")
	wantFault(t, warningsOf(t, b), "tasks/t123.md", "tasks/1/t123.md")
	if faults := b.Faults(); len(faults) > 0 {
		t.Errorf("faults: %q", faults)
	}
}

// torn is a tree whose storage is damaged: one path cannot be read.
type torn struct {
	fs.FS
	path string
}

var errTorn = errors.New("object is damaged")

func (t torn) Open(name string) (fs.File, error) {
	if name == t.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errTorn}
	}
	return t.FS.Open(name)
}

func TestP11DamageIsNoMissingRecord(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/t1.md": taskFile("t1", "todo"), "tasks/1/t100.md": taskFile("t100", "todo")}
	for _, path := range []string{"tasks/t1.md", "tasks"} {
		b := records.NewBook(torn{files.fs(), path})
		if _, err := b.Task("t1"); !errors.Is(err, errTorn) {
			t.Errorf("%s damaged: task answers %v", path, err)
		}
		if _, err := b.Tasks(); !errors.Is(err, errTorn) {
			t.Errorf("%s damaged: tasks answers %v", path, err)
		}
		if _, err := b.Apply(add("a"), records.Mark{}, records.Rules{}); path == "tasks" && !errors.Is(err, errTorn) {
			t.Errorf("%s damaged: add answers %v", path, err)
		}
		wantFault(t, b.Faults(), ".", "damaged")
	}
	whole := files.book()
	wantList(t, "tasks", taskIDs(t, whole), "t1", "t100")
	next := whole.Advance(torn{files.fs(), "tasks/t1.md"}, []string{"tasks/t1.md"})
	if _, err := next.Tasks(); !errors.Is(err, errTorn) {
		t.Errorf("a Book that moved onto damage answers %v", err)
	}
}

func TestTasksOfAndOpenCount(t *testing.T) {
	t.Parallel()
	session := strings.Replace(planFile("p1", "active"), "kind: folder\n  folder: /srv", "kind: session\n  session: one", 1)
	b := tree{
		"plans/p1.md": session, "plans/p2.md": planFile("p2", "active"),
		"tasks/t1.md":     taskFile("t1", "todo", "plan: p1", "session: ahp-session:/one"),
		"tasks/t2.md":     taskFile("t2", "review", "plan: p1"),
		"tasks/t3.md":     taskFile("t3", "done", "plan: p1"),
		"tasks/t4.md":     taskFile("t4", "blocked", "session: one"),
		"tasks/9/t900.md": taskFile("t900", "dropped", "session: ahp-session:/two"),
		"tasks/t6.md":     taskFile("t6", "todo", "plan: p2"),
		"tasks/t7.md":     taskFile("t7", "waiting", "plan: p1"),
	}.book()
	for session, want := range map[string]struct {
		open int
		any  bool
	}{"one": {3, true}, "ahp-session:/one": {3, true}, "two": {0, true}, "three": {0, false}, "": {0, false}} {
		if open, some, err := b.OpenCount(session); err != nil || open != want.open || some != want.any {
			t.Errorf("session %q: %d %v %v, want %+v", session, open, some, err, want)
		}
		tasks, err := b.TasksOfSession(session)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Collect(tasks); (len(got) > 0) != want.any || session == "one" && len(got) != 4 {
			t.Errorf("session %q has %d tasks, want %+v", session, len(got), want)
		}
	}
	of, err := b.TasksOf("p1")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for task := range of {
		ids = append(ids, task.ID)
	}
	wantList(t, "tasks of p1", ids, "t1", "t2", "t3")
}

func TestDraftsWaitInSubfoldersToo(t *testing.T) {
	t.Parallel()
	b := tree{
		"tasks/fix-login.md":      "---\ntitle: Fix the login\n---\n",
		"tasks/web/sub/colour.md": "---\ntitle: Colour\nstatus: doing\n---\n",
		"plans/big.md":            "---\ntitle: Big\nscope:\n  kind: bot\n  bot: pilot\n---\n",
	}.book()
	wantList(t, "drafts", b.Drafts(), "plans/big.md", "tasks/fix-login.md", "tasks/web/sub/colour.md")
	wantList(t, "tasks", taskIDs(t, b))
	wantList(t, "faults", texts(b.Faults()))
}

func TestCollectionThatIsNoFolder(t *testing.T) {
	t.Parallel()
	b := tree{"tasks": "a file", "plans/p1.md": planFile("p1", "active")}.book()
	wantList(t, "faults", texts(b.Faults()), "tasks: must be a folder")
	moved := tree{"plans/p1.md": planFile("p1", "active")}.book()
	wantList(t, "tasks", taskIDs(t, moved))
	moved = moved.Advance(tree{"tasks": "a file", "plans/p1.md": planFile("p1", "active")}.fs(), []string{"tasks"})
	wantList(t, "faults", texts(moved.Faults()), "tasks: must be a folder")
}

// A Book is shared by every call there is, read or not.
func TestBookServesManyAtOnce(t *testing.T) {
	t.Parallel()
	b := tree{"tasks/t1.md": sample, "tasks/t2.md": "broken", "plans/p1.md": planFile("p1", "active")}.book()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if task, err := b.Task("t1"); err != nil || task == nil {
				t.Errorf("t1 is %v, %v", task, err)
			}
			o, err := b.Apply(add("a"), records.Mark{At: noon}, records.Rules{})
			if err != nil || o.IDs[0] != "t3" {
				t.Errorf("add makes %s, %v", o.IDs, err)
			}
			if ids, faults := taskIDs(t, b), b.Faults(); len(ids) != 1 || len(faults) != 1 {
				t.Errorf("tasks %q, faults %q", ids, faults)
			}
			if open, _, err := b.OpenCount("one"); err != nil || open != 1 {
				t.Errorf("open %d, %v", open, err)
			}
		})
	}
	wait.Wait()
}
