package translate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

func TestStatuses(t *testing.T) {
	for word, want := range map[string]string{
		"pending": "todo", "not-started": "todo", "open": "todo", "created": "todo",
		"in_progress": "doing", "in-progress": "doing", "inProgress": "doing", "In_Progress": "doing", "running": "doing",
		"completed": "done", "closed": "done", "done": "done",
		"deleted": "dropped", "cancelled": "dropped",
		"stopped": "dropped harness status: stopped", "killed": "dropped harness status: killed",
		"blocked": "blocked", "failed": "blocked harness status: failed",
		"waiting": "todo harness status: waiting", "_blocked": "todo harness status: _blocked", "": "todo",
		"a\x1b[2J\nb": "todo harness status: a[2J b",
	} {
		t.Run(word, func(t *testing.T) {
			s := newSession(t)
			one := []translate.Entry{{Text: "a", Status: word}}
			s.say(translate.Update{List: one})
			task := s.task("t1")
			if got := strings.TrimSpace(string(task.Status) + " " + task.Note); got != want {
				t.Errorf("a new task is %q, not %q", got, want)
			}
			if n := s.say(translate.Update{List: one}); n != 0 {
				t.Errorf("the same again is %d edits", n)
			}
			s.list("completed a")
			s.say(translate.Update{List: one})
			if task := s.task("t1"); strings.Contains(want, "todo harness") && (task.Status != records.Done || task.Note == "") {
				t.Errorf("an unknown word made it %s %q", task.Status, task.Note)
			}
		})
	}
}

func TestAHarnessNoteGoesWithItsStatus(t *testing.T) {
	s := newSession(t)
	s.change(translate.Change{ID: "1", Text: "a", Status: "failed", Note: "owner: alice"})
	if got := s.task("t1").Note; got != "owner: alice; harness status: failed" {
		t.Errorf("note is %q", got)
	}
	s.change(translate.Change{ID: "2", Text: "b", Status: "failed"})
	s.change(translate.Change{ID: "2", Status: "in_progress"})
	if got := s.task("t2").Note; got != "" {
		t.Errorf("it goes on, and its note still says %q", got)
	}
}

// TestA18APartialList has a list drop its own steps alone.
func TestA18APartialList(t *testing.T) {
	s := newSession(t)
	s.list("pending a", "pending b")
	mine, plan, other := "mine", "p1", "other"
	for _, e := range []records.Edit{
		records.AddTask{Fields: records.Fields{Title: &mine, Plan: &plan}},
		records.AddTask{Fields: records.Fields{Title: &other, Plan: &plan}, Source: &records.Source{Tool: "TaskCreate", ID: "1"}},
	} {
		o, err := s.book.Apply(e, records.Mark{At: s.now}, records.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		s.book = o.Book
	}
	s.list("in_progress b")
	s.want("t1 dropped a", "t2 doing b", "t3 todo mine", "t4 todo other")
	s.list("completed b")
	s.list()
	s.want("t1 dropped a", "t2 done b", "t3 todo mine", "t4 todo other")
	s.list("pending mine")
	s.want("t1 dropped a", "t2 done b", "t3 todo mine", "t4 todo other")
}

func TestNothingToRead(t *testing.T) {
	s := newSession(t)
	if n := s.list(); n != 0 {
		t.Errorf("an empty list of a session without a plan is %d edits", n)
	}
	s.list("pending a")
	if n := s.list("pending  ", "pending \x00"); n != 0 {
		t.Errorf("a list of blanks is %d edits", n)
	}
	s.list("pending a", "pending ", "pending b")
	s.want("t1 todo a", "t2 todo b")
}

func TestRefusals(t *testing.T) {
	s := newSession(t)
	for want, u := range map[string]translate.Update{
		"session must be a non-empty string.":                   {Session: "ahp-session:/", List: list()},
		"tool must be a non-empty string.":                      {Tool: " ", List: list()},
		"list must be a list of entries, or change one change.": {},
		"change must not come with a list.":                     {List: list(), Change: &translate.Change{ID: "1"}},
		"id must be a non-empty string.":                        {Change: &translate.Change{Text: "a"}},
		"text must be a non-empty string.":                      {Change: &translate.Change{ID: "1", Text: "\x1b\n"}},
		"labels must be shorter: a record is at most 1 MiB, its frontmatter 64 KiB.": {Change: &translate.Change{
			ID: "1", Text: "a", Labels: []string{strings.Repeat("x", 70<<10)}}},
	} {
		_, err := s.try(u)
		var refused *records.Refusal
		if !errors.As(err, &refused) || refused.Text != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
	s.want()
}

func TestSubagentsHaveListsOfTheirOwn(t *testing.T) {
	s := newSession(t)
	s.list("pending a")
	s.say(translate.Update{Agent: "a38", List: list("pending b")})
	s.say(translate.Update{Session: "one/a38", List: list("pending b", "pending c")})
	s.want("t1 todo a", "t2 todo b", "t3 todo c")
	if p := s.plan("p2"); p.Scope.Session != "one/a38" || p.Title != "Session one/a38" {
		t.Errorf("the plan of the subagent is %+v", p)
	}
}

func TestTitles(t *testing.T) {
	long := strings.Repeat("ä", 200)
	for name, c := range map[string]struct{ text, title, body string }{
		"whole":        {strings.Repeat("x", 255), strings.Repeat("x", 255), ""},
		"long":         {strings.Repeat("x", 256), strings.Repeat("x", 255) + "…", strings.Repeat("x", 256)},
		"half letters": {long, strings.Repeat("ä", 127) + "…", long},
		"lines":        {"a\nb\r\nc\u2028d", "a b c d", ""},
		"controls":     {"\x1b[2Ja\u009b", "[2Ja", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			one := []translate.Entry{{Text: c.text}}
			s.say(translate.Update{List: one})
			if task := s.task("t1"); task.Title != c.title || task.Body != c.body {
				t.Errorf("title %q, body %q", task.Title, task.Body)
			}
			if n := s.say(translate.Update{List: one}); n != 0 {
				t.Errorf("the same again is %d edits", n)
			}
		})
	}
}

func TestALongTextOfAChange(t *testing.T) {
	s := newSession(t)
	long := strings.Repeat("x", 300)
	s.change(translate.Change{ID: "1", Text: long, Body: "because"})
	if got := s.task("t1").Body; got != long+"\n\nbecause" {
		t.Errorf("body is %q", got)
	}
	s.change(translate.Change{ID: "2", Text: "b", Body: "because"})
	s.change(translate.Change{ID: "2", Text: long})
	if task := s.task("t2"); task.Body != "because" || !strings.HasSuffix(task.Title, "…") {
		t.Errorf("a name took the body's place: %q", task.Body)
	}
}

func TestIDsInAList(t *testing.T) {
	s := newSession(t)
	s.say(translate.Update{List: []translate.Entry{{Text: "Read", ID: "r"}, {Text: "Write", ID: "w"}}})
	s.say(translate.Update{List: []translate.Entry{{Text: "Write", ID: "r"}, {Text: "Write it well", ID: "w"}, {Text: "Test", ID: "t"}}})
	s.want("t1 dropped Read", "t2 todo Write", "t3 todo Write it well", "t4 todo Test")
	s.say(translate.Update{List: []translate.Entry{{Text: "Write", ID: "w"}, {Text: "Run the tests", ID: "t"}}})
	s.want("t1 dropped Read", "t2 todo Write", "t3 dropped Write it well", "t4 todo Run the tests")
}

// TestIDsTellEqualTexts: two steps of one text are told by their ids, wherever they stand
// and though one is renamed, goes, or a third one comes.
func TestIDsTellEqualTexts(t *testing.T) {
	s := newSession(t)
	say := func(list ...translate.Entry) {
		t.Helper()
		s.say(translate.Update{List: list})
		if n := s.say(translate.Update{List: list}); n != 0 {
			t.Errorf("%v again is %d edits", list, n)
		}
	}
	say(translate.Entry{Text: "Test", ID: "a"}, translate.Entry{Text: "Test", ID: "b"})
	say(translate.Entry{Text: "Test", ID: "b", Status: "in_progress"}, translate.Entry{Text: "Test", ID: "a", Status: "pending"})
	s.want("t1 todo Test", "t2 doing Test")
	say(translate.Entry{Text: "Test", ID: "c"}, translate.Entry{Text: "Test", ID: "b", Status: "completed"}, translate.Entry{Text: "Test it", ID: "a"})
	s.want("t1 todo Test it", "t2 done Test", "t3 todo Test")
	say(translate.Entry{Text: "Test", ID: "c"})
	s.want("t1 dropped Test it", "t2 done Test", "t3 todo Test")
}

func TestBlockers(t *testing.T) {
	s := newSession(t)
	blockers := func(id string, want ...string) {
		t.Helper()
		if got := s.task(id).BlockedBy; !slices.Equal(got, want) {
			t.Errorf("%s waits for %v, not %v", id, got, want)
		}
	}
	for _, id := range []string{"1", "2", "3"} {
		s.change(translate.Change{ID: id, Text: "step " + id})
	}
	s.change(translate.Change{ID: "2", AddBlockedBy: []string{"1", "99", "2"}})
	blockers("t2", "t1")
	s.change(translate.Change{ID: "1", AddBlockedBy: []string{"2"}})
	blockers("t1")
	s.change(translate.Change{ID: "1", AddBlocks: []string{"3", "98", "1"}})
	blockers("t3", "t1")
	s.change(translate.Change{ID: "3", BlockedBy: []string{"2", "97"}})
	blockers("t3", "t2")

	title, byHand := "by hand", []string{"t2", "t4"}
	for _, e := range []records.Edit{
		records.AddTask{Fields: records.Fields{Title: &title}},
		records.SetTask{Task: "t3", Fields: records.Fields{BlockedBy: &byHand}},
	} {
		o, err := s.book.Apply(e, records.Mark{At: s.now}, records.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		s.book = o.Book
	}
	s.change(translate.Change{ID: "3", BlockedBy: []string{}})
	blockers("t3", "t4")
	s.change(translate.Change{ID: "4", Text: "new", BlockedBy: []string{"1"}, AddBlocks: []string{"3"}})
	blockers("t5", "t1")
	blockers("t3", "t4", "t5")
}

func TestActiveForms(t *testing.T) {
	s := newSession(t)
	active := func(want string) {
		t.Helper()
		if got := s.task("t1").Active; got != want {
			t.Errorf("active is %q, not %q", got, want)
		}
	}
	s.change(translate.Change{ID: "1", Text: "Read", Active: "Reading"})
	active("")
	s.change(translate.Change{ID: "1", Status: "in_progress"})
	active("Reading")
	s.change(translate.Change{ID: "1", Active: "Reading on"})
	active("Reading on")
	s.change(translate.Change{ID: "1", Status: "in_progress"})
	active("Reading on")
	s.change(translate.Change{ID: "1", Status: "completed", Active: "Reading again"})
	active("")
	s.change(translate.Change{ID: "1", Status: "in_progress"})
	active("Reading again")
	if want := map[string]string{"p1/1": "Reading again"}; s.memory.Active["p1/1"] != want["p1/1"] {
		t.Errorf("it remembers %v", s.memory.Active)
	}
}

func TestWhatElseAHarnessSays(t *testing.T) {
	s := newSession(t)
	s.change(translate.Change{ID: "1", Text: "a", Body: "long", Labels: []string{"epic"}, Priority: "high"})
	labels := []string{"epic", "mine"}
	o, err := s.book.Apply(records.SetTask{Task: "t1", Fields: records.Fields{Labels: &labels}}, records.Mark{At: s.now}, records.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s.book = o.Book
	s.change(translate.Change{ID: "1", Labels: []string{"bug", "epic"}})
	task := s.task("t1")
	if !slices.Equal(task.Labels, []string{"epic", "mine", "bug"}) || task.Body != "long" || task.Priority != records.High {
		t.Errorf("%+v", task)
	}
}
