package repo_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// pushed commits a file in a clone and brings the commit into the repository on
// a branch of its own, as a push does before the branch moves.
func pushed(t *testing.T, dir, from, name, content string) repo.ID {
	t.Helper()
	clone := filepath.Join(t.TempDir(), "clone")
	repotest.Git(t, filepath.Dir(clone), "clone", "-q", dir, clone)
	if from != "" {
		repotest.Git(t, clone, "checkout", "-q", from)
	}
	mode := os.FileMode(0o666)
	if name == "c" {
		mode = 0o777
	}
	if err := os.WriteFile(filepath.Join(clone, name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "add", "-A")
	repotest.Git(t, clone, "commit", "-qm", "by hand")
	repotest.Git(t, clone, "push", "-q", "origin", "HEAD:refs/heads/pushed-"+name)
	return parseID(t, repotest.Git(t, clone, "rev-parse", "HEAD"))
}

func parseID(t *testing.T, s string) repo.ID {
	t.Helper()
	id, err := repo.ParseID(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestTakeAndMerge(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	first := mustPut(t, r, "a", "one\n").Commits[0]
	ahead := pushed(t, dir, "main", "b", "two\n")
	stale := pushed(t, dir, first.String(), "c", "three\n")
	ana := repo.Proposal{Author: repo.Person{Name: "ana"}, At: testTime, Message: repo.Message{Subject: "follow"}}
	receipt, err := r.Update(t.Context(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if base, err := r.Base(tip, ahead); err != nil || base != tip.ID() {
			t.Errorf("the base of the tip and what descends from it: %v, %v", base, err)
		}
		follow := ana
		follow.Files = []repo.File{{Path: "d", Data: []byte("four\n")}}
		return []repo.Proposal{{Take: ahead}, follow}, nil
	})
	if err != nil || len(receipt.Commits) != 2 || receipt.Commits[0] != ahead {
		t.Fatalf("taking a commit: %v, %v", receipt, err)
	}
	_, err = r.Update(t.Context(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if base, err := r.Base(tip, stale); err != nil || base != first {
			t.Errorf("the base of the tip and a stale commit: %v, %v", base, err)
		}
		merge := ana
		merge.Merge, merge.Taken, merge.Files = stale, []string{"c", "b"}, []repo.File{{Path: "b", Data: []byte("more\n")}}
		brought, err := r.Brought(tip, stale)
		if err != nil || len(brought) != 1 || brought[0].ID != stale {
			t.Errorf("the push brings %v, %v", brought, err)
		}
		next, err := tip.With(merge)
		if err != nil {
			return nil, err
		}
		for name, want := range map[string]string{"a": "one\n", "b": "more\n", "c": "three\n"} {
			if got, err := fs.ReadFile(next.FS(), name); err != nil || string(got) != want {
				t.Errorf("%s is to hold %q, %v", name, got, err)
			}
		}
		return []repo.Proposal{merge}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := repotest.Git(t, dir, "ls-tree", "--format=%(objectmode) %(path)", "main"); got != "100644 a\n100644 b\n100755 c\n100644 d" {
		t.Errorf("the tree holds %q", got)
	}
	parents := strings.Fields(repotest.Git(t, dir, "log", "-1", "--format=%P", "main"))
	if want := []string{receipt.Commits[1].String(), stale.String()}; !slices.Equal(parents, want) {
		t.Errorf("the merge has the parents %v, want %v", parents, want)
	}
}

func TestTakeRefusesWhatWouldRewind(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	first := mustPut(t, r, "a", "one\n").Commits[0]
	tip := mustPut(t, r, "a", "two\n").Commits[0]
	other := pushed(t, dir, first.String(), "b", "x\n")
	for _, id := range []repo.ID{first, other} {
		_, err := r.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Take: id}}, nil
		})
		if err == nil || !strings.Contains(err.Error(), "does not descend") {
			t.Errorf("taking %v: %v", id, err)
		}
	}
	if got := repotest.Git(t, dir, "rev-parse", "main"); got != tip.String() {
		t.Errorf("the branch moved to %s", got)
	}
}

// Commits of one batch are not in any pack yet when the next caller asks.
func TestTakeBesideOtherCallers(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "a", "one\n")
	ahead := pushed(t, dir, "main", "b", "two\n")
	inside, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 3)
	update := func(edit repo.EditFunc) {
		go func() {
			_, err := r.Update(t.Context(), edit)
			done <- err
		}()
	}
	update(func(*repo.Snapshot) ([]repo.Proposal, error) {
		close(inside)
		<-release
		return nil, nil
	})
	<-inside
	update(put("bob", "e", "five\n"))
	update(func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		base, err := r.Base(tip, ahead)
		switch {
		case err != nil:
			return nil, err
		case base == tip.ID():
			return []repo.Proposal{{Take: ahead}}, nil
		}
		return []repo.Proposal{{Author: repo.Person{Name: "ana"}, At: testTime, Merge: ahead,
			Message: repo.Message{Subject: "merge"}, Files: []repo.File{{Path: "b", Data: []byte("two\n")}}}}, nil
	})
	close(release)
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := repotest.Git(t, dir, "ls-tree", "--name-only", "main"); got != "a\nb\ne" {
		t.Errorf("the tree holds %q", got)
	}
}

// The pushed objects are read where git holds them back, and nothing is written.
func TestIncoming(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "a", "one\n")
	hook := filepath.Join(dir, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(t.TempDir(), "kept")
	script := "#!/bin/sh\ncp -r \"$GIT_QUARANTINE_PATH\" " + kept + "\necho no >&2\nexit 1\n"
	if err := os.WriteFile(hook, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"1", "1000"} { // as a pack, as loose objects
		os.RemoveAll(kept)
		repotest.Git(t, dir, "config", "receive.unpackLimit", limit)
		clone := filepath.Join(t.TempDir(), "clone")
		repotest.Git(t, filepath.Dir(clone), "clone", "-q", dir, clone)
		if err := os.WriteFile(filepath.Join(clone, "b"), []byte("two\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		repotest.Git(t, clone, "add", "-A")
		repotest.Git(t, clone, "commit", "-qm", "by hand")
		if _, err := repotest.TryGit(t, clone, "", "push", "-q", "origin", "HEAD:main"); err == nil {
			t.Fatal("the hook let the push through")
		}
		id := parseID(t, repotest.Git(t, clone, "rev-parse", "HEAD"))
		if _, err := r.At(id); !repo.IsKind(err, repo.Damaged) {
			t.Errorf("unpackLimit %s: without the quarantine: %v", limit, err)
		}
		judge := repotest.Open(t, dir, repo.Options{Incoming: kept})
		s, err := judge.At(id)
		if err != nil {
			t.Fatal(err)
		}
		tip, err := judge.Tip()
		if err != nil {
			t.Fatal(err)
		}
		if base, err := judge.Base(tip, id); err != nil || base != tip.ID() {
			t.Errorf("unpackLimit %s: the base is %v, %v", limit, base, err)
		}
		for name, want := range map[string]string{"a": "one\n", "b": "two\n"} {
			if got, err := fs.ReadFile(s.FS(), name); err != nil || string(got) != want {
				t.Errorf("unpackLimit %s: %s holds %q, %v", limit, name, got, err)
			}
		}
		if _, err := judge.Update(t.Context(), put("ana", "c", "x")); err == nil {
			t.Error("a push that is being judged was written")
		}
	}
}

// TestBroughtIsWhatGitSays compares pushes of one commit, of many, of a merge and of
// none with git's own answers.
func TestBroughtIsWhatGitSays(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	mustPut(t, r, "a", "one\n")
	mustPut(t, r, "a", "two\n")
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	one := pushed(t, dir, "main", "b", "x\n")
	many := one
	for i := range 40 {
		many = pushed(t, dir, many.String(), "b", fmt.Sprint(i))
	}
	stale := pushed(t, dir, "main~1", "c", "y\n")
	merge, err := repo.ParseID(repotest.Git(t, dir, "commit-tree", "-p", one.String(), "-p", stale.String(), "-m", "merge", "main^{tree}"))
	if err != nil {
		t.Fatal(err)
	}
	old, err := repo.ParseID(repotest.Git(t, dir, "rev-parse", "main~1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]repo.ID{"one": one, "many": many, "a stale one": stale, "a merge": merge, "the tip": tip.ID(), "an older one": old} {
		base, err := r.Base(tip, id)
		if want := repotest.Git(t, dir, "merge-base", "main", id.String()); err != nil || base.String() != want {
			t.Errorf("%s: the base is %v, %v, want %s", name, base, err, want)
		}
		brought, err := r.Brought(tip, id)
		var got []string
		for _, c := range brought {
			got = append(got, c.ID.String())
		}
		if want := repotest.Git(t, dir, "rev-list", "--topo-order", "--reverse", id.String(), "^main"); err != nil || strings.Join(got, "\n") != want {
			t.Errorf("%s: it brings %v, %v, want %s", name, got, err, want)
		}
	}
}

// TestP20BroughtUnderSkewedClocks has a branch whose host had a clock of 1970 for a
// while, and a push that merges it with what stands on an older commit: git, which
// goes by dates, takes the whole history before that for new.
func TestP20BroughtUnderSkewedClocks(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	var script strings.Builder
	mark := 0
	commit := func(branch string, at int, parents ...int) int {
		mark++
		fmt.Fprintf(&script, "commit refs/heads/%s\nmark :%d\ncommitter ana <ana@example.org> %d +0000\ndata 1\nx\n", branch, mark, at)
		for i, p := range parents {
			fmt.Fprintf(&script, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], p)
		}
		fmt.Fprintf(&script, "M 644 inline f%d\ndata 2\n%d\n\n", mark, mark%10)
		return mark
	}
	line := func(branch string, from, n, at int) int {
		for i := range n {
			if from == 0 {
				from = commit(branch, at)
			} else {
				from = commit(branch, at+i, from)
			}
		}
		return from
	}
	const now = 1_800_000_000
	fork := line("main", 0, 40, now)
	late := line("main", fork, 20, 0)
	one := commit("one", now+100, line("one-side", fork, 3, now+50), late)
	other := line("other-side", fork, 2, now+60)
	commit("both", now+200, one, other)
	if out, err := repotest.TryGit(t, dir, script.String(), "fast-import", "--quiet"); err != nil {
		t.Fatal(out, err)
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"one": 4, "both": 7, "other-side": 2} {
		brought, err := r.Brought(tip, parseID(t, repotest.Git(t, dir, "rev-parse", name)))
		if err != nil || len(brought) != want {
			t.Errorf("%s: it brings %d commits, %v, want %d", name, len(brought), err, want)
		}
	}
}
