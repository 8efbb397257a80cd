package tools_test

import (
	"fmt"
	"testing"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/translate"
)

// TestP28TodoWriteIsBounded: a list that would keep everybody else waiting is refused,
// and the longest that is not is written.
func TestP28TodoWriteIsBounded(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	steps := make([]string, 1001)
	for i := range steps {
		steps[i] = fmt.Sprintf("%d pending Step %[1]d", i)
	}
	if _, err := writeTodos(t, s, steps...); err == nil || err.Error() != "Invalid todo_write input: todos must be at most 1000 steps." {
		t.Errorf("1001 steps: %v", err)
	}
	if a, err := writeTodos(t, s, steps[:1000]...); err != nil || len(a.Records) != 1001 {
		t.Errorf("1000 steps are %d records, %v", len(a.Records), err)
	}
}

// BenchmarkP28LongList writes the list of a harness that nobody bounds, and then the
// same list with every entry renamed, and cleared. ns/entry is to stay the same however
// long the list is.
func BenchmarkP28LongList(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		for _, texts := range []string{"own", "one"} {
			b.Run(fmt.Sprintf("entries=%d/texts=%s", n, texts), func(b *testing.B) {
				for b.Loop() {
					writeLong(b, n, texts)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entry")
			})
		}
	}
}

func writeLong(b *testing.B, n int, texts string) {
	b.Helper()
	b.StopTimer()
	s := toolstest.New(b)
	c, err := s.Caller(tools.Who{Person: "ana"})
	if err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
	for _, title := range []string{"Step", "Renamed", ""} {
		list := []translate.Entry{}
		for i := range n {
			e := translate.Entry{ID: fmt.Sprint(i), Text: title, Status: "pending"}
			if texts == "own" {
				e.Text = fmt.Sprint(title, " ", i)
			}
			if title != "" {
				list = append(list, e)
			}
		}
		made, err := s.PlanUpdate(b.Context(), c, translate.Update{Session: "one", Tool: "TodoWrite", List: list})
		if err != nil || len(made.Tasks) != len(list) || made.Commit == "" {
			b.Fatalf("%d entries are %d tasks in %q, %v", len(list), len(made.Tasks), made.Commit, err)
		}
	}
}
