package tools_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// TestPlanUpdateReadsNoMoreThanItMust: a process that takes one update and ends looks
// at the plan of its session and at what has changed since, and comes to what a host
// comes to that has read it all, whatever others do to the list in between.
func TestPlanUpdateReadsNoMoreThanItMust(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	warm := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	cold := repotest.New(t)
	r := rand.New(rand.NewPCG(3, 9))
	for i := range 120 {
		do := drawDeed(r)
		for _, side := range []string{"warm", "cold"} {
			s := warm
			if side == "cold" {
				s = toolstest.Again(t, tools.Config{Path: cold, Now: clock.Now})
			}
			c, err := s.Caller(tools.Who{Person: "ana", Session: "one"})
			if err == nil {
				err = do(s, c)
			}
			if err != nil && tools.AsError(err).Code != tools.Invalid && tools.AsError(err).Code != tools.NotFound {
				t.Fatalf("%d, %s: %v", i, side, err)
			}
			if side == "cold" {
				s.Close()
			}
		}
		if a, b := everything(t, warm), everything(t, toolstest.Again(t, tools.Config{Path: cold})); a != b {
			t.Fatalf("after %d the host has\n%s\nand one process after the other\n%s", i, a, b)
		}
	}
}

// drawDeed gives something that a harness or anybody else does to a list.
func drawDeed(r *rand.Rand) func(*tools.Store, tools.Caller) error {
	text, status := string(rune('a'+r.IntN(4))), []string{"pending", "in_progress", "completed"}[r.IntN(3)]
	task, plan, session := fmt.Sprint("t", 1+r.IntN(12)), fmt.Sprint("p", 1+r.IntN(2)), []string{"one", "two"}[r.IntN(2)]
	call := func(tool, input string) func(*tools.Store, tools.Caller) error {
		return func(s *tools.Store, c tools.Caller) error {
			_, err := tools.Call(context.Background(), s, c, tool, []byte(input))
			return err
		}
	}
	switch n := r.IntN(16); {
	case n < 4:
		return call("task_add", fmt.Sprintf(`{"title":%q,"plan":%q}`, text, plan))
	case n < 8:
		return call("task_set", fmt.Sprintf(`{"task":%q,"plan":%q,"title":%q}`, task, []string{"", plan}[r.IntN(2)], text))
	case n == 8:
		return call("plan_create", fmt.Sprintf(`{"title":"P","scope":{"kind":"session","session":%q}}`, session))
	case n == 9:
		gone := []string{task, plan}[r.IntN(2)]
		return func(s *tools.Store, c tools.Caller) error {
			_, err := s.Update(context.Background(), c, "sweep", func(*records.Book) ([]tools.Step, error) {
				return []tools.Step{{Edit: records.Remove{IDs: []string{gone}}}}, nil
			})
			return err
		}
	case n < 12:
		return func(s *tools.Store, c tools.Caller) error {
			_, err := s.PlanUpdate(context.Background(), c, translate.Update{Session: session, Tool: "TaskUpdate",
				Change: &translate.Change{ID: fmt.Sprint(len(text)), Text: text, Status: status, AddBlockedBy: []string{"1"}}})
			return err
		}
	}
	list := []translate.Entry{{Text: text, Status: status}, {Text: string(rune('a' + r.IntN(4))), Status: "pending"}}
	return func(s *tools.Store, c tools.Caller) error {
		_, err := s.PlanUpdate(context.Background(), c, translate.Update{Session: session, Tool: "TodoWrite", List: list})
		return err
	}
}

// everything gives every record as it is.
func everything(t *testing.T, s *tools.Store) (all string) {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	plans, err := book.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for p := range plans {
		all += string(p.Encode())
	}
	tasks, err := book.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for one := range tasks {
		all += string(one.Encode())
	}
	return all
}
