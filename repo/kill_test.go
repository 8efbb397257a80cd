package repo_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// noContext is for the processes tests start: nothing cancels them but a kill.
func noContext() context.Context { return context.Background() }

// readAll reads every file of the tip.
func readAll(r *repo.Repo) (map[string]string, error) {
	tip, err := r.Tip()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	err = fs.WalkDir(tip.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tip.FS(), path)
		files[path] = string(data)
		return err
	})
	return files, err
}

// killWithin is how long after it is ready a writer is killed at the latest.
const killWithin = 50 * time.Millisecond

// TestP1KilledWriter kills a process with eight callers at any moment. What
// it was heard to answer must be on the branch for good.
func TestP1KilledWriter(t *testing.T) {
	t.Parallel()
	n := tenth(500)
	if *killRounds > 0 {
		n = *killRounds
	}
	dir := repotest.New(t)
	all := map[string]string{} // acknowledged: commits by path
	var before repo.ID
	within := killWithin
	for round := range n {
		said := killedRound(t, dir, fmt.Sprintf("r%d", round), within)
		// On a machine that is busy with other things a kill must come later to
		// come in the middle of something.
		if within = max(killWithin, within/2); len(said) == 0 {
			within = min(4*within, 100*killWithin)
		}
		acked := map[string]string{}
		for _, line := range said {
			path, commit, ok := strings.Cut(line, " ")
			if !ok || len(commit) != 40 {
				t.Fatalf("round %d: the child said %q", round, line)
			}
			acked[path], all[path] = commit, commit
		}
		r := repotest.Open(t, dir, repo.Options{})
		mustPut(t, r, fmt.Sprintf("after/%d.md", round), "x")
		before = checkRound(t, r, before, acked)
		noLeftovers(t, dir, fmt.Sprintf("round %d", round))
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	files, err := readAll(repotest.Open(t, dir, repo.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for path := range all {
		if files[path] != path {
			t.Errorf("%s was acknowledged and is %q in the end", path, files[path])
		}
	}
	if len(all) < max(1, n/10) {
		t.Errorf("only %d acknowledged commits in %d rounds: nothing was tried", len(all), n)
	}
	t.Logf("%d rounds, %d acknowledged commits", n, len(all))
}

// killedRound gives the lines a child wrote before it was killed.
func killedRound(t *testing.T, dir, prefix string, within time.Duration) []string {
	t.Helper()
	cmd := child(t, "writers", dir, prefix)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	if ready, err := in.ReadString('\n'); err != nil || ready != "ready\n" {
		t.Fatalf("the child began with %q, %v", ready, err)
	}
	kill := time.AfterFunc(rand.N(within), func() { cmd.Process.Kill() })
	defer kill.Stop()
	said := lines(in)
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() >= 0 {
		t.Fatalf("the child was not killed but ended: %v", err)
	}
	return said
}

// checkRound walks what came since the commit before: it is still on the
// branch, every commit since is one call's, whole, and every file that was
// acknowledged in the round is there.
func checkRound(t *testing.T, r *repo.Repo, before repo.ID, acked map[string]string) repo.ID {
	t.Helper()
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	onBranch := map[string]bool{}
	var last repo.ID
	for c, err := range tip.Log() {
		if err != nil {
			t.Fatal(err)
		}
		if last = c.ID; last == before {
			break
		}
		paths, err := tip.Touched(c)
		if err != nil || len(paths) != 1 || "put "+paths[0] != c.Subject() {
			t.Fatalf("commit %s (%s) holds %q, %v", c.ID, c.Subject(), paths, err)
		}
		onBranch[c.ID.String()] = true
	}
	if last != before && !before.IsZero() {
		t.Fatalf("commit %s was on the branch and is not", before)
	}
	for path, commit := range acked {
		if data, err := fs.ReadFile(tip.FS(), path); err != nil || string(data) != path {
			t.Fatalf("%s was acknowledged and is %q, %v", path, data, err)
		}
		if !onBranch[commit] {
			t.Fatalf("commit %s of %s was acknowledged and is not on the branch", commit, path)
		}
	}
	return tip.ID()
}
