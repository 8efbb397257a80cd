package tools_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// stepVariable turns this test program into a process that does one thing to a
// list and kills itself before a file call of it: the repository, the ref and the
// commit of a push ("" to give the list its key), and which call, a line each.
const stepVariable = "GIT_TASKS_TEST_STEP"

// step is one thing that is done to a list, to be disturbed.
type step struct {
	name string
	make func(t *testing.T) (dir string, l tools.Landing) // the list, and what a push brought to it
	ref  string                                           // it is pushed to; "" to give the list its key
}

// steps are the ways in which a push lands, those that write no object of their
// own among them, and how a list gets its key.
var steps = []step{
	{"the first push", func(t *testing.T) (string, tools.Landing) {
		p := newPusher(t, repotest.New(t))
		p.commit("bob", "tasks/t1.md", taskFile("t1", "One", ""))
		return p.dir, p.landing(toMain)
	}, toMain},
	{"a push that needs nothing", func(t *testing.T) (string, tools.Landing) {
		p := keyed(t)
		p.commit("bob", "tasks/t1.md", strings.Replace(p.file("tasks/t1.md")+"\n", "title: A", "title: B", 1))
		return p.dir, p.landing(toMain)
	}, toMain},
	{"a push that is followed", func(t *testing.T) (string, tools.Landing) {
		p := keyed(t)
		p.draftAndMove()
		return p.dir, p.landing(toMain)
	}, toMain},
	{"a push on what others left", func(t *testing.T) (string, tools.Landing) {
		p := keyed(t)
		repotest.Foreign(t, p.dir, toMain, "cleo", "by plumbing", repo.File{Path: "tasks/one.md", Data: []byte("---\ntitle: One\n---\n")})
		repotest.Git(t, p.clone, "pull", "-q")
		p.draftAndMove()
		return p.dir, p.landing(toMain)
	}, toMain},
	{"a push that is merged", func(t *testing.T) (string, tools.Landing) {
		p := keyed(t)
		s := toolstest.Again(t, tools.Config{Path: p.dir, Now: toolstest.NewClock().Now})
		call(t, s, "ana", "task_set", `{"task":"t1","title":"Ana's"}`)
		p.draftAndMove()
		return p.dir, p.landing(toFor)
	}, toFor},
	{"a key", func(t *testing.T) (string, tools.Landing) {
		return newPusher(t, listOfOne(t, false)).dir, tools.Landing{}
	}, ""},
}

// listOfOne is a list of one task, with a key or without.
func listOfOne(t *testing.T, key bool) string {
	t.Helper()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: toolstest.NewClock().Now})
	if key {
		if _, err := s.Enroll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	call(t, s, "ana", "task_add", `{"title":"A"}`)
	return s.Dir()
}

func keyed(t *testing.T) *pusher { return newPusher(t, listOfOne(t, true)) }

// draftAndMove commits what needs an id and what needs a stamp.
func (p *pusher) draftAndMove() {
	p.t.Helper()
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix\nblockedBy: [t1]\n---\n", "tasks/t1.md",
		strings.Replace(repotest.Git(p.t, p.clone, "show", "HEAD:tasks/t1.md")+"\n", "status: todo", "status: doing", 1))
}

// takeStep does it, once.
func takeStep(ctx context.Context, dir string, l tools.Landing, fault func(op, path string) error) error {
	s, err := tools.Open(tools.Config{Path: dir, Now: toolstest.NewClock().Now, Fault: fault})
	if err != nil {
		return err
	}
	defer s.Close()
	if l.Ref == "" {
		_, err = s.Enroll(ctx)
	} else {
		_, err = s.Land(ctx, l)
	}
	return err
}

// killedStep is takeStep in a process that kills itself.
func killedStep(job string) error {
	lines := strings.Split(job, "\n")
	l := tools.Landing{Ref: lines[1]}
	last := 0
	_, err := fmt.Sscan(lines[3], &last)
	if err == nil {
		l.New, err = repo.ParseID(lines[2])
	}
	if err != nil {
		return err
	}
	calls := 0
	err = takeStep(context.Background(), lines[0], l, func(string, string) error {
		if calls++; calls == last {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	})
	if err == nil {
		fmt.Println("answered")
	}
	return err
}

// stepped is a step on its way through all of its file calls.
type stepped struct {
	step
	from          string // the list before it
	l             tools.Landing
	before, after string // what the list says, as told gives it
}

// told is all that there is to a list: its commits with their authors and trees,
// and how many keys it names.
func told(t *testing.T, dir string, trees bool) string {
	t.Helper()
	format := "%an|%s|%P"
	if trees {
		format = "%an|%s|%T"
	}
	out, err := repotest.TryGit(t, dir, "", "log", "--topo-order", "--format="+format, "main")
	if err != nil {
		out = "no branch"
	}
	keys, _ := repotest.TryGit(t, dir, "", "show", "main:.git-tasks/allowed_signers")
	return fmt.Sprintf("%s\n%d keys", out, strings.Count(keys, "ssh-ed25519"))
}

func copyList(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.git")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// eachStep makes every step once, and has each of its calls disturbed by play,
// until play says that none was. play does the step in dir and says whether it was
// answered for.
func eachStep(t *testing.T, play func(t *testing.T, s *stepped, dir string, n int) (answered, disturbed bool)) {
	for _, one := range steps {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			s := &stepped{step: one}
			s.from, s.l = one.make(t)
			undisturbed := copyList(t, s.from)
			if err := takeStep(t.Context(), undisturbed, s.l, nil); err != nil {
				t.Fatal(err)
			}
			s.before, s.after = s.told(t, s.from), s.told(t, undisturbed)
			if s.before == s.after {
				t.Fatalf("it does nothing to\n%s", s.before)
			}
			for n, disturbed := 1, true; disturbed; n++ {
				dir := copyList(t, s.from)
				var answered bool
				answered, disturbed = play(t, s, dir, n)
				s.judge(t, dir, n, answered)
				if n > 200 {
					t.Fatal("there is no end of calls")
				}
			}
		})
	}
}

func (s *stepped) told(t *testing.T, dir string) string {
	t.Helper()
	return told(t, dir, s.ref != "") // a new key is another each time
}

// judge holds the list to it: what was answered for is there, and what was not is
// there whole or not at all; nothing is wrong with it; done again, it is there.
func (s *stepped) judge(t *testing.T, dir string, n int, answered bool) {
	t.Helper()
	switch is := s.told(t, dir); {
	case is != s.before && is != s.after && s.ref != "":
		t.Fatalf("call %d: the list is\n%s\nwant\n%s\nor\n%s", n, is, s.before, s.after)
	case answered && is == s.before:
		t.Fatalf("call %d: it was answered for and is not there", n)
	}
	s.sound(t, dir, n)
	if err := takeStep(t.Context(), dir, s.l, nil); err != nil {
		t.Fatalf("call %d: once more: %v", n, err)
	}
	is := s.told(t, dir)
	if s.ref != "" && is != s.after || s.ref == "" && strings.Count(is, "key add") != 1 || !strings.HasSuffix(is, s.after[strings.LastIndex(s.after, "\n"):]) {
		t.Fatalf("call %d: once more, the list is\n%s\nwant\n%s", n, is, s.after)
	}
	if full || n%4 == 0 {
		s.sound(t, dir, n)
	}
}

// sound has the list checked.
func (s *stepped) sound(t *testing.T, dir string, n int) {
	t.Helper()
	store, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		t.Fatalf("call %d: %v", n, err)
	}
	defer store.Close()
	report, err := store.Check(t.Context())
	if err != nil || len(report.Problems)+len(report.Proof.Unproven) > 0 {
		t.Fatalf("call %d: check says %q, %q, %v", n, report.Problems, report.Proof.Unproven, err)
	}
}

// TestP2KilledLandingAtEveryStep kills a process before every file call by which a
// push lands or a list gets its key.
func TestP2KilledLandingAtEveryStep(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	eachStep(t, func(t *testing.T, s *stepped, dir string, n int) (answered, disturbed bool) {
		job := fmt.Sprintf("%s=%s\n%s\n%s\n%d", stepVariable, dir, s.ref, s.l.New, n)
		out, err := repotest.Run(t.TempDir(), append(repotest.Env(t), job), "", program)
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() >= 0) {
			t.Fatalf("call %d: it was not killed but failed: %v", n, err)
		}
		return out == "answered", err != nil
	})
}

// TestP2FailedLandingAtEveryStep lets every file call by which a push lands or a
// list gets its key fail, by turns once or from then on. Who is told that nothing
// was written can rely on it.
func TestP2FailedLandingAtEveryStep(t *testing.T) {
	t.Parallel()
	reasons := []error{syscall.ENOSPC, syscall.EIO, syscall.EMFILE}
	eachStep(t, func(t *testing.T, s *stepped, dir string, n int) (answered, disturbed bool) {
		calls, reason, hit := 0, reasons[n%len(reasons)], ""
		err := takeStep(t.Context(), dir, s.l, func(op, path string) error {
			if calls++; calls < n || calls > n && n%2 == 0 {
				return nil
			}
			if hit == "" {
				hit = op + " " + filepath.Base(path)
			}
			return reason
		})
		if err != nil && strings.Contains(err.Error(), "nothing was written") && s.ref != "" && s.told(t, dir) != s.before {
			t.Fatalf("call %d (%s): %v, and the list is\n%s", n, hit, err, s.told(t, dir))
		}
		if err != nil && !errors.Is(err, reason) {
			t.Fatalf("call %d (%s): the reason is not given: %v", n, hit, err)
		}
		return err == nil, hit != ""
	})
}
