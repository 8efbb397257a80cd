package tools_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// caseList is a list with one task, of the settings given, and a clone of it.
func caseList(t *testing.T, st *tools.Settings) (*tools.Store, *pusher) {
	t.Helper()
	s := toolstest.Open(t, tools.Config{Path: repotest.New(t), Settings: st})
	call(t, s, "ana", "task_add", `{"title":"A"}`)
	call(t, s, "ana", "plan_create", `{"title":"P","scope":{"kind":"folder","folder":"/srv"}}`)
	return s, newPusher(t, s.Dir())
}

// edit commits a file of the branch with a text put in place of another.
func (p *pusher) edit(by, file, old, text string) {
	p.t.Helper()
	was := repotest.Git(p.t, p.clone, "show", "HEAD:"+file) + "\n"
	now := strings.Replace(was, old, text, 1)
	if now == was {
		p.t.Fatalf("%s holds no %q", file, old)
	}
	p.commit(by, file, now)
}

// TestCase56To64ByPush: nobody approves or reviews by a push, whatever the
// directory says of who pushes.
func TestCase56To64ByPush(t *testing.T) {
	t.Parallel()
	directory := &tools.Settings{Users: []tools.User{{ID: "bob", Roles: []string{"admin"}}},
		Roles: map[string][]string{"admin": {"*"}}}
	stamp := func(key, more string) string {
		return key + ":\n  at: 2026-10-18T10:01:00.000Z\n  by: bob\n" + more + "created:"
	}
	for name, c := range map[string]struct{ file, put, want string }{
		"56 to 58, 60 approved": {"tasks/t1.md", stamp("approved", ""), "approved is a stamp, and stamps are the host's: task_approve writes it\n    mend: take approved out"},
		"61 plan approved":      {"plans/p1.md", stamp("approved", ""), "approved is a stamp, and stamps are the host's: plan_approve writes it"},
		"62 reviewed":           {"tasks/t1.md", stamp("reviewed", ""), "reviewed is a stamp, and stamps are the host's: task_review writes it"},
		"63 changes wanted":     {"tasks/t1.md", stamp("reviewed", "  verdict: changes\n"), "task_review writes it"},
		"64 verdict ok":         {"tasks/t1.md", stamp("reviewed", "  verdict: ok\n"), "verdict must be approved or changes."},
	} {
		for _, st := range []*tools.Settings{nil, directory} {
			s, p := caseList(t, st)
			p.edit("bob", c.file, "created:", c.put)
			l := p.landing(toMain)
			if st != nil {
				l.Pusher = "bob"
			}
			if err := s.Judge(l); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			if _, err := s.Land(t.Context(), l); err == nil {
				t.Errorf("%s landed", name)
			}
		}
	}
}

// TestCase65To67ByPush: where tasks are begun only once they are approved, a push
// begins none either.
func TestCase65To67ByPush(t *testing.T) {
	t.Parallel()
	s, p := caseList(t, &tools.Settings{Options: tools.Options{RequireApproval: true}})
	call(t, s, "ana", "plan_approve", `{"plan":"p1"}`)
	p.edit("ana", "tasks/t1.md", "status: todo", "status: doing")
	const want = "status must not be doing until the task is approved (see task_approve).\n    mend: status: todo"
	if _, err := p.land(s, toFor); err == nil || !strings.Contains(err.Error(), "tasks/t1.md:4: "+want) {
		t.Errorf("not approved: %v", err)
	}
	repotest.Git(t, p.clone, "reset", "-q", "--hard", "HEAD~1")
	p.commit("ana", "tasks/new.md", "---\ntitle: New\nstatus: doing\n---\n")
	if _, err := p.land(s, toFor); err == nil || !strings.Contains(err.Error(), "tasks/new.md:3: "+want) {
		t.Errorf("a new one: %v", err)
	}
	repotest.Git(t, p.clone, "reset", "-q", "--hard", "HEAD~1")
	call(t, s, "bob", "task_approve", `{"task":"t1"}`)
	repotest.Git(t, p.clone, "pull", "-q")
	p.edit("ana", "tasks/t1.md", "status: todo", "status: doing")
	if _, err := p.land(s, toMain); err != nil {
		t.Errorf("approved: %v", err)
	}
	call(t, s, "ana", "task_add", `{"title":"B"}`)
	repotest.Git(t, p.clone, "pull", "-q")
	p.edit("ana", "tasks/t2.md", "status: todo", "status: done")
	if _, err := p.land(s, toMain); err != nil {
		t.Errorf("done without approval: %v", err)
	}
}

// TestCase68To70ByPush: a push is in no session, and where its commit names nobody
// it is the host's.
func TestCase68To70ByPush(t *testing.T) {
	t.Parallel()
	s, p := caseList(t, nil)
	if err := s.ReportSession(t.Context(), tools.Session{Session: "one", Owner: "user:bob"}); err != nil {
		t.Fatal(err)
	}
	p.edit("ana", "tasks/t1.md", "status: todo", "session: ahp-session:/one\nstatus: doing")
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if got := p.file("tasks/t1.md"); !strings.Contains(got, "  by: ana\n---") || strings.Contains(got, "in: ") {
		t.Errorf("the task is\n%s", got)
	}
	repotest.Git(t, p.clone, "pull", "-q")
	p.edit("ana", "tasks/t1.md", "status: doing", "status: done")
	tree := repotest.Git(t, p.clone, "rev-parse", "HEAD^{tree}")
	text := "tree " + tree + "\nparent " + repotest.Git(t, p.clone, "rev-parse", "HEAD~1") +
		"\nauthor  <> 1792317600 +0000\ncommitter  <> 1792317600 +0000\n\nby nobody\n"
	id, err := repotest.TryGit(t, p.clone, text, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, p.clone, "reset", "-q", "--hard", id)
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if got := p.file("tasks/t1.md"); !strings.Contains(got, "finished:") || !strings.Contains(got, "  by: host") {
		t.Errorf("moved by nobody, the task is\n%s", got)
	}
}

// TestA7FilesOfOtherTools pushes files that other tools and people wrote: each that
// cannot be read is refused with all that is wrong with it, each that can lands,
// and neither stops the other.
func TestA7FilesOfOtherTools(t *testing.T) {
	t.Parallel()
	s, p := caseList(t, nil)
	entries, err := os.ReadDir("../records/testdata")
	if err != nil {
		t.Fatal(err)
	}
	landed, refused := 0, 0
	for _, e := range entries {
		data, err := os.ReadFile("../records/testdata/" + e.Name())
		if err != nil || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		path := "tasks/" + e.Name()
		if number, _, _ := strings.Cut(e.Name(), "-"); number >= "40" { // our own, which have ids
			path = records.PathOf("t" + number)
		}
		repotest.Git(t, p.clone, "fetch", "-q")
		repotest.Git(t, p.clone, "reset", "-q", "--hard", "origin/main")
		p.commit("ana", path, string(data))
		_, err = p.land(s, toMain)
		faults := records.Parse(path, data).Faults
		for _, f := range faults {
			if err == nil || !strings.Contains(err.Error(), f.Explain()) {
				t.Errorf("%s is wrong, and the push said %v: %s", path, err, f.Explain())
			}
		}
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), path+":") {
				t.Errorf("%s is refused without its place: %v", path, err)
			}
			continue
		}
		landed++
		if book, _, err := s.Book(); err != nil || len(book.Faults())+len(book.Drafts()) > 0 {
			t.Errorf("after %s the list has %v, %v, %v", path, book.Faults(), book.Drafts(), err)
		}
	}
	if landed < 3 || refused < 5 {
		t.Errorf("%d landed, %d were refused", landed, refused)
	}
}

// TestP21BorrowedName: a commit that says it is the host's is followed up like any
// other, and its stamps are refused like anybody's.
func TestP21BorrowedName(t *testing.T) {
	t.Parallel()
	s, p := caseList(t, nil)
	forge := func(file, old, text string) {
		p.edit("bob", file, old, text)
		repotest.Git(t, p.clone, "-c", "user.name=git-tasks", "-c", "user.email=git-tasks@localhost", "commit", "-q", "--amend",
			"-m", "t1 doing: A\n\nTool: task_set")
	}
	forge("tasks/t1.md", "status: todo", "status: doing")
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix\n---\n")
	forge("plans/p1.md", "status: draft", "status: active")
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if got := p.file("tasks/t1.md"); !strings.Contains(got, "started:") || !strings.Contains(got, "by: bob") {
		t.Errorf("the task that was moved is\n%s", got)
	}
	if got := p.file("tasks/t2.md"); !strings.Contains(got, "title: Fix") {
		t.Errorf("the draft is\n%s", got)
	}
	repotest.Git(t, p.clone, "pull", "-q")
	forge("tasks/t1.md", "created:", "approved:\n  at: 2026-10-18T10:01:00.000Z\n  by: bob\ncreated:")
	for _, ref := range []string{toMain, toFor} {
		if _, err := p.land(s, ref); err == nil || !strings.Contains(err.Error(), "task_approve writes it") {
			t.Errorf("a stamp in a commit of the host's name, to %s: %v", ref, err)
		}
	}
}
