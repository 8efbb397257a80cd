package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// newProven is a list that has a key.
func newProven(t *testing.T) *checked {
	t.Helper()
	c := newChecked(t)
	c.enroll()
	return c
}

func (c *checked) enroll() {
	c.Helper()
	if _, err := c.store.Enroll(c.Context()); err != nil {
		c.Fatal(err)
	}
}

// reopen is what a process that starts now sees.
func (c *checked) reopen() {
	c.Helper()
	s, err := tools.Open(tools.Config{Path: c.dir, Now: c.store.Now})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { s.Close() })
	c.store = s
}

// verified holds git itself to what it says of a commit's signature.
func (c *checked) verified(commit string) bool {
	c.Helper()
	signers := filepath.Join(c.TempDir(), "allowed_signers")
	if err := os.WriteFile(signers, []byte(c.file(".git-tasks/allowed_signers")), 0o600); err != nil {
		c.Fatal(err)
	}
	_, err := repotest.TryGit(c, c.dir, "", "-c", "gpg.ssh.allowedSignersFile="+signers, "verify-commit", commit)
	return err == nil
}

// TestEnroll: a list gets a key and one commit that names it, and git itself finds
// the signatures good.
func TestEnroll(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	done, err := c.store.Enroll(t.Context())
	if err != nil || !done {
		t.Fatal(done, err)
	}
	const want = "git-tasks <git-tasks@localhost>|git-tasks <git-tasks@localhost>|key add: git-tasks@localhost|init"
	if got := repotest.Git(t, c.dir, "log", "--format=%an <%ae>|%cn <%ce>|%s|%(trailers:key=Tool,valueonly,separator=)", "main"); got != want {
		t.Errorf("the branch has\n%s\nwant\n%s", got, want)
	}
	if got := repotest.Git(t, c.dir, "ls-tree", "-r", "--name-only", "main"); got != ".git-tasks/allowed_signers" {
		t.Errorf("its tree is %s", got)
	}
	if line := c.file(".git-tasks/allowed_signers"); !strings.HasPrefix(line, "git-tasks@localhost ssh-ed25519 ") || strings.Count(line, "\n") != 1 {
		t.Errorf("the list of keys is %q", line)
	}
	if info, err := os.Stat(filepath.Join(c.dir, "git-tasks", "key")); err != nil || info.Mode() != 0o600 {
		t.Errorf("the key is %v, %v", info.Mode(), err)
	}
	c.call("ana", "task_add", `{"title":"A"}`)
	for _, commit := range []string{"main", "main~1"} {
		if !c.verified(commit) {
			t.Errorf("git does not verify %s", commit)
		}
	}
	before := repotest.Git(t, c.dir, "rev-parse", "main")
	c.reopen()
	if done, err := c.store.Enroll(t.Context()); err != nil || done {
		t.Error("a second time:", done, err)
	}
	if repotest.Git(t, c.dir, "rev-parse", "main") != before {
		t.Error("a second time made a commit")
	}
	c.check(nil, nil)
}

// TestEnrollAtOnce: however many processes begin together, there is one key, one
// line, one commit.
func TestEnrollAtOnce(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	var all sync.WaitGroup
	for range 8 {
		s := toolstest.Open(t, tools.Config{Path: dir})
		all.Go(func() {
			if _, err := s.Enroll(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := repotest.Git(t, dir, "rev-list", "--count", "main"); n != "1" {
		t.Errorf("%s commits", n)
	}
	if list := repotest.Git(t, dir, "show", "main:.git-tasks/allowed_signers"); strings.Count(list, "ssh-ed25519") != 1 {
		t.Errorf("the list of keys is %s", list)
	}
}

// TestEnrollAnOldList: what was written before there was a key stands as it is, and
// what others put on top gets its follow-up first.
func TestEnrollAnOldList(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"A"}`)
	c.call("bob", "task_approve", `{"task":"t1"}`)
	c.put("mia", "tasks/b.md", "---\ntitle: B\nstatus: todo\n---\n")
	c.reopen()
	c.enroll()
	if got := repotest.Git(t, c.dir, "log", "--format=%s", "main"); got !=
		"key add: git-tasks@localhost\nt2 id: B\nby hand\nt1 approved: A\nt1 add: A" {
		t.Errorf("the branch has\n%s", got)
	}
	c.reopen()
	if got := c.call("ana", "task_list", `{"approved":true}`); got != "t1 todo medium A" {
		t.Errorf("approved: %q", got)
	}
	c.check(nil, nil)
}

// TestP32FreshCloneIsABackup: a clone that becomes a host has a key of its own, and
// the old history is proven as before.
func TestP32FreshCloneIsABackup(t *testing.T) {
	t.Parallel()
	c := newProven(t)
	c.call("ana", "task_add", `{"title":"A"}`)
	c.call("bob", "task_approve", `{"task":"t1"}`)
	c.put("mia", "tasks/b.md", "---\ntitle: B\nstatus: todo\n---\n")
	c.call("ana", "task_set", `{"task":"t1","note":"Seen"}`)
	old := c.file(".git-tasks/allowed_signers")
	copied := filepath.Join(t.TempDir(), "clone.git")
	repotest.Git(t, t.TempDir(), "clone", "-q", "--bare", c.dir, copied)
	repotest.Fsck(t, copied)
	c.dir = copied
	c.reopen()
	c.enroll()
	list := c.file(".git-tasks/allowed_signers")
	if own, ok := strings.CutPrefix(list, old); !ok || strings.Count(own, "\n") != 1 {
		t.Errorf("the list of keys is\n%s", list)
	}
	c.call("ana", "task_set", `{"task":"t1","status":"doing"}`)
	c.reopen()
	if got := c.call("ana", "task_list", `{"approved":true}`); got != "t1 doing medium A" {
		t.Errorf("approved: %q", got)
	}
	c.check(nil, nil)
	for _, commit := range []string{"main~1", "main~2", "main~3"} {
		if strings.HasPrefix(repotest.Git(t, c.dir, "log", "-1", "--format=%cn", commit), "git-tasks") && !c.verified(commit) {
			t.Errorf("git does not verify %s", commit)
		}
	}
}

// TestAKeyListOfAnother: a line that somebody adds to the list is not believed, not
// even after the door wrote on top, and the door takes it out.
func TestAKeyListOfAnother(t *testing.T) {
	t.Parallel()
	c := newProven(t)
	c.call("ana", "task_add", `{"title":"A"}`)
	list := c.file(".git-tasks/allowed_signers")
	for _, forged := range []string{list + "git-tasks@localhost " + toolstest.NewKey(t).Public + "\n", "git-tasks@localhost " + toolstest.NewKey(t).Public + "\n", ""} {
		c.put("eve", ".git-tasks/allowed_signers", forged)
		c.reopen()
		c.call("ana", "task_add", `{"title":"B"}`)
		if got := c.file(".git-tasks/allowed_signers"); got != list {
			t.Errorf("the list of keys is %q", got)
		}
		if got := repotest.Git(t, c.dir, "log", "-1", "--format=%an %s", "main~1"); got != "git-tasks keys put back" {
			t.Errorf("before the change came %q", got)
		}
	}
}

// TestABranchThatIsGone: a list whose branch was renamed or removed is no empty
// list. Nothing is read of it or written to it until the branch is back; another
// list in the same repository may begin.
func TestABranchThatIsGone(t *testing.T) {
	t.Parallel()
	c := newProven(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	was := repotest.Git(t, c.dir, "rev-parse", "main")
	for _, away := range [][]string{{"branch", "-m", "main", "old"}, {"update-ref", "-d", mainRef}} {
		repotest.Git(t, c.dir, away...)
		c.reopen()
		_, _, reading := c.store.Book()
		_, checking := c.store.Check(t.Context())
		_, examining := c.store.Examine()
		caller := c.store.HostCaller()
		_, writing := tools.Call(t.Context(), c.store, caller, "task_add", []byte(`{"title":"b"}`))
		_, enrolling := c.store.Enroll(t.Context())
		mending := c.store.Mend(t.Context())
		_, looking := c.store.History("t1")
		for what, err := range map[string]error{"reading": reading, "checking": checking, "examining": examining, "writing": writing,
			"enrolling": enrolling, "mending": mending, "looking": looking} {
			if err == nil || !strings.Contains(err.Error(), "refs/heads/main is gone") || !strings.Contains(err.Error(), "--contains") {
				t.Errorf("%s after git %q: %v", what, away, err)
			}
		}
		repotest.Git(t, c.dir, "branch", "-f", "main", was)
		c.reopen()
		if got := c.call("ana", "task_list", `{}`); got != "t1 todo medium a" {
			t.Errorf("with the branch back: %s", got)
		}
	}
	beside := toolstest.Open(t, tools.Config{Path: c.dir, Branch: "second"})
	if _, err := beside.Enroll(t.Context()); err != nil {
		t.Fatal(err)
	}
	call(t, beside, "ana", "task_add", `{"title":"another list"}`)
	second := repotest.Git(t, c.dir, "rev-parse", "second")
	repotest.Git(t, c.dir, "update-ref", "-d", "refs/heads/second")
	if _, err := beside.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "refs/heads/second is gone") {
		t.Errorf("the second list gone: %v", err)
	}
	repotest.Git(t, c.dir, "branch", "second", second)
}

// TestSignedSinceOfAnOlderVersion: a line without a ref is the branch's.
func TestSignedSinceOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	c := newProven(t)
	file := filepath.Join(c.dir, "git-tasks", "signed-since")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	commit, ref, ok := strings.Cut(string(data), " ")
	if !ok || ref != mainRef+"\n" {
		t.Fatalf("signed-since says %q", data)
	}
	if err := os.WriteFile(file, []byte(commit+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, c.dir, "update-ref", "-d", mainRef)
	if _, _, err := c.store.Book(); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("reading: %v", err)
	}
	repotest.Git(t, c.dir, "update-ref", mainRef, commit)
}
