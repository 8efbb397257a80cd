package serve_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/serve"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// pushed brings a draft into the repository of a list as a push does before it
// lands.
func pushed(t *testing.T, dir string) tools.Landing {
	t.Helper()
	clone := filepath.Join(t.TempDir(), "clone")
	repotest.Git(t, filepath.Dir(clone), "clone", "-q", dir, clone)
	if err := os.MkdirAll(filepath.Join(clone, "tasks"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(clone, "tasks", "fix.md"), []byte("---\ntitle: Fix\n---\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "add", "-A")
	repotest.Git(t, clone, "commit", "-qm", "by hand")
	repotest.Git(t, clone, "push", "-q", "origin", "HEAD:refs/waiting/one")
	id, err := repo.ParseID(repotest.Git(t, clone, "rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	return tools.Landing{Ref: "refs/heads/main", New: id}
}

// TestPushThroughTheHost: the host lands a push that came by path, and tells why
// it does not land another.
func TestPushThroughTheHost(t *testing.T) {
	t.Parallel()
	r := begin(t, nil, nil)
	l := pushed(t, r.dir)
	landed, err := serve.Land(t.Context(), toolstest.Again(t, tools.Config{Path: r.dir}), "", "", l)
	if err != nil || strings.Join(landed.Said, "\n") != "t1 id: Fix" {
		t.Fatalf("the push landed with %+v, %v", landed, err)
	}
	if tip := repotest.Git(t, r.dir, "rev-parse", "main"); landed.Commit.String() != tip {
		t.Errorf("the host says %s, the branch is at %s", landed.Commit, tip)
	}
	l.Ref = "refs/tags/v1"
	if _, err := serve.Land(t.Context(), r.store, "", "", l); err == nil || tools.AsError(err).Code != tools.Invalid || !strings.Contains(err.Error(), "holds one list") {
		t.Errorf("a tag: %v", err)
	}
}

// TestPushWhoseHostDies: whatever a host had done when it died, the push is landed
// once, by it or by the process of the hook.
func TestPushWhoseHostDies(t *testing.T) {
	t.Parallel()
	var s *tools.Store
	var l tools.Landing
	for name, host := range map[string]func(net.Conn){
		"before it landed": takeCall,
		"after it landed": func(conn net.Conn) {
			takeCall(conn)
			if _, err := toolstest.Again(t, tools.Config{Path: s.Dir()}).Land(t.Context(), l); err != nil {
				t.Error(err)
			}
		},
	} {
		s = strange(t, host)
		l = pushed(t, s.Dir())
		if _, err := serve.Land(t.Context(), s, "", "", l); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := repotest.Git(t, s.Dir(), "log", "--format=%s", "main"); got != "t1 id: Fix\nby hand" {
			t.Errorf("%s: the history is\n%s", name, got)
		}
	}
}

// TestP22SecretOfNoPush: what a push says of whose it is counts with the host
// alone that took it. Without one it is refused, and so is one that was made up.
func TestP22SecretOfNoPush(t *testing.T) {
	t.Parallel()
	alone := toolstest.New(t)
	r := begin(t, nil, nil)
	for name, s := range map[string]*tools.Store{"no host": alone, "a host": r.store} {
		l := pushed(t, s.Dir())
		if _, err := serve.Land(t.Context(), s, "", "ana", l); tools.AsError(err).Code != tools.Denied {
			t.Errorf("%s lands it: %v", name, err)
		}
		if who, err := serve.Pusher(t.Context(), s, "", "ana"); err == nil {
			t.Errorf("%s says it is %q", name, who)
		}
		if who, err := serve.Pusher(t.Context(), s, "", ""); err != nil || who != "" {
			t.Errorf("%s says of a push by path that it is %q, %v", name, who, err)
		}
		if _, tip, err := s.Book(); err != nil || !tip.IsZero() {
			t.Errorf("%s moved the branch to %s, %v", name, tip, err)
		}
	}
}
