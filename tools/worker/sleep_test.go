package worker_test

import (
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// The machine slept, and no timer went on: the lease is over all the same, and what
// the command came to is not reported.
func TestALeaseEndsWhileTheMachineSleeps(t *testing.T) {
	t.Parallel()
	for name, wakes := range map[string]func(*shop){
		"the command ends": func(s *shop) { s.goesOn() },
		"somebody calls":   func(s *shop) { s.call("bob", "task_set", `{"task":"t2","note":"hm"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := toolstest.NewClock()
			s := newShopOn(t, toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now}), waits)
			s.cfg.Max = 1
			s.add(`{"title":"a"}`, `{"title":"b"}`)
			end := s.starts(t.Context())
			<-s.ran
			clock.Pass(2 * time.Minute)
			wakes(s)
			end()
			s.is("t1 lost: its lease ran out and could not be renewed", "t1 todo medium a; t2 todo medium b")
		})
	}
}
