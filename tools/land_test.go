package tools_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// pusher is a clone of a list, whose commits reach the repository as those of a
// push do before the branch moves.
type pusher struct {
	t          *testing.T
	dir, clone string
}

func newPusher(t *testing.T, dir string) *pusher {
	p := &pusher{t, dir, filepath.Join(t.TempDir(), "clone")}
	repotest.Git(t, filepath.Dir(p.clone), "clone", "-q", dir, p.clone)
	repotest.Git(t, p.clone, "symbolic-ref", "HEAD", "refs/heads/main")
	return p
}

// commit writes files, "" removing one, and commits them as somebody.
func (p *pusher) commit(by string, files ...string) {
	p.t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(p.clone, files[i])
		if files[i+1] == "" {
			os.Remove(name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o666); err != nil {
			p.t.Fatal(err)
		}
	}
	repotest.Git(p.t, p.clone, "add", "-A")
	repotest.Git(p.t, p.clone, "-c", "user.name="+by, "commit", "-q", "--allow-empty", "--author", by+" <"+by+"@example.org>", "-m", "by hand")
}

// landing is what the clone would push to a ref.
func (p *pusher) landing(ref string) tools.Landing {
	p.t.Helper()
	id := repotest.Git(p.t, p.clone, "rev-parse", "HEAD")
	repotest.Git(p.t, p.clone, "push", "-q", "origin", "HEAD:refs/waiting/"+id)
	n, err := repo.ParseID(id)
	if err != nil {
		p.t.Fatal(err)
	}
	return tools.Landing{Ref: ref, New: n}
}

func (p *pusher) land(s *tools.Store, ref string) (tools.Landed, error) {
	p.t.Helper()
	return s.Land(p.t.Context(), p.landing(ref))
}

func (p *pusher) log(format string) string {
	p.t.Helper()
	return repotest.Git(p.t, p.dir, "log", "--topo-order", "--format="+format, "main")
}

func (p *pusher) file(name string) string {
	p.t.Helper()
	return repotest.Git(p.t, p.dir, "show", "main:"+name)
}

const (
	toMain = "refs/heads/main"
	toFor  = "refs/for/main"
)

func taskFile(id, title, more string) string {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return "---\n" + id + "title: " + title + "\nstatus: todo\n" + more + "---\n"
}

func newLanding(t *testing.T) (*tools.Store, *pusher) {
	t.Helper()
	s := toolstest.New(t)
	call(t, s, "ana", "task_add", `{"title":"A"}`)
	return s, newPusher(t, s.Dir())
}

func call(t *testing.T, s *tools.Store, by, tool, input string) {
	t.Helper()
	c, err := s.Caller(tools.Who{Person: by})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Call(t.Context(), s, c, tool, []byte(input)); err != nil {
		t.Fatal(err)
	}
}

func TestLandForward(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix\nblockedBy: [other]\n---\n", "tasks/other.md", "---\ntitle: Other\n---\n")
	p.commit("bob", "tasks/t1.md", strings.Replace(p.file("tasks/t1.md")+"\n", "status: todo", "status: doing", 1))
	l := p.landing(toMain)
	if err := s.Judge(l); err != nil {
		t.Fatal(err)
	}
	landed, err := s.Land(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.log("%an %s"), "bob t1, t2, t3 id, doing\nbob by hand\nbob by hand\nana t1 add: A"; got != want && !strings.HasPrefix(got, "bob t2, t3, t1 id, doing\n") {
		t.Errorf("the history is\n%s", got)
	}
	if got := repotest.Git(t, s.Dir(), "rev-parse", "main"); got != landed.Commit.String() {
		t.Errorf("the branch is at %s, the answer says %s", got, landed.Commit)
	}
	if got := p.file("tasks/t2.md"); !strings.Contains(got, "id: t2") || !strings.Contains(got, "blockedBy: [t3]") {
		t.Errorf("the first draft became\n%s", got)
	}
	if got := p.file("tasks/t1.md"); !strings.Contains(got, "started:") || !strings.Contains(got, "by: bob") {
		t.Errorf("the moved task is\n%s", got)
	}
	if again, err := s.Land(t.Context(), l); err != nil || again.Commit != l.New || p.log("%H") == "" {
		t.Errorf("landing it once more: %v, %v", again, err)
	}
	if got := repotest.Git(t, s.Dir(), "rev-parse", "main"); got != landed.Commit.String() {
		t.Error("a push of what is there moved the branch")
	}
}

func TestLandMerges(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	call(t, s, "ana", "task_set", `{"task":"t1","title":"B","note":"soon"}`)
	call(t, s, "ana", "task_add", `{"title":"Ana's"}`)
	p.commit("bob", "tasks/t1.md", strings.NewReplacer("title: A", "title: C", "status: todo", "status: doing").Replace(
		repotest.Git(t, p.clone, "show", "HEAD:tasks/t1.md")+"\n"),
		"tasks/t2.md", taskFile("t2", "Bob's", ""), "run.sh", "echo\n")
	if _, err := p.land(s, toMain); err == nil || !strings.Contains(err.Error(), "fetch first") || tools.AsError(err).Code != tools.Conflict {
		t.Errorf("a stale push to the branch: %v", err)
	}
	landed, err := p.land(s, toFor)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"title: C", "status: doing", "note: soon", "started:", "by: bob"} {
		if got := p.file("tasks/t1.md"); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := p.file("tasks/t2.md") + p.file("tasks/t3.md"); !strings.Contains(got, "title: Ana's") || !strings.Contains(got, "title: Bob's") {
		t.Errorf("the two tasks are\n%s", got)
	}
	merge := repotest.Git(t, s.Dir(), "log", "--merges", "-1", "--format=%an|%s|%b", "main")
	for _, want := range []string{"bob|t1 merge: C|", `tasks/t1.md: title "B" of the branch gave way to "C"`, "tasks/t2.md became tasks/t2-2.md", "Merge: pushed"} {
		if !strings.Contains(merge, want) {
			t.Errorf("no %q in the merge\n%s", want, merge)
		}
	}
	if said := strings.Join(landed.Said, "\n"); !strings.Contains(said, "t3") || !strings.Contains(said, "gave way") {
		t.Errorf("the pusher is told %q", said)
	}
}

// A clone goes on editing its draft after the draft was given an id.
func TestLandFindsTheRecordOfADraft(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix\n---\n")
	if _, err := p.land(s, toFor); err != nil {
		t.Fatal(err)
	}
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix it\n---\n", "tasks/next.md", "---\ntitle: Next\nblockedBy: [fix]\n---\n")
	if _, err := p.land(s, toFor); err != nil {
		t.Fatal(err)
	}
	if got := p.file("tasks/t2.md"); !strings.Contains(got, "title: Fix it") {
		t.Errorf("the record is\n%s", got)
	}
	if got := p.file("tasks/t3.md"); !strings.Contains(got, "blockedBy: [t2]") {
		t.Errorf("the next is\n%s", got)
	}
	if got := repotest.Git(t, s.Dir(), "ls-tree", "-r", "--name-only", "main", "tasks"); got != "tasks/t1.md\ntasks/t2.md\ntasks/t3.md" {
		t.Errorf("the tree holds %s", got)
	}
}

// TestP22 is about whom a follow-up is by: the person the transport knows, never
// the author of the commit.
func TestP22PusherIsWhoIsStamped(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	p.commit("bob", "tasks/t1.md", strings.Replace(p.file("tasks/t1.md")+"\n", "status: todo", "status: doing", 1), "tasks/fix.md", "---\ntitle: Fix\n---\n")
	l := p.landing(toMain)
	l.Pusher = "cleo"
	if _, err := s.Land(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if got := p.file("tasks/t1.md"); !strings.Contains(got, "by: cleo") || strings.Contains(got, "by: bob") {
		t.Errorf("the moved task is\n%s", got)
	}
	if got := p.file("tasks/t2.md"); !strings.Contains(got, "title: Fix\nstatus: todo\ncreated:\n  at: ") || !strings.Contains(got, "\n  by: cleo\n---") {
		t.Errorf("the draft became\n%s", got)
	}
	if got := repotest.Git(t, s.Dir(), "log", "-1", "--format=%an|%b", "main"); !strings.Contains(got, "cleo|pushed by cleo, authored as bob") {
		t.Errorf("the follow-up is %s", got)
	}
}

func TestLandRefuses(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	first := p.landing(toMain)
	call(t, s, "ana", "task_set", `{"task":"t1","title":"B"}`)
	tip, err := repo.ParseID(repotest.Git(t, s.Dir(), "rev-parse", "main"))
	if err != nil {
		t.Fatal(err)
	}
	bad, alone := newPusher(t, s.Dir()), newPusher(t, s.Dir())
	bad.commit("bob", "tasks/fix.md", "---\ntitle: a: b\n---\n", "tasks/t1.md", p.file("tasks/t1.md")+"\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n")
	repotest.Git(t, alone.clone, "checkout", "-q", "--orphan", "new")
	alone.commit("bob", "tasks/fix.md", "---\ntitle: Fix\n---\n")
	rewind := tools.Landing{Ref: toMain, Old: tip, New: first.New}
	for name, c := range map[string]struct {
		l    tools.Landing
		want string
	}{
		"a rewind":       {rewind, "the branch only goes forward"},
		"a removal":      {tools.Landing{Ref: toMain, Old: tip}, "must not be removed"},
		"another branch": {tools.Landing{Ref: "refs/heads/other", New: tip}, "takes pushes to refs/heads/main and refs/for/main alone"},
		"a tag":          {tools.Landing{Ref: "refs/tags/v1", New: tip}, "refs/tags/v1: this repository holds one list"},
		"no base":        {alone.landing(toFor), "no commit in common"},
		"a bad file":     {bad.landing(toMain), "tasks/fix.md:2: title holds a colon and a blank, which YAML takes for another key: quote it\n    mend: title: \"a: b\"\ntasks/t1.md:"},
		"a bad file for": {bad.landing(toFor), "    mend: title: \"a: b\""},
	} {
		for how, err := range map[string]error{"judging": s.Judge(c.l), "landing": second(s.Land(t.Context(), c.l))} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %s: %v, want %q", how, name, err, c.want)
			}
		}
	}
	if got := repotest.Git(t, s.Dir(), "rev-parse", "main"); got != tip.String() {
		t.Errorf("the branch moved to %s", got)
	}
}

func second[T any](_ T, err error) error { return err }

// The first push of all may make the branch.
func TestLandOnNothing(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	p := newPusher(t, s.Dir())
	p.commit("bob", "tasks/fix.md", "---\ntitle: Fix\n---\n")
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if got := p.log("%an %s"); got != "bob t1 id: Fix\nbob by hand" {
		t.Errorf("the history is %s", got)
	}
}

// What waited on the branch is followed up before a merge, and with a push that
// stands on it.
func TestLandOnForeignCommits(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	stale := newPusher(t, s.Dir())
	stale.commit("bob", "README.md", "# ours\n")
	repotest.Foreign(t, s.Dir(), toMain, "cleo", "by plumbing", repo.File{Path: "tasks/one.md", Data: []byte("---\ntitle: One\n---\n")})
	repotest.Git(t, p.clone, "pull", "-q")
	p.commit("bob", "tasks/two.md", "---\ntitle: Two\nblockedBy: [one]\n---\n")
	if _, err := p.land(s, toMain); err != nil {
		t.Fatal(err)
	}
	if got, want := p.log("%an %s"), "bob t3 id: Two\ncleo t2 id: One\nbob by hand\ncleo by plumbing\nana t1 add: A"; got != want {
		t.Errorf("the history is\n%s\nwant\n%s", got, want)
	}
	repotest.Foreign(t, s.Dir(), toMain, "cleo", "by plumbing", repo.File{Path: "tasks/four.md", Data: []byte("---\ntitle: Four\n---\n")})
	if _, err := stale.land(s, toFor); err != nil {
		t.Fatal(err)
	}
	if got, want := repotest.Git(t, s.Dir(), "log", "--first-parent", "-3", "--format=%an %s", "main"), "bob merge\ncleo t4 id: Four\ncleo by plumbing"; got != want {
		t.Errorf("the history is\n%s\nwant\n%s", got, want)
	}
}

// Pushes that come at once, with calls beside them, all land.
func TestLandBesideCallers(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	const all = 6
	var landings []tools.Landing
	for i := range all {
		name := string(rune('a' + i))
		repotest.Git(t, p.clone, "reset", "-q", "--hard", "origin/main")
		p.commit("bob", "tasks/"+name+".md", "---\ntitle: "+name+"\n---\n")
		landings = append(landings, p.landing(toFor))
	}
	done := make(chan error, 2*all)
	for i, l := range landings {
		go func() { done <- second(s.Land(t.Context(), l)) }()
		go func() {
			c, err := s.Caller(tools.Who{Person: "cleo"})
			if err == nil {
				_, err = tools.Call(t.Context(), s, c, "task_add", []byte(`{"title":"call `+string(rune('a'+i))+`"}`))
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	got := repotest.Git(t, s.Dir(), "ls-tree", "-r", "--name-only", "main", "tasks")
	if n := strings.Count(got+"\n", "\n"); n != 2*all+1 || !strings.Contains(got, "tasks/t13.md") {
		t.Errorf("the tree holds %d files\n%s", n, got)
	}
	for _, l := range landings {
		repotest.Git(t, s.Dir(), "merge-base", "--is-ancestor", l.New.String(), "main")
	}
}

// A record that the branch took out comes back by a merge as it was, stamps and
// all, and what the push moved of it is stamped.
func TestLandBringsBackWithItsStamps(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	if _, err := s.Enroll(t.Context()); err != nil {
		t.Fatal(err)
	}
	call(t, s, "cleo", "task_approve", `{"task":"t1"}`)
	repotest.Git(t, p.clone, "pull", "-q")
	p.commit("bob", "tasks/t1.md", strings.Replace(p.file("tasks/t1.md")+"\n", "status: todo", "status: done", 1))
	repotest.Foreign(t, s.Dir(), toMain, "mia", "take it out", repo.File{Path: "tasks/t1.md"})
	if _, err := p.land(s, toFor); err != nil {
		t.Fatal(err)
	}
	got := p.file("tasks/t1.md")
	for _, want := range []string{"approved:\n  at: ", "by: cleo", "finished:\n  at: ", "by: bob"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestP20DatedMove: whatever date a commit has, what it moves is stamped when the
// door saw it.
func TestP20DatedMove(t *testing.T) {
	t.Parallel()
	s, p := newLanding(t)
	for _, c := range []struct{ move, date string }{{"doing", "@0 +0000"}, {"done", "@4102444800 +0000"}} {
		move, date := c.move, c.date
		repotest.Git(t, p.clone, "pull", "-q")
		p.commit("bob", "tasks/t1.md", regexp.MustCompile("status: .*").ReplaceAllString(p.file("tasks/t1.md")+"\n", "status: "+move))
		repotest.Git(t, p.clone, "commit", "-q", "--amend", "--no-edit", "--date", date)
		if _, err := p.land(s, toMain); err != nil {
			t.Fatal(err)
		}
		task := taskOf(t, s, "t1")
		stamp := task.Started
		if move == "done" {
			stamp = task.Finished
		}
		if now := records.FormatTime(s.Now()); stamp == nil || stamp.At > now || stamp.At < task.Created.At || stamp.By != "bob" {
			t.Errorf("%s of %s is stamped %+v at %s; t1 was created %+v", move, date, stamp, now, task.Created)
		}
	}
}
