package tools_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
)

// author is a person at an editor.
type author struct {
	t      *testing.T
	s      *tools.Store
	caller tools.Caller
	file   records.File
	at     repo.ID
}

func newAuthor(t *testing.T, s *tools.Store, by, id string) *author {
	t.Helper()
	return newAuthorIn(t, s, tools.Who{Person: by}, id)
}

func newAuthorIn(t *testing.T, s *tools.Store, who tools.Who, id string) *author {
	t.Helper()
	c, err := s.Caller(who)
	if err != nil {
		t.Fatal(err)
	}
	file, at, err := s.File(id)
	if err != nil || file.Path == "" {
		t.Fatalf("the file of %s is %q: %v", id, file.Path, err)
	}
	return &author{t, s, c, file, at}
}

// hands replaces words of the file that the author was given, and hands it in.
func (a *author) hands(words ...string) (tools.Landed, error) {
	file := records.File{Path: a.file.Path, Data: []byte(strings.NewReplacer(words...).Replace(string(a.file.Data)))}
	return a.s.Revise(a.t.Context(), a.caller, a.at, file)
}

func (a *author) refused(code tools.Code, want string, words ...string) {
	a.t.Helper()
	tip := repotest.Git(a.t, a.s.Dir(), "rev-parse", "main")
	_, err := a.hands(words...)
	if e := tools.AsError(err); err == nil || e.Code != code || !strings.Contains(e.Message, want) {
		a.t.Errorf("the file was refused with %v, want %s: %s", err, code, want)
	}
	if now := repotest.Git(a.t, a.s.Dir(), "rev-parse", "main"); now != tip {
		a.t.Errorf("a file that was refused moved the branch")
	}
}

func TestReviseIsJudgedAsAPush(t *testing.T) {
	t.Parallel()
	s, _ := newLanding(t)
	a := newAuthor(t, s, "bob", "t1")
	a.refused(tools.Invalid, "tasks/t1.md:4: status must be todo, ", "status: todo", "status: soon")
	a.refused(tools.Invalid, `mend: title: "A: b"`, `title: A`, `title: A: b`)
	a.refused(tools.Invalid, "task_approve", "status: todo", "status: todo\napproved:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob")
	a.refused(tools.Invalid, "tasks/t1.md:", "id: t1", "id: t2")
	a.file.Path = "tasks/t2.md"
	a.refused(tools.Invalid, "tasks/t2.md is no file of a record at commit ")
	a.file.Path = ".git-tasks/allowed_signers"
	a.refused(tools.Invalid, "is no file of a record")
	if landed, err := newAuthor(t, s, "bob", "t1").hands(); err != nil || !landed.Commit.IsZero() {
		t.Errorf("a file that is as it was made commit %s: %v", landed.Commit, err)
	}
}

// TestReviseNeverOverwrites: what came meanwhile stays, and of a field that both
// changed it is said what gave way.
func TestReviseNeverOverwrites(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	a := newAuthor(t, s, "bob", "t1")
	call(t, s, "ana", "task_set", `{"task":"t1","title":"B","note":"of ana","priority":"low"}`)
	p.commit("mia", "tasks/new.md", "---\ntitle: By hand\n---\n") // and nobody has given it an id yet
	repotest.Git(t, p.clone, "pull", "-q", "--rebase")
	repotest.Git(t, p.dir, "fetch", "-q", p.clone, "HEAD:refs/heads/main")
	landed, err := a.hands("title: A", "title: C", "status: todo", "status: doing")
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(landed.Said, "\n"); said != `tasks/t1.md: title "B" of the branch gave way to "C"` {
		t.Errorf("the author is told %q", said)
	}
	file := p.file("tasks/t1.md")
	for _, want := range []string{"title: C", "status: doing", "note: of ana", "priority: low", "started:", "by: bob"} {
		if !strings.Contains(file, want) {
			t.Errorf("the file has no %q:\n%s", want, file)
		}
	}
	if log := p.log("%an:%s"); !strings.HasPrefix(log, "bob:t1 doing: C\nmia:t2 id: By hand\nmia:by hand\nana:t1 set") {
		t.Errorf("the history is\n%s", log)
	}
}

// TestReviseOfWhatIsGone: as with a push, a change of a record that was removed
// meanwhile brings it back.
func TestReviseOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	a := newAuthor(t, s, "bob", "t1")
	repotest.Git(t, p.clone, "pull", "-q")
	p.commit("ana", "tasks/t1.md", "")
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if _, err := a.hands("title: A", "title: C"); err != nil {
		t.Fatal(err)
	}
	if file := p.file("tasks/t1.md"); !strings.Contains(file, "title: C") || !strings.Contains(file, "created:") {
		t.Errorf("the file is\n%s", file)
	}
	again := newAuthor(t, s, "bob", "t1")
	repotest.Git(t, p.dir, "update-ref", "refs/heads/main", repotest.Git(t, p.dir, "rev-parse", "main~2"))
	again.refused(tools.Conflict, "which the list has no more: its history was rewritten", "title: C", "title: D")
}

// TestReviseAtOnce: of authors who write at the same time none loses a line.
func TestReviseAtOnce(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	var all sync.WaitGroup
	for n := range 8 {
		a := newAuthor(t, s, fmt.Sprint("author", n), "t1")
		all.Go(func() {
			if _, err := a.hands("labels: []", fmt.Sprintf("labels: []\nx-%d: %d", n, n)); err != nil {
				t.Errorf("author %d: %v", n, err)
			}
		})
	}
	all.Wait()
	file := p.file("tasks/t1.md")
	for n := range 8 {
		if !strings.Contains(file, fmt.Sprintf("x-%d: %d\n", n, n)) {
			t.Errorf("what author %d wrote is lost:\n%s", n, file)
		}
	}
}

// TestReviseOfAClaim: a task under a claim is its holder's to write, be that a person or
// a session; what moves it is stamped as theirs.
func TestReviseOfAClaim(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	call(t, s, "ana", "task_add", `{"title":"B"}`)
	call(t, s, "ana", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
	pilot := tools.Who{Person: "pilot", Session: "one"}
	c, err := s.Caller(pilot)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Call(t.Context(), s, c, "task_claim", []byte(`{"task":"t2","leaseFor":"30m"}`)); err != nil {
		t.Fatal(err)
	}
	newAuthor(t, s, "bob", "t1").refused(tools.Held, "only its holder may change or remove it", "title: A", "title: C")
	newAuthor(t, s, "pilot", "t2").refused(tools.Held, "only its holder may change or remove it", "title: B", "title: C")
	if _, err := newAuthor(t, s, "ana", "t1").hands("title: A", "title: C"); err != nil {
		t.Error(err)
	}
	if _, err := newAuthorIn(t, s, pilot, "t2").hands("status: doing", "status: review"); err != nil {
		t.Error(err)
	}
	file := p.file("tasks/t2.md")
	if _, finished, ok := strings.Cut(file, "finished:"); !ok || !strings.Contains(finished, "in: ahp-session:/one") || strings.Contains(file, "lease:") {
		t.Errorf("the file is\n%s", file)
	}
}
