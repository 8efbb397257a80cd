package repo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestHealthTellsWhoseALockIs: one of a process of ours is told from another
// program's by the file it is a second name of, and Mend leaves all others.
func TestHealthTellsWhoseALockIs(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Join(dir, "refs/heads/x"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("git-tasks/ref.9999999.1.1") // no process has such a number
	write("refs/heads/x/main.lock")
	write("config.lock")
	if err := os.Link(filepath.Join(dir, "git-tasks/ref.9999999.1.1"), filepath.Join(dir, "refs/heads/main.lock")); err != nil {
		t.Fatal(err)
	}
	h, err := r.Health()
	if err != nil {
		t.Fatal(err)
	}
	var locks []string
	for _, l := range h.Locks {
		locks = append(locks, l.Path)
		if ours := l.Path == "refs/heads/main.lock"; l.Left != ours || (l.PID == 9999999) != ours {
			t.Errorf("%+v", l)
		}
	}
	if got := strings.Join(locks, " "); got != "config.lock refs/heads/main.lock refs/heads/x/main.lock" {
		t.Errorf("the locks are %s", got)
	}
	if err := r.Mend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h, err = r.Health(); err != nil || len(h.Locks) != 2 || len(h.LeftOver) != 0 || !h.Own || len(h.Lacking) != 0 {
		t.Errorf("after Mend: %+v, %v", h, err)
	}
}

// TestMendRollsUpWhatIsDue: what a process that was killed after its change
// left to the next one.
func TestMendRollsUpWhatIsDue(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	for i := range 20 {
		repotest.Foreign(t, dir, "refs/heads/main", "ana", "by hand",
			repo.File{Path: "tasks/x.md", Data: []byte(strings.Repeat("x", i))})
		repotest.Git(t, dir, "repack", "-q")
		repotest.Git(t, dir, "prune-packed", "-q")
	}
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if h, err := r.Health(); err != nil || !h.Due || h.Packs < 16 {
		t.Fatalf("before: %+v, %v", h, err)
	}
	if err := r.Mend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h, err := r.Health(); err != nil || h.Due || h.Packs >= 16 || h.Bytes < 1 || h.Bytes != r.PackBytes() {
		t.Errorf("after: %+v, %v", h, err)
	}
}

// TestSideTextsOfTheDeadAreCleared: what a process that was killed while it
// replaced a file beside the repository left is told of, and goes with the next
// such edit or with Mend; that of a living one stays.
func TestSideTextsOfTheDeadAreCleared(t *testing.T) {
	t.Parallel()
	for name, clear := range map[string]func(r *repo.Repo) error{
		"the next edit": func(r *repo.Repo) error {
			return r.EditSide(t.Context(), "sessions/two.json", func([]byte) ([]byte, error) { return []byte("2"), nil })
		},
		"Mend": func(r *repo.Repo) error { return r.Mend(t.Context()) },
	} {
		dir := repotest.New(t)
		r := repotest.Open(t, dir, repo.Options{})
		if err := r.EditSide(t.Context(), "sessions/one.json", func([]byte) ([]byte, error) { return []byte("1"), nil }); err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(dir, "git-tasks", "sessions")
		left, living := "one.json.9999999.1.1", "one.json.1.0.1" // no process has the one number, all systems the other
		for _, file := range []string{left, living} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte("half"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if h, err := r.Health(); err != nil || strings.Join(h.LeftOver, " ") != "git-tasks/sessions/"+left {
			t.Errorf("left over: %q, %v", h.LeftOver, err)
		}
		if err := clear(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for file, stays := range map[string]bool{left: false, living: true, "one.json": true} {
			if _, err := os.Stat(filepath.Join(folder, file)); (err == nil) != stays {
				t.Errorf("after %s: %s stays %v: %v", name, file, stays, err)
			}
		}
	}
}

// TestSideTextsBesideTheFolders: the files that lie in no folder leave such texts
// too; what looks like one and is the new value of a branch is none.
func TestSideTextsBesideTheFolders(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	left, ref := filepath.Join(r.Side(), "key.9999999.1.1"), filepath.Join(r.Side(), "ref.9999999.1.1")
	edit := func() {
		t.Helper()
		if err := r.EditSide(t.Context(), "since", func([]byte) ([]byte, error) { return []byte("1"), nil }); err != nil {
			t.Fatal(err)
		}
	}
	edit()
	for _, file := range []string{left, ref} {
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if h, err := r.Health(); err != nil || strings.Join(h.LeftOver, " ") != "git-tasks/key.9999999.1.1 git-tasks/ref.9999999.1.1" {
		t.Errorf("left over: %q, %v", h.LeftOver, err)
	}
	edit()
	if _, err := os.Stat(left); err == nil {
		t.Error("the next edit leaves the text of a dead process")
	}
	if _, err := os.Stat(ref); err != nil {
		t.Errorf("an edit takes the new value of a branch away: %v", err)
	}
}
