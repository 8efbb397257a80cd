package repo_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// growth is a random change of a model of files, and the files it is made of.
func growth(rnd *rand.Rand, model map[string]string, n int) (files []repo.File) {
	for range n {
		path := fmt.Sprintf("tasks/%d/t%d.md", rnd.IntN(12), rnd.IntN(60))
		text := fmt.Sprintf("text %d\n", rnd.IntN(1_000_000))
		files = append(files, repo.File{Path: path, Data: []byte(text)})
		model[path] = text
	}
	return files
}

// readTwice reads the list by a process that may use the cache, and by the next.
func readTwice(t *testing.T, dir, when string, want map[string]string) {
	t.Helper()
	for i := range 2 {
		r, err := repo.Open(dir, repo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(r)
		if err != nil || !maps.Equal(got, want) {
			t.Fatalf("%s, process %d: %d files, %v, want %d", when, i, len(got), err, len(want))
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever is in the cache, whole, torn, of somebody else or gone, a list reads
// as it is.
func TestCacheNeverChangesAnAnswer(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(2, 9))
	dir := repotest.New(t)
	cache := filepath.Join(dir, "git-tasks", "cache")
	model, kept := map[string]string{}, 0
	for round := range 4 + tenth(60) {
		r := repotest.Open(t, dir, repo.Options{})
		n := 20
		if round == 0 {
			n = 600
		}
		files := growth(rnd, model, n)
		if _, err := r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Author: repo.Person{Name: "ana", Mail: "ana@example.org"}, Message: repo.Message{Subject: "x"}, Files: files}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		readTwice(t, dir, fmt.Sprintf("round %d", round), model)
		entries, err := os.ReadDir(cache)
		if err != nil {
			t.Fatal(err)
		}
		kept += len(entries)
		for _, e := range entries {
			spoil(t, rnd, filepath.Join(cache, e.Name()), filepath.Join(cache, entries[rnd.IntN(len(entries))].Name()))
		}
		readTwice(t, dir, fmt.Sprintf("round %d, spoilt", round), model)
	}
	if kept == 0 {
		t.Error("nothing was ever kept")
	}
}

// spoil does to a file of the cache what may happen to one.
func spoil(t *testing.T, rnd *rand.Rand, file, other string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return // spoilt before
	}
	switch rnd.IntN(8) {
	case 0:
		data = data[:rnd.IntN(len(data)+1)]
	case 1:
		data = append(data, 0)
	case 2:
		data[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
	case 3:
		data, err = os.ReadFile(other)
	case 4:
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(file, 0o700); err != nil {
			t.Fatal(err)
		}
		return
	case 5:
		data = nil
	default:
		return
	}
	if err != nil {
		return
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A list that is read file by file, or that is short, leaves nothing behind.
func TestCacheIsForLongLists(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	model := map[string]string{}
	files := growth(rand.New(rand.NewPCG(1, 1)), model, 150)
	if _, err := r.Update(context.Background(), func(*repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "ana", Mail: "ana@example.org"}, Message: repo.Message{Subject: "x"}, Files: files}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	readTwice(t, dir, "a short list", model)
	if _, err := os.Stat(filepath.Join(dir, "git-tasks", "cache")); !os.IsNotExist(err) {
		t.Errorf("a short list left a cache: %v", err)
	}
}
