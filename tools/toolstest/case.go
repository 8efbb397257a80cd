package toolstest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// Case is a story on an empty list: steps, each a minute after the one before.
type Case struct {
	Name     string // its number first
	Settings *tools.Settings
	steps    []step
	forged   bool // a foreign commit brings stamps of others, which a check reports
}

// step is a call and what must come of it, or something that happens beside
// the tools.
type step struct {
	Tool, Input string
	Who         tools.Who
	Want        string     // the whole text
	Code        tools.Code // of a refusal; "" for an answer

	Foreign []repo.File    // committed by another program, as mia
	Report  *tools.Session // said of a session

	File   string   // a path that is looked at after the step
	Has    []string // what the file on the branch must hold
	Lacks  []string // what it must not
	Author string   // of the newest commit; "" is not looked at
	Quiet  bool     // the call must not make a commit
}

// Result is what a front gave for a call.
type Result struct {
	Text   string
	Code   tools.Code // "" for an answer
	Commit string
}

// List is the list of a case, and where it is.
type List struct {
	*tools.Store
	Dir      string
	Settings *tools.Settings
}

// Front makes one call of a tool the way its users do.
type Front func(t testing.TB, list List, who tools.Who, tool, input string) Result

// Direct is the front that calls the package itself.
func Direct(t testing.TB, list List, who tools.Who, tool, input string) Result {
	t.Helper()
	caller, err := list.Caller(who)
	if err != nil {
		return Result{Text: err.Error(), Code: tools.AsError(err).Code}
	}
	answer, err := tools.Call(context.Background(), list.Store, caller, tool, json.RawMessage(input))
	if err != nil {
		return Result{Text: err.Error(), Code: tools.AsError(err).Code}
	}
	return Result{Text: answer.Text, Commit: answer.Commit}
}

// Play plays a case through a front. With reopen the list is closed and opened
// again before every step, and must not show it.
func Play(t testing.TB, c Case, front Front, reopen bool) {
	t.Helper()
	dir, clock := repotest.New(t), NewClock()
	cfg := tools.Config{Path: dir, Settings: c.Settings, Now: clock.Now}
	s := Again(t, cfg)
	for i, step := range c.steps {
		if reopen && i > 0 {
			s = Again(t, cfg)
		}
		step.play(t, List{s, dir, c.Settings}, front)
		if t.Failed() {
			t.Fatalf("in step %d of %d", i+1, len(c.steps))
		}
		clock.Pass(time.Minute)
	}
	if !c.forged {
		Check(t, s)
	}
}

func (s step) play(t testing.TB, list List, front Front) {
	t.Helper()
	if s.Report != nil {
		if err := list.ReportSession(context.Background(), *s.Report); err != nil {
			t.Fatal(err)
		}
	}
	if s.Foreign != nil {
		repotest.Foreign(t, list.Dir, "refs/heads/main", "mia", "by hand", s.Foreign...)
	}
	if s.Tool != "" {
		s.call(t, list, front)
	}
	s.look(t, list.Dir)
}

// call makes the call; whatever it answers, a commit is named exactly when
// there is a new one, and a refusal made none.
func (s step) call(t testing.TB, list List, front Front) {
	t.Helper()
	before := tipOf(t, list.Store)
	got := front(t, list, s.Who, s.Tool, s.Input)
	if got.Text != s.Want || got.Code != s.Code {
		t.Errorf("%s %s\n got %q %s\nwant %q %s", s.Tool, s.Input, got.Text, got.Code, s.Want, s.Code)
	}
	after := tipOf(t, list.Store)
	switch {
	case after == before && got.Commit != "":
		t.Errorf("%s %s names commit %s, and there is none", s.Tool, s.Input, got.Commit)
	case after != before && got.Commit != after:
		t.Errorf("%s %s made %s and names %q", s.Tool, s.Input, after, got.Commit)
	case after != before && s.Quiet:
		t.Errorf("%s %s made a commit", s.Tool, s.Input)
	}
}

func (s step) look(t testing.TB, dir string) {
	t.Helper()
	if s.File != "" {
		text := repotest.Git(t, dir, "show", "refs/heads/main:"+s.File) + "\n"
		for _, part := range s.Has {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q:\n%s", s.File, part, text)
			}
		}
		for _, part := range s.Lacks {
			if strings.Contains(text, part) {
				t.Errorf("%s has %q:\n%s", s.File, part, text)
			}
		}
	}
	if s.Author != "" {
		if got := repotest.Git(t, dir, "log", "-1", "--format=%an", "refs/heads/main"); got != s.Author {
			t.Errorf("the newest commit is by %q, want %q", got, s.Author)
		}
	}
}

func tipOf(t testing.TB, s *tools.Store) string {
	t.Helper()
	_, tip, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	return tip.String()
}

// Cases is every case that all fronts must play alike.
func Cases() []Case {
	var all []Case
	for _, list := range [][]Case{fileCases, planCases, inputCases, moveCases, peopleCases, listCases, todoCases, claimCases, packetCases, graphCases} {
		all = append(all, list...)
	}
	return all
}
