package translate_test

import (
	"testing"

	"github.com/git-tasks/git-tasks/translate"
)

// acp takes a list whose entries in progress may carry their active forms.
func (s *session) acp(entries ...string) int {
	s.t.Helper()
	return s.say(translate.Update{Tool: "plan", List: list(entries...), ActiveText: true})
}

func TestActiveTexts(t *testing.T) {
	for text, title := range map[string]string{
		"Reading the lexer": "Read the lexer",
		"Writing it":        "Write it",
		"Running":           "Run",
		"Tying the knot":    "Tie the knot",
		"Fixing up":         "Fix up",
		"building the app":  "build the app",
	} {
		t.Run(text, func(t *testing.T) {
			s := newSession(t)
			s.acp("pending "+title, "pending other")
			s.acp("in_progress "+text, "pending other", "pending more")
			s.want("t1 doing "+title, "t2 todo other", "t3 todo more")
			if got := s.task("t1").Active; got != text {
				t.Errorf("active is %q", got)
			}
			if n := s.acp("in_progress "+text, "pending other", "pending more"); n != 0 {
				t.Errorf("the same again is %d edits", n)
			}
			s.acp("completed "+title, "pending other", "pending more")
			s.want("t1 done "+title, "t2 todo other", "t3 todo more")
		})
	}
}

func TestNoActiveTexts(t *testing.T) {
	for text, title := range map[string]string{
		"Reading the parser": "Read the lexer",
		"reading the lexer":  "Read the lexer",
		"Playying":           "Play a",
		"Seeeing it":         "See it",
		"Read the lexer ing": "Read the lexer",
	} {
		t.Run(text, func(t *testing.T) {
			s := newSession(t)
			s.acp("pending " + title)
			s.acp("in_progress " + text)
			s.want("t1 dropped "+title, "t2 doing "+text)
		})
	}
}

func TestAnotherRoadKnowsNoActiveText(t *testing.T) {
	s := newSession(t)
	s.list("pending Read it", "pending b")
	s.list("in_progress Reading it", "pending b")
	s.want("t1 dropped Read it", "t2 todo b", "t3 doing Reading it")
}

func TestATextSeenFirstByItsActiveForm(t *testing.T) {
	s := newSession(t)
	s.acp("in_progress Running the suite", "pending b")
	s.acp("completed Run the suite", "in_progress b")
	s.want("t1 done Run the suite", "t2 doing b")
}

func TestThePlaceTells(t *testing.T) {
	s := newSession(t)
	s.acp("pending Fix the bug", "pending b", "pending c")
	s.acp("in_progress Hunting it down", "pending b", "pending c")
	s.want("t1 doing Fix the bug", "t2 todo b", "t3 todo c")
	s.acp("in_progress Hunting it down", "pending b", "pending c", "pending d")
	s.want("t1 doing Fix the bug", "t2 todo b", "t3 todo c", "t4 todo d")
}

func TestThePlaceDoesNotTell(t *testing.T) {
	for name, entries := range map[string][]string{
		"moved":         {"pending b", "in_progress Hunting", "pending c"},
		"two":           {"in_progress Hunting", "in_progress Gathering", "pending c"},
		"longer":        {"in_progress Hunting", "pending b", "pending c", "pending d"},
		"not underway":  {"pending Hunting", "pending b", "pending c"},
		"what is over":  {"pending a", "pending b", "in_progress Hunting"},
		"nothing there": {"in_progress Hunting"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.acp("pending a", "pending b", "completed c")
			s.acp(entries...)
			tasks, err := s.book.Tasks()
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for task := range tasks {
				found = found || task.Title == "Hunting"
			}
			if !found {
				t.Error("the text became an active form")
			}
		})
	}
}
