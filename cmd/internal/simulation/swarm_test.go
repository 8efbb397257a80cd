package simulation_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// swarm is a plan of tasks that wait for each other, and the processes that do them.
type swarm struct {
	*testing.T
	store    *tools.Store
	dir      string
	blockers map[string][]string
	workers  []*exec.Cmd
	killed   map[*exec.Cmd]bool
	seed     *rand.Rand
}

// job is what a worker runs: it writes down that it began and that it ended, each in
// one write.
const job = `cat >/dev/null; echo "$GIT_TASKS_TASK begins" >>jobs; echo "$GIT_TASKS_TASK ends" >>jobs`

// start starts one more worker.
func (s *swarm) start() {
	s.Helper()
	w := exec.Command(os.Args[0], "work", "--repo", s.store.Dir(), "--as", fmt.Sprintf("w%d", len(s.workers)+1),
		"--plan", "p1", "--lease", "2s", "--until-empty", "--exec", job)
	w.Dir, w.Stderr = s.dir, os.Stderr
	w.Env = append(repotest.Env(s), runVariable+"=1")
	if testing.Verbose() {
		w.Stdout = os.Stderr
	}
	log, err := os.Create(filepath.Join(s.dir, fmt.Sprintf("worker-%d", len(s.workers)+1)))
	if err != nil {
		s.Fatal(err)
	}
	defer log.Close()
	w.Stderr = log
	if err := w.Start(); err != nil {
		s.Fatal(err)
	}
	s.workers = append(s.workers, w)
}

// kill kills any worker that was not killed yet, and starts another in its place.
func (s *swarm) kill() {
	s.Helper()
	for _, i := range s.seed.Perm(len(s.workers)) {
		if w := s.workers[i]; !s.killed[w] {
			s.killed[w] = true
			if w.Process.Kill() == nil {
				s.start()
			}
			return
		}
	}
}

func (s *swarm) call(tool string, input any) string {
	s.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		s.Fatal(err)
	}
	c, err := s.store.Caller(tools.Who{Person: "ana"})
	if err != nil {
		s.Fatal(err)
	}
	answer, err := tools.Call(s.Context(), s.store, c, tool, raw)
	if err != nil {
		s.Fatal(err)
	}
	return answer.Text
}

// plan makes the tasks, each behind up to three of those before it.
func (s *swarm) plan(tasks int) {
	s.Helper()
	s.call("plan_create", map[string]any{"title": "Swarm", "scope": map[string]string{"kind": "folder", "folder": "/srv"}})
	for n := 1; n <= tasks; n++ {
		id, blockers := fmt.Sprintf("t%d", n), []string{}
		for range s.seed.IntN(4) {
			if n > 1 {
				blockers = append(blockers, fmt.Sprintf("t%d", max(1, n-1-s.seed.IntN(12))))
			}
		}
		s.blockers[id] = blockers
		s.call("task_add", map[string]any{"title": "job " + id, "plan": "p1", "blockedBy": blockers})
	}
}

// TestSwarm has processes do a plan while some are killed: every task is done once,
// by whoever held it, and none begins before what it waits for was done.
//
//	GIT_TASKS_TEST_FULL=1 go test ./cmd/internal/simulation -run TestSwarm -v
func TestSwarm(t *testing.T) {
	t.Parallel()
	tasks, workers, kills := 60, 4, 6
	if whole {
		tasks, workers, kills = 200, 8, 20
	}
	s := &swarm{T: t, store: toolstest.New(t), dir: t.TempDir(), blockers: map[string][]string{}, killed: map[*exec.Cmd]bool{},
		seed: rand.New(rand.NewPCG(7, 7))}
	s.plan(tasks)
	_, from, err := s.store.Book()
	if err != nil {
		t.Fatal(err)
	}
	feed, err := s.store.Feed(from)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := feed.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range workers {
		s.start()
	}
	done, holder := map[string]int{}, map[string]string{}
	claims, reclaims := 0, 0
	for m, err := range moves {
		if err != nil {
			t.Fatal(err)
		}
		id, what, _ := strings.Cut(strings.SplitN(m.What, ":", 2)[0], " ")
		switch what {
		case "claim":
			claims++
			if holder[id] != "" {
				t.Errorf("%s is claimed by %s, and held by %s", id, m.Session, holder[id])
			}
			holder[id] = m.Session
			for _, b := range s.blockers[id] {
				if done[b] != 1 {
					t.Errorf("%s is claimed before %s is done", id, b)
				}
			}
		case "reclaim":
			reclaims++
			holder[id] = ""
		case "done":
			if holder[id] != m.Session {
				t.Errorf("%s is done by %s, and held by %q", id, m.Session, holder[id])
			}
			done[id]++
			if len(done)*kills/tasks > len(s.killed) {
				s.kill()
			}
		case "set lease":
		default:
			t.Errorf("in the history: %s, by %s", m.What, m.By)
		}
		if len(done) == tasks {
			break
		}
	}
	s.ends(done, tasks)
	t.Logf("%d tasks by %d workers, %d of them killed: %d claims, %d reclaimed", tasks, len(s.workers), len(s.killed), claims, reclaims)
}

// ends waits for the workers, and holds what is there to what they did.
func (s *swarm) ends(done map[string]int, tasks int) {
	s.Helper()
	for i, w := range s.workers {
		if err := w.Wait(); err != nil && !s.killed[w] {
			said, _ := os.ReadFile(filepath.Join(s.dir, fmt.Sprintf("worker-%d", i+1)))
			s.Errorf("worker %d: %v\n%s", i+1, err, said)
		}
	}
	for id, n := range done {
		if n != 1 {
			s.Errorf("%s was done %d times", id, n)
		}
	}
	book, _, err := s.store.Book()
	if err != nil {
		s.Fatal(err)
	}
	page, _, err := book.Select(records.Filter{Plan: "p1", Status: records.Done}, 0, 0)
	if err != nil || len(page) != tasks {
		s.Errorf("%d tasks of %d are done, %v", len(page), tasks, err)
	}
	log, err := os.ReadFile(filepath.Join(s.dir, "jobs"))
	if err != nil {
		s.Fatal(err)
	}
	ended := map[string]bool{}
	for line := range strings.Lines(string(log)) {
		id, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		if ended[id] = ended[id] || what == "ends"; what == "ends" {
			continue
		}
		for _, b := range s.blockers[id] {
			if !ended[b] {
				s.Errorf("%s began before %s ended", id, b)
			}
		}
	}
}
