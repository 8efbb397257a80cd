package repo_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestLogOfEqualsTheWalk makes random histories with merges and removals, and asks
// for the commits of paths before a roll-up, after it, and after commits on top.
func TestLogOfEqualsTheWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(tenth(20)) {
		random := rand.New(rand.NewPCG(seed, 1))
		dir := repotest.New(t)
		r := repotest.Open(t, dir, repo.Options{})
		for round := range 3 {
			for range 20 {
				randomChange(t, r, dir, random)
			}
			equalLogs(t, r, fmt.Sprintf("seed %d, round %d", seed, round))
		}
		if err := r.Close(); err != nil { // with it the roll-up
			t.Fatal(err)
		}
		if graphs, err := filepath.Glob(filepath.Join(dir, "objects/info/commit-graphs/*.graph")); err != nil || len(graphs) == 0 {
			t.Errorf("seed %d: a roll-up left %q, %v", seed, graphs, err)
		}
		repotest.Git(t, dir, "commit-graph", "verify")
		equalLogs(t, repotest.Open(t, dir, repo.Options{}), fmt.Sprintf("seed %d, at rest", seed))
	}
}

func randomChange(t *testing.T, r *repo.Repo, dir string, random *rand.Rand) {
	t.Helper()
	path := func() string { return fmt.Sprintf("tasks/%d/t%d.md", random.IntN(3), random.IntN(6)) }
	p := repo.Proposal{Author: repo.Person{Name: "ana"}, At: testTime}
	for range 1 + random.IntN(2) {
		f := repo.File{Path: path(), Data: fmt.Append(nil, random.Int())}
		if random.IntN(4) == 0 {
			f.Data = nil
		}
		p.Files = append(p.Files, f)
	}
	if random.IntN(4) == 0 { // a clone's commit, and its merge
		p.Merge = sideCommit(t, dir, random, path())
	}
	if _, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) { return []repo.Proposal{p}, nil }); err != nil {
		t.Fatal(err)
	}
}

// sideCommit makes a commit of another program on top of an older one.
func sideCommit(t *testing.T, dir string, random *rand.Rand, path string) repo.ID {
	t.Helper()
	all := strings.Fields(repotest.Git(t, dir, "rev-list", "--all"))
	if len(all) == 0 {
		return repo.ID{}
	}
	from := all[random.IntN(len(all))]
	repotest.Git(t, dir, "update-ref", "refs/heads/side", from)
	repotest.Foreign(t, dir, "refs/heads/side", "bob", "aside", repo.File{Path: path, Data: fmt.Append(nil, random.Int())})
	id, err := repo.ParseID(repotest.Git(t, dir, "rev-parse", "side"))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func equalLogs(t *testing.T, r *repo.Repo, when string) {
	t.Helper()
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]repo.ID{}
	for c, err := range tip.Log() {
		if err != nil {
			t.Fatal(err)
		}
		touched, err := tip.Touched(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range touched {
			want[path] = append(want[path], c.ID)
		}
	}
	for folder := range 3 {
		for n := range 7 {
			path := fmt.Sprintf("tasks/%d/t%d.md", folder, n)
			commits, err := r.LogOf(t.Context(), tip, path)
			var got []repo.ID
			for _, c := range commits {
				got = append(got, c.ID)
			}
			if err != nil || !slices.Equal(got, want[path]) {
				t.Fatalf("%s: of %s came %v, %v, want %v", when, path, got, err, want[path])
			}
		}
	}
}

// TestNoGraphInAnothersRepository: most of the history there is not ours.
func TestNoGraphInAnothersRepository(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	repotest.Git(t, dir, "config", "--unset", "git-tasks.init")
	if out, err := child(t, "series", dir, "p", "40").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "objects/info/commit-graphs")); err == nil || packsOf(t, dir) > 32 {
		t.Errorf("%d packs, and a commit-graph: %v", packsOf(t, dir), err)
	}
}

// TestP10GraphOfARewrittenHistory: the commit-graph still names what was pruned,
// and neither the log nor the check of all objects minds.
func TestP10GraphOfARewrittenHistory(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	if out, err := child(t, "series", dir, "p", "40").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repotest.Git(t, dir, "commit-graph", "write", "--reachable", "--changed-paths", "--split")
	repotest.Git(t, dir, "update-ref", "refs/heads/main", "main~20")
	repotest.Git(t, dir, "reflog", "expire", "--expire=now", "--all")
	repotest.Git(t, dir, "repack", "-a", "-d", "-q")
	repotest.Git(t, dir, "prune", "--expire=now")
	r := repotest.Open(t, dir, repo.Options{})
	if err := r.Fsck(t.Context()); err != nil {
		t.Error(err)
	}
	mustPut(t, r, "tasks/t1.md", "on top\n")
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	if commits, err := r.LogOf(t.Context(), tip, "tasks/t1.md"); err != nil || len(commits) == 0 || commits[0].ID != tip.ID() {
		t.Errorf("the log of a path gives %v, %v", commits, err)
	}
}

// TestLogOfReplaced: git shows an object in another's place where somebody asked it
// to. What the branch really is made of decides who is believed.
func TestLogOfReplaced(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "other.md", "1")
	wrote := mustPut(t, r, "list", "1").Commits[0]
	mustPut(t, r, "other.md", "2")
	hidden := repotest.Git(t, dir, "commit-tree", "-p", "main~2", "-m", "nothing", "main~2^{tree}")
	repotest.Git(t, dir, "replace", "main~1", hidden)
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	commits, err := r.LogOf(t.Context(), tip, "list")
	if err != nil || len(commits) != 1 || commits[0].ID != wrote {
		t.Errorf("the list was written by %v, %v; want %s", commits, err, wrote)
	}
}
