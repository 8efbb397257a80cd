package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// never is a look that no test waits for: events alone must do.
const never = time.Hour

// sees waits for signals until git says that the branch is at want ("": gone),
// as a reader of the branch would.
func sees(t *testing.T, signals <-chan struct{}, dir, ref, want string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case <-limit:
			t.Fatalf("no signal came when %s went to %q", ref, want)
		case _, open := <-signals:
			if !open {
				t.Fatal("the channel was closed")
			}
			if got, _ := repotest.TryGit(t, dir, "", "rev-parse", "--verify", "-q", ref); got == want {
				return
			}
		}
	}
}

func commits(t *testing.T, dir string, n int) []string {
	t.Helper()
	tree, err := repotest.TryGit(t, dir, "", "mktree")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range n {
		ids = append(ids, repotest.Git(t, dir, "commit-tree", tree, "-m", strings.Repeat("x", i+1)))
	}
	return ids
}

// moves has git do everything it does to a branch, and wants each seen.
func moves(t *testing.T, dir, ref string, signals <-chan struct{}) {
	t.Helper()
	ids := commits(t, dir, 3)
	branch := strings.TrimPrefix(ref, "refs/heads/")
	for _, step := range []struct {
		want string
		args []string
	}{
		{ids[0], []string{"update-ref", ref, ids[0]}},
		{ids[1], []string{"update-ref", ref, ids[1], ids[0]}},
		{ids[1], []string{"pack-refs", "--all", "--prune"}},
		{ids[2], []string{"update-ref", ref, ids[2]}},
		{"", []string{"branch", "-q", "-D", branch}},
		{ids[0], []string{"branch", branch, ids[0]}},
		{ids[0], []string{"pack-refs", "--all"}},
		{"", []string{"update-ref", "-d", ref}},
		{ids[1], []string{"push", "-q", ".", ids[1] + ":" + ref}},
	} {
		repotest.Git(t, dir, step.args...)
		sees(t, signals, dir, ref, step.want)
	}
}

func TestRefMoves(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"refs/heads/main", "refs/heads/a/b/c"} {
		for how, every := range map[string]time.Duration{"events": never, "looks": 5 * time.Millisecond} {
			t.Run(how+" "+ref, func(t *testing.T) {
				t.Parallel()
				dir := repotest.New(t)
				signals, err := startRef(t.Context(), dir, ref, every, how == "events")
				if err != nil {
					t.Fatal(err)
				}
				moves(t, dir, ref, signals)
			})
		}
	}
}

func TestRefMovedByTheWriteDoor(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{Branch: "tasks"})
	signals, err := startRef(t.Context(), r.Dir(), r.Ref(), never, true)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		receipt, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Author: repo.Person{Name: "ana"}, Message: repo.Message{Subject: "x"}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		sees(t, signals, dir, r.Ref(), receipt.Commits[0].String())
	}
}

// TestRefSignalsAreOne moves a branch often while nobody looks.
func TestRefSignalsAreOne(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	signals, err := startRef(t.Context(), dir, "refs/heads/main", never, true)
	if err != nil {
		t.Fatal(err)
	}
	ids := commits(t, dir, 20)
	for _, id := range ids {
		repotest.Git(t, dir, "update-ref", "refs/heads/main", id)
	}
	if cap(signals) != 1 {
		t.Errorf("%d signals can wait", cap(signals))
	}
	sees(t, signals, dir, "refs/heads/main", ids[len(ids)-1])
}

// TestRefAloneConcerns: what happens to other files is no signal.
func TestRefAloneConcerns(t *testing.T) {
	t.Parallel()
	w := &watcher{place: &branch{parents: []string{"/r", "/r/refs", "/r/refs/heads"}, file: "/r/refs/heads/main", packed: "/r/packed-refs"},
		signals: make(chan struct{}, 1)}
	for path, want := range map[string]int{"/r/refs/heads/main": 1, "/r/packed-refs": 1, "/r/refs/heads": 1, "/r": 1,
		"/r/refs/heads/main.lock": 0, "/r/refs/heads/other": 0, "/r/HEAD": 0, "/r/packed-refs.lock": 0, "/r/index": 0} {
		w.happened(path)
		if got := len(w.signals); got != want {
			t.Errorf("%s: %d signals, want %d", path, got, want)
		}
		select {
		case <-w.signals:
		default:
		}
	}
}

// TestRefMovedAwayAndBack takes the whole repository away for a while, and puts
// another one in its place.
func TestRefMovedAwayAndBack(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	ids := commits(t, dir, 3)
	repotest.Git(t, dir, "update-ref", "refs/heads/main", ids[0])
	signals, err := startRef(t.Context(), dir, "refs/heads/main", 5*time.Millisecond, true)
	if err != nil {
		t.Fatal(err)
	}
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, away, "update-ref", "refs/heads/main", ids[1])
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	sees(t, signals, dir, "refs/heads/main", ids[1])
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Init(dir); err != nil {
		t.Fatal(err)
	}
	id := commits(t, dir, 1)[0]
	repotest.Git(t, dir, "update-ref", "refs/heads/main", id)
	sees(t, signals, dir, "refs/heads/main", id)
}

func TestRefEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	signals, err := Ref(ctx, repotest.New(t), "refs/heads/main")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for range signals { // ends, since the channel is closed
	}
}

func TestRefOfNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Ref(t.Context(), filepath.Join(dir, "none"), "refs/heads/main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a git directory that is not there: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Ref(t.Context(), file, "refs/heads/main"); err == nil {
		t.Error("a file can be watched")
	}
}
