package tools_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// BenchmarkCall lets callers add and change tasks through Call, durably, in a
// list of so many: every fourth call adds one. Each answer is compared, and in
// the end the ids must be dense and each call a commit. x-file is the time of a
// call as a multiple of one small file that is created, synced, renamed and its
// folder synced.
//
//	go test ./tools/ -run NONE -bench Call -count 6 | benchstat -
func BenchmarkCall(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, callers := range []int{1, 64} {
			b.Run(fmt.Sprintf("tasks=%d/callers=%d", n, callers), func(b *testing.B) {
				dir := repotest.New(b)
				toolstest.Fill(b, dir, n)
				s := toolstest.Again(b, tools.Config{Path: dir})
				if _, err := tools.Call(b.Context(), s, benchCaller(b, s), "task_list", json.RawMessage(`{"status":"doing"}`)); err != nil {
					b.Fatal(err)
				}
				before := commitsOf(b, s)
				benchCall(b, s, n, callers)
				if got := commitsOf(b, s) - before; got != b.N {
					b.Errorf("%d commits for %d calls", got, b.N)
				}
				toolstest.CheckDense(b, s, n+(b.N+3)/4)
			})
		}
	}
}

func benchCaller(b *testing.B, s *tools.Store) tools.Caller {
	b.Helper()
	c, err := s.Caller(tools.Who{Person: "ana"})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func benchCall(b *testing.B, s *tools.Store, tasks, callers int) {
	b.Helper()
	caller := benchCaller(b, s)
	repotest.Callers(b, callers, func() (func(int) error, error) {
		return func(n int) error { return benchOne(b, s, caller, tasks, n-1) }, nil
	})
}

// benchOne makes call i, and looks at the answer.
func benchOne(b *testing.B, s *tools.Store, c tools.Caller, tasks, i int) error {
	if i%4 == 0 {
		a, err := tools.Call(b.Context(), s, c, "task_add", fmt.Appendf(nil, `{"title":"Added by call %d","labels":["new"]}`, i))
		if err == nil && a.Commit == "" {
			err = fmt.Errorf("call %d answered %q without a commit", i, a.Text)
		}
		return err
	}
	n := i*7919%tasks + 1
	a, err := tools.Call(b.Context(), s, c, "task_set", fmt.Appendf(nil, `{"task":"t%d","note":"Changed by call %d"}`, n, i))
	if err == nil && (a.Commit == "" || a.Text != fmt.Sprintf("t%d todo medium Task number %[1]d", n)) {
		err = fmt.Errorf("call %d answered %q, commit %q", i, a.Text, a.Commit)
	}
	return err
}

func commitsOf(b *testing.B, s *tools.Store) int {
	b.Helper()
	events, err := s.History("")
	if err != nil {
		b.Fatal(err)
	}
	return len(events)
}
