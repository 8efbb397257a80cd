package translate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/translate"
)

// TestAnyLists: whatever lists a harness says one after the other, the plan holds
// the last one, each entry once; what it held before is done or dropped; nothing is
// ever removed; what others put there stands; and to say it again changes nothing.
func TestAnyLists(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := &session{t: t, book: emptyBook(), now: start}
		mine, plan, had := "mine", "p1", 0
		s.list("pending a")
		o, err := s.book.Apply(records.AddTask{Fields: records.Fields{Title: &mine, Plan: &plan}}, records.Mark{At: s.now}, records.Rules{})
		if err != nil {
			r.Fatal(err)
		}
		s.book = o.Book
		for range rapid.IntRange(1, 8).Draw(r, "turns") {
			said := drawList(r)
			s.say(translate.Update{List: said})
			if n := s.say(translate.Update{List: said}); n != 0 {
				r.Fatalf("%v again is %d edits", said, n)
			}
			open, all := s.steps(r)
			if all < had {
				r.Fatalf("%d tasks were there, and %d are", had, all)
			}
			had = all
			want := []string{"pending mine"}
			for _, e := range said {
				if e.Status == "pending" || e.Status == "in_progress" || e.Status == "blocked" {
					want = append(want, e.Status+" "+e.Text)
				}
			}
			slices.Sort(want)
			if strings.Join(open, "\n") != strings.Join(want, "\n") {
				r.Fatalf("after %v these are open: %q, not %q", said, open, want)
			}
		}
	})
}

// drawList gives a list of few texts, so that lists meet each other's.
func drawList(r *rapid.T) []translate.Entry {
	list := []translate.Entry{}
	for range rapid.IntRange(0, 5).Draw(r, "entries") {
		list = append(list, translate.Entry{Text: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "text"),
			Status: rapid.SampledFrom([]string{"pending", "in_progress", "completed", "blocked", "cancelled"}).Draw(r, "status")})
	}
	return list
}

// steps gives the open tasks, and how many there are in all.
func (s *session) steps(r *rapid.T) (open []string, all int) {
	tasks, err := s.book.Tasks()
	if err != nil {
		r.Fatal(err)
	}
	words := map[records.Status]string{records.Todo: "pending", records.Doing: "in_progress", records.Blocked: "blocked"}
	for t := range tasks {
		all++
		if t.Status.Open() {
			open = append(open, fmt.Sprint(words[t.Status], " ", t.Title))
		}
	}
	slices.Sort(open)
	return open, all
}
