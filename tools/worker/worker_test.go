package worker_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
	"github.com/git-tasks/git-tasks/tools/worker"
)

// shop is a list with a worker, and somebody else who calls.
type shop struct {
	*testing.T
	*tools.Store
	cfg worker.Config

	mu   sync.Mutex
	said []string
	ran  chan string // each line that a command prints
}

func newShop(t *testing.T, command string) *shop {
	t.Helper()
	return newShopOn(t, toolstest.New(t), command)
}

func newShopOn(t *testing.T, store *tools.Store, command string) *shop {
	t.Helper()
	s := &shop{T: t, Store: store, ran: make(chan string, 100)}
	s.cfg = worker.Config{Store: store, Caller: s.caller("w1"), Lease: time.Minute, UntilEmpty: true,
		Command: []string{"/bin/sh", "-c", command}, Dir: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"},
		Stdout: lines{s.ran}, Stderr: io.Discard,
		Said: func(e worker.Event) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.said = append(s.said, strings.TrimSuffix(e.Task+" "+e.What+": "+e.Why, ": "))
		}}
	return s
}

// lines tells of what is written, a line each: a command prints one at a time.
type lines struct{ to chan string }

func (l lines) Write(data []byte) (int, error) {
	l.to <- strings.TrimSuffix(string(data), "\n")
	return len(data), nil
}

// TestWorkNeedsACommandAlone: what a program leaves out of the Config is nowhere
// and nobody, but for the command.
func TestWorkNeedsACommandAlone(t *testing.T) {
	t.Parallel()
	s := newShopOn(t, toolstest.Open(t, tools.Config{Path: repotest.New(t)}), "")
	s.add(`{"title":"a"}`)
	cfg := worker.Config{Store: s.Store, Caller: s.cfg.Caller, Lease: time.Minute, UntilEmpty: true}
	if err := worker.Run(t.Context(), cfg); err == nil || err.Error() != "the worker has no command to run." {
		t.Errorf("without a command it ends with %v", err)
	}
	cfg.Command = []string{"/bin/sh", "-c", "echo out; echo err >&2"}
	if err := worker.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	s.is("", "t1 done medium a")
}

func (s *shop) caller(name string) tools.Caller {
	s.Helper()
	c, err := s.Store.Caller(tools.Who{Person: name, Session: "session-of-" + name})
	if err != nil {
		s.Fatal(err)
	}
	return c
}

func (s *shop) call(who, tool, input string) string {
	s.Helper()
	answer, err := tools.Call(s.Context(), s.Store, s.caller(who), tool, json.RawMessage(input))
	if err != nil {
		s.Fatal(err)
	}
	return answer.Text
}

func (s *shop) add(more ...string) {
	s.Helper()
	for _, input := range more {
		s.call("ana", "task_add", input)
	}
}

// work runs the worker to its end.
func (s *shop) work() {
	s.Helper()
	if err := worker.Run(s.Context(), s.cfg); err != nil {
		s.Error(err)
	}
}

// starts runs the worker beside the test; end waits for it.
func (s *shop) starts(ctx context.Context) (end func()) {
	s.Helper()
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, s.cfg) }()
	return func() {
		s.Helper()
		if err := <-ended; err != nil {
			s.Error(err)
		}
	}
}

// is compares what was said, and the list.
func (s *shop) is(said, list string) {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := strings.Join(slices.DeleteFunc(slices.Clone(s.said), func(l string) bool { return strings.HasSuffix(l, " claim") }), "; "); got != said {
		s.Errorf("it said %q, want %q", got, said)
	}
	if got := strings.ReplaceAll(s.call("ana", "task_list", `{}`), "\n", "; "); got != list {
		s.Errorf("the list is %q, want %q", got, list)
	}
}

func (s *shop) file(path string) string {
	s.Helper()
	return repotest.Git(s.T, s.Dir(), "show", "main:"+path)
}

func TestWorkDoesWhatIsReadyInOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t, `read -r title; echo "$GIT_TASKS_TASK $GIT_TASKS_SESSION $title"`)
	s.add(`{"title":"last","priority":"low"}`, `{"title":"first","body":"How."}`, `{"title":"second","blockedBy":["t2"]}`)
	s.cfg.Priority = "medium"
	s.work()
	s.is("t2 done; t3 done", "t1 todo low last; t2 done medium first; t3 done medium second")
	if got := <-s.ran + "; " + <-s.ran; got != "t2 ahp-session:/session-of-w1 # t2 first; t3 ahp-session:/session-of-w1 # t3 second" {
		t.Errorf("the commands saw %q", got)
	}
	log := repotest.Git(t, s.Dir(), "log", "-4", "--format=%an %s (%(trailers:key=Tool,valueonly,separator=%x2C))", "main")
	if want := "w1 t3 done: second (work)\nw1 t3 claim: second (task_claim)\nw1 t2 done: first (work)\nw1 t2 claim: first (task_claim)"; log != want {
		t.Errorf("the history is\n%s\nwant\n%s", log, want)
	}
}

func TestWhatACommandComesTo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ command, said, list string }{
		"well":       {`exit 0`, "t1 done", "t1 done medium a"},
		"badly":      {`echo one >&2; printf 'no \033[2J such thing' >&2; exit 3`, `t1 blocked: exit 3: no \x1b[2J such thing`, "t1 blocked medium a"},
		"silently":   {`exit 1`, "t1 blocked: exit 1", "t1 blocked medium a"},
		"by signal":  {`kill -KILL $$`, "t1 blocked: exit 137", "t1 blocked medium a"},
		"not now":    {`echo busy >&2; exit 75`, "t1 release: exit 75: busy", "t1 todo medium a"},
		"background": {`tail -f /dev/null & exit 0`, "t1 done", "t1 done medium a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, c.command)
			s.cfg.Max = 1
			s.add(`{"title":"a"}`)
			s.work()
			s.is(c.said, c.list)
			if _, why, _ := strings.Cut(c.said, ": "); why != "" && !strings.Contains(s.file("tasks/t1.md"), "\nnote: ") {
				t.Errorf("the note is not\n%s\nin\n%s", why, s.file("tasks/t1.md"))
			}
		})
	}
}

// A command that is not there must not go through the list and leave every task
// blocked.
func TestACommandThatCannotBeRunEndsTheWorker(t *testing.T) {
	t.Parallel()
	for name, argv := range map[string][]string{
		"no program": {"/nowhere/at/all"}, "not found": {"/bin/sh", "-c", "nowhere-at-all"}, "a folder": {"/bin/sh", "-c", "/"},
	} {
		s := newShop(t, "")
		s.cfg.Command = argv
		s.add(`{"title":"a"}`, `{"title":"b"}`)
		err := worker.Run(t.Context(), s.cfg)
		if err == nil || !strings.Contains(err.Error(), "the command cannot be run") {
			t.Errorf("%s: %v", name, err)
		}
		if got := s.call("ana", "task_list", `{"status":"todo"}`); got != "t1 todo medium a\nt2 todo medium b" {
			t.Errorf("%s: the list is %q", name, got)
		}
	}
}

// waits is a command that says so and goes on when the test has it.
const waits = `mkfifo go; echo started; read -r x <go; `

// goesOn lets a command that waits go on.
func (s *shop) goesOn() {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.cfg.Dir, "go"), []byte("\n"), 0); err != nil {
		s.Fatal(err)
	}
}

// What the command does with the task itself, in the worker's session, stands.
func TestACommandThatMovesItsTask(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"review", "done", "todo"} {
		s := newShop(t, waits+`exit 7`)
		s.cfg.Max = 1
		s.add(`{"title":"a"}`)
		end := s.starts(t.Context())
		<-s.ran
		s.call("w1", "task_set", `{"task":"t1","status":"`+status+`"}`)
		s.goesOn()
		end()
		s.is("t1 moved: exit 7", "t1 "+status+" medium a")
	}
}

// A command that gave its task on is not stopped where the lease would have ended.
func TestACommandThatMovedItsTaskGoesOnBeyondTheLease(t *testing.T) {
	t.Parallel()
	s := newShop(t, waits+`sleep 1.5`) // longer than the lease
	s.cfg.Max, s.cfg.Lease = 1, time.Second
	s.add(`{"title":"a"}`)
	end := s.starts(t.Context())
	<-s.ran
	s.call("w1", "task_set", `{"task":"t1","status":"review"}`)
	s.goesOn()
	end()
	s.is("t1 moved: exit 0", "t1 review medium a")
}

// Whoever loses the claim stops the command and reports nothing over another's.
func TestAClaimThatIsLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, input, said, list string }{
		"taken over": {"task_claim", `{"task":"t1","force":true}`, "t1 lost: it was taken by bob (t1 claim: a)", "t1 doing medium a"},
		"given back": {"task_release", `{"task":"t1","force":true}`, "t1 lost: it was taken by bob (t1 release: a)", "t1 todo medium a"},
		"moved":      {"task_set", `{"task":"t1","status":"dropped","force":true}`, "t1 lost: it was taken by bob (t1 dropped: a)", "t1 dropped medium a"},
		"removed":    {"task_remove", `{"task":"t1","force":true}`, "t1 lost: it was taken by bob (t1 remove: a)", "No tasks match."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, `echo started; exec tail -f /dev/null`)
			s.cfg.Max = 1
			s.add(`{"title":"a"}`)
			end := s.starts(t.Context())
			<-s.ran
			tip := s.call("bob", c.tool, c.input)
			end() // it ends only once the command did
			s.is(c.said, c.list)
			if strings.Contains(s.call("ana", "task_list", `{}`), "blocked") || tip == "" {
				t.Error("something was reported")
			}
		})
	}
}

// A change beside the claim, as a note of somebody else, is no loss.
func TestAChangeOfSomebodyElseIsNoLoss(t *testing.T) {
	t.Parallel()
	s := newShop(t, waits)
	s.add(`{"title":"a"}`)
	end := s.starts(t.Context())
	<-s.ran
	s.call("bob", "task_approve", `{"task":"t1"}`)
	s.call("bob", "task_add", `{"title":"b","blockedBy":["t1"],"priority":"low"}`)
	s.goesOn()
	if got := <-s.ran; got != "started" { // the second task, which waited for the first
		t.Errorf("it printed %q", got)
	}
	s.goesOn()
	end()
	s.is("t1 done; t2 done", "t1 done medium a; t2 done low b")
}

func TestAWorkerThatIsToldToStop(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"at once":  `echo started; exec tail -f /dev/null`,
		"well":     `trap 'exit 0' TERM; mkfifo go; echo started; read -r x <go`,
		"never":    `trap '' TERM; echo started; exec tail -f /dev/null`,
		"children": `trap '' TERM; tail -f /dev/null & echo started; wait`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, command)
			s.add(`{"title":"a"}`)
			ctx, stop := context.WithCancel(t.Context())
			end := s.starts(ctx)
			<-s.ran
			stop()
			end()
			s.is("t1 release", "t1 todo medium a")
			if file := s.file("tasks/t1.md"); strings.Contains(file, "lease") || strings.Contains(file, "owner") || strings.Contains(file, "note") {
				t.Errorf("it left\n%s", file)
			}
		})
	}
}

// The lease is renewed as long as the command runs, and by nothing else.
func TestALeaseIsRenewedWhileTheCommandRuns(t *testing.T) {
	t.Parallel()
	s := newShop(t, waits)
	s.cfg.Lease = 1500 * time.Millisecond
	s.add(`{"title":"a"}`)
	_, from, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	feed, err := s.Feed(from)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := feed.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	end := s.starts(t.Context())
	<-s.ran
	said, until := []string{}, ""
	for m, err := range moves {
		task, taskErr := m.Book.Task("t1")
		if err != nil || taskErr != nil {
			t.Fatal(err, taskErr)
		}
		said = append(said, m.What)
		if task.Lease.Until <= until {
			t.Errorf("the lease went from %s to %s", until, task.Lease.Until)
		}
		if until = task.Lease.Until; len(said) == 4 {
			break
		}
	}
	s.goesOn()
	end()
	s.is("t1 done", "t1 done medium a")
	if got, want := strings.Join(said, ", "), "t1 claim: a, t1 set lease: a, t1 set lease: a, t1 set lease: a"; got != want {
		t.Errorf("the history is %q, want %q", got, want)
	}
}

// A worker waits for what is being done elsewhere, and for the end of a claim that
// nothing tells of.
func TestAWorkerWaitsForWhatMayBecomeReady(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	s.add(`{"title":"a"}`, `{"title":"b","blockedBy":["t1"]}`)
	s.call("bob", "task_claim", `{"task":"t1"}`)
	end := s.starts(t.Context())
	s.call("bob", "task_set", `{"task":"t1","status":"done"}`)
	end()
	s.is("t2 done", "t1 done medium a; t2 done medium b")

	s.add(`{"title":"c"}`)
	s.call("bob", "task_claim", `{"task":"t3","leaseFor":"300ms"}`)
	s.add(`{"title":"d","blockedBy":["t3"]}`)
	s.work()
	s.is("t2 done; t3 done; t4 done", "t1 done medium a; t2 done medium b; t3 done medium c; t4 done medium d")
}

// What nobody does is not waited for, nor is what is another's.
func TestUntilEmptyEndsWhereNothingMoves(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	s.add(`{"title":"a"}`, `{"title":"b","blockedBy":["t1"]}`, `{"title":"c","owner":"bob"}`)
	s.call("bob", "task_set", `{"task":"t1","status":"blocked"}`)
	s.work()
	s.is("", "t1 blocked medium a; t2 todo medium b; t3 todo medium c")
}
