package repo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// addFile makes a change of one file.
func addFile(r *repo.Repo, n int) error {
	_, err := r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "ana"}, Message: repo.Message{Subject: fmt.Sprint(n)},
			Files: []repo.File{{Path: fmt.Sprintf("tasks/t%d.md", n), Data: fmt.Append(nil, n)}}}}, nil
	})
	return err
}

// keptFiles gives what .keep files of a process that goes on are links to.
func keptFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "git-tasks", "kept.*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestP2FailedInAProcessThatGoesOn fails each file call in turn of a change that is not
// the first of its process, that one alone and with all that follow: the next change
// lands, what was answered is there, and nothing is left behind.
func TestP2FailedInAProcessThatGoesOn(t *testing.T) {
	t.Parallel()
	for _, lasts := range []bool{false, true} {
		hits := int64(1)
		for n := int64(1); hits > 0; n++ {
			dir := repotest.New(t)
			var armed, calls atomic.Int64
			var linked atomic.Bool
			r, err := repo.Open(dir, repo.Options{Fault: func(op, path string) error {
				linked.Store(linked.Load() || op == "link" && strings.HasSuffix(path, ".keep"))
				if armed.Load() == 0 {
					return nil
				}
				if at := calls.Add(1); at == n || lasts && at > n {
					return errors.New("this call fails")
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 4 {
				if err := addFile(r, i); err != nil {
					t.Fatal(err)
				}
			}
			if !linked.Load() || len(keptFiles(t, dir)) != 1 {
				t.Fatalf("after four changes %q are there to be linked, and one was: %t", keptFiles(t, dir), linked.Load())
			}
			armed.Store(1)
			failed := addFile(r, 4)
			hits = max(0, calls.Load()-n+1)
			armed.Store(0)
			if err := addFile(r, 5); err != nil {
				t.Fatalf("call %d failed, lasting %t: the next change: %v", n, lasts, err)
			}
			tip, err := r.Tip()
			if err != nil {
				t.Fatal(err)
			}
			for i := range 6 {
				_, err := tip.FS().Open(fmt.Sprintf("tasks/t%d.md", i))
				if err != nil && (i != 4 || failed == nil) {
					t.Errorf("call %d failed, lasting %t: of change %d: %v", n, lasts, i, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if left := append(leftovers(t, dir), keptFiles(t, dir)...); len(left) > 0 {
				t.Errorf("call %d failed, lasting %t: left are %q", n, lasts, left)
			}
		}
	}
}

// TestKeptOfADeadProcess: what a killed process linked its .keep files to goes with the
// next change of another, and its .keep; that of one that lives stays.
func TestKeptOfADeadProcess(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := addFile(r, 0); err != nil {
		t.Fatal(err)
	}
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("%q, %v", packs, err)
	}
	const gone = "999999999.7"
	dead := filepath.Join(dir, "git-tasks", "kept."+gone+".3")
	alive := filepath.Join(dir, "git-tasks", fmt.Sprintf("kept.%d.0.3", os.Getppid()))
	for _, path := range []string{dead, alive} {
		if err := os.WriteFile(path, []byte("git-tasks "+gone+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	keep := strings.TrimSuffix(packs[0], ".pack") + ".keep"
	if err := os.Link(dead, keep); err != nil {
		t.Fatal(err)
	}
	if err := addFile(r, 1); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if left := keptFiles(t, dir); len(left) != 1 || left[0] != alive {
		t.Errorf("left are %q, want %q", left, alive)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}
