package repo_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// model is a tree as a plain map from path to content.
type model map[string]string

// folder reports whether path is a folder in the model.
func (m model) folder(path string) bool {
	for p := range m {
		if strings.HasPrefix(p, path+"/") {
			return true
		}
	}
	return false
}

// apply gives the model with files put in, and whether that can be: nothing is
// a file and a folder, nothing is removed that is a folder, or below a file.
func (m model) apply(files []repo.File) (model, bool) {
	last := map[string][]byte{}
	for _, f := range files {
		last[f.Path] = f.Data
	}
	next := maps.Clone(m)
	for path, data := range last {
		if data == nil && m.folder(path) {
			return nil, false
		}
		if data == nil {
			delete(next, path)
		} else {
			next[path] = string(data)
		}
	}
	for path := range last {
		for i := range path {
			_, was := m[path[:i]]
			_, is := next[path[:i]]
			if was && is && path[i] == '/' {
				return nil, false
			}
		}
	}
	for path := range next {
		if next.folder(path) {
			return nil, false
		}
	}
	return next, true
}

func (m model) changed(since model) []string {
	var paths []string
	for path := range merged(m, since) {
		was, a := since[path]
		is, b := m[path]
		if was != is || a != b {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func drawFiles(t *rapid.T) []repo.File {
	// Names around the slash in byte order, where git's order of a tree is not
	// that of the strings.
	name := rapid.SampledFrom([]string{"a", "a-", "a.md", "a0", "b"})
	file := rapid.Custom(func(t *rapid.T) repo.File {
		path := strings.Join(rapid.SliceOfN(name, 1, 3).Draw(t, "path"), "/")
		data := rapid.SampledFrom([][]byte{nil, nil, {}, []byte("x"), []byte("y")}).Draw(t, "data")
		return repo.File{Path: path, Data: data}
	})
	return rapid.SliceOfN(file, 0, 5).Draw(t, "files")
}

// TestModelOfTrees drives the write door and a plain map side by side.
func TestModelOfTrees(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	branches := 0
	rapid.Check(t, func(rt *rapid.T) {
		if branches++; branches > 4*tenth(100) {
			return
		}
		branch := fmt.Sprintf("check/%d", branches)
		r, err := repo.Open(dir, repo.Options{Branch: branch})
		if err != nil {
			rt.Fatal(err)
		}
		defer r.Close()
		states := []model{{}}
		ids := []repo.ID{{}}
		for range rapid.IntRange(1, 3).Draw(rt, "calls") {
			commits := rapid.SliceOfN(rapid.Custom(drawFiles), 0, 3).Draw(rt, "commits")
			states, ids = modelCall(rt, r, commits, states, ids)
		}
		modelCompare(rt, r, states, ids)
	})
}

// modelCall makes one call with several commits, which all stand or none.
func modelCall(t *rapid.T, r *repo.Repo, commits [][]repo.File, states []model, ids []repo.ID) ([]model, []repo.ID) {
	next, good := slices.Clone(states), true
	for _, files := range commits {
		var m model
		if m, good = next[len(next)-1].apply(files); !good {
			break
		}
		next = append(next, m)
	}
	receipt, err := r.Update(noContext(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if tip.ID() != ids[len(ids)-1] {
			return nil, fmt.Errorf("the tip is %s", tip.ID())
		}
		var all []repo.Proposal
		for i, files := range commits {
			all = append(all, repo.Proposal{Author: repo.Person{Name: "ana"}, At: testTime,
				Message: repo.Message{Subject: fmt.Sprintf("commit %d of call", i)}, Files: files})
		}
		return all, nil
	})
	if good != (err == nil) {
		t.Fatalf("%v on %v: %v, but by the model %v", commits, states[len(states)-1], err, good)
	}
	if err != nil {
		return states, ids
	}
	if len(receipt.Commits) != len(commits) || receipt.Before != ids[len(ids)-1] {
		t.Fatalf("the receipt of %d commits is %+v", len(commits), receipt)
	}
	return next, append(ids, receipt.Commits...)
}

// modelCompare compares every state there was, and what differs between any two.
func modelCompare(t *rapid.T, r *repo.Repo, states []model, ids []repo.ID) {
	files, err := readAll(r)
	if err != nil || !maps.Equal(model(files), states[len(states)-1]) {
		t.Fatalf("the tip holds %v, %v; want %v", files, err, states[len(states)-1])
	}
	for i, id := range ids {
		s, err := r.At(id)
		if err != nil {
			t.Fatal(err)
		}
		for j, since := range ids {
			got, err := s.Changed(since)
			if want := states[i].changed(states[j]); err != nil || !slices.Equal(got, want) {
				t.Fatalf("from %v to %v %q changed, %v; want %q", states[j], states[i], got, err, want)
			}
		}
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	history, err := tip.History(nil)
	if err != nil || len(history) != len(ids)-1 {
		t.Fatalf("the history has %d commits, %v; want %d", len(history), err, len(ids)-1)
	}
	for i, c := range history {
		touched, err := tip.Touched(c)
		if want := states[i+1].changed(states[i]); c.ID != ids[i+1] || err != nil || !slices.Equal(touched, want) {
			t.Fatalf("commit %d is %s and touches %q, %v; want %s and %q", i, c.ID, touched, err, ids[i+1], want)
		}
	}
}

// TestModelOfHistory makes histories with merges and clocks that lie, by git,
// and holds History to git's own list: every commit once, none before a parent.
func TestModelOfHistory(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	env := repotest.Env(t)
	tree, err := repotest.TryGit(t, dir, "", "mktree")
	if err != nil {
		t.Fatal(err)
	}
	r := repotest.Open(t, dir, repo.Options{})
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		if checks++; checks > tenth(100) {
			return
		}
		var ids []string
		for i := range rapid.IntRange(1, 8).Draw(rt, "commits") {
			args := []string{"commit-tree", tree, "-m", fmt.Sprintf("%d of %d", i, checks)}
			if i > 0 {
				for _, p := range rapid.SliceOfNDistinct(rapid.IntRange(0, i-1), 0, 3, rapid.ID[int]).Draw(rt, "parents") {
					args = append(args, "-p", ids[p])
				}
			}
			at := testTime.Add(time.Duration(rapid.IntRange(-3, 3).Draw(rt, "hours")) * time.Hour)
			id, err := repotest.Run(dir, append(env, "GIT_COMMITTER_DATE="+at.Format(time.RFC3339)), "", "git", args...)
			if err != nil {
				rt.Fatal(err)
			}
			ids = append(ids, id)
		}
		list, err := repotest.Run(dir, env, "", "git", "rev-list", ids[len(ids)-1])
		if err != nil {
			rt.Fatal(err)
		}
		checkHistory(rt, r, ids[len(ids)-1], strings.Split(list, "\n"))
	})
}

func checkHistory(t *rapid.T, r *repo.Repo, tip string, want []string) {
	id, err := repo.ParseID(tip)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.At(id)
	if err != nil {
		t.Fatal(err)
	}
	history, err := s.History(nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[repo.ID]bool{}
	var got []string
	for _, c := range history {
		for _, p := range c.Parents {
			if !seen[p] {
				t.Fatalf("%s comes before its parent %s", c.ID, p)
			}
		}
		seen[c.ID] = true
		got = append(got, c.ID.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("the history is %q, git's is %q", got, want)
	}
}
