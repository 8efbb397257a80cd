package repo_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// keeper is what users of a tree find in its file system.
type keeper interface {
	Kept(dir string) []byte
	Keep(dir string, data []byte)
}

// withTip opens a repository as a process does, shows the tip, and closes it.
func withTip(t *testing.T, dir string, do func(k keeper)) {
	t.Helper()
	r, err := repo.Open(dir, repo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	do(tip.FS().(keeper))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestKept: what is kept of a folder is there for the next process as long as the
// folder is what it was, and is never anything else.
func TestKept(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	put := func(path, text string) {
		t.Helper()
		r := repotest.Open(t, dir, repo.Options{})
		_, err := r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Author: repo.Person{Name: "ana"}, Message: repo.Message{Subject: "x"},
				Files: []repo.File{{Path: path, Data: []byte(text)}}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("tasks/1/t101.md", "a")
	put("tasks/2/t101.md", "a")
	put("tasks/t1.md", "b")
	said := []byte("what follows from it")
	holds := func(when, folder string, want []byte) {
		t.Helper()
		withTip(t, dir, func(k keeper) {
			if got := k.Kept(folder); !bytes.Equal(got, want) {
				t.Errorf("%s: of %s is kept %q, want %q", when, folder, got, want)
			}
		})
	}
	holds("before", "tasks/1", nil)
	withTip(t, dir, func(k keeper) {
		k.Keep("tasks/1", said)
		k.Keep("tasks/t1.md", said) // a file, and nothing
		k.Keep("tasks/3", said)
		if got := k.Kept("tasks/1"); !bytes.Equal(got, said) {
			t.Errorf("in the same process %q is kept", got)
		}
	})
	holds("after", "tasks/1", said)
	holds("after", "tasks/2", said) // the same content
	holds("after", "tasks", nil)
	holds("after", "tasks/t1.md", nil)
	holds("after", "tasks/3", nil)
	put("tasks/1/t102.md", "c")
	holds("with one file more", "tasks/1", nil)
	put("tasks/2/t101.md", "d")
	holds("with another file", "tasks/2", nil)
	put("tasks/2/t101.md", "a")
	holds("as it was", "tasks/2", said)

	files, err := filepath.Glob(filepath.Join(dir, "git-tasks", "cache", "*.digest"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q are kept, %v, want one file", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		broken := bytes.Clone(whole)
		broken[i] ^= 4
		for _, data := range [][]byte{broken, whole[:i]} {
			if err := os.WriteFile(files[0], data, 0o600); err != nil {
				t.Fatal(err)
			}
			holds("damaged", "tasks/2", nil)
		}
	}
	withTip(t, dir, func(k keeper) { k.Keep("tasks/2", said) })
	holds("written again", "tasks/2", said)
	if err := os.RemoveAll(filepath.Join(dir, "git-tasks", "cache")); err != nil {
		t.Fatal(err)
	}
	holds("taken away", "tasks/2", nil)
}
