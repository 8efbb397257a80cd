package repo_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// change is what the steps tests disturb.
type change struct {
	name           string
	pushes, merges bool // whether it lands a push; whether as a merge
	edit           func(pushed repo.ID) repo.EditFunc
	files          []string // that it brings, each holding its own name
	subjects       []string // of its commits along first parents, the newest first
}

// changes are those by which a branch moves: a commit of our own, and a push in
// each of the ways in which it lands. One that is taken alone has no new objects:
// what git brought is all of it.
var changes = []change{
	{name: "put", files: []string{"new.md"}, subjects: []string{"put new.md"},
		edit: func(repo.ID) repo.EditFunc { return put("ana", "new.md", "new.md") }},
	{name: "take", pushes: true, files: []string{"pushed.md"}, subjects: []string{"by hand"},
		edit: func(pushed repo.ID) repo.EditFunc { return proposals(repo.Proposal{Take: pushed}) }},
	{name: "take and follow", pushes: true, files: []string{"follow.md", "pushed.md"}, subjects: []string{"put follow.md", "by hand"},
		edit: func(pushed repo.ID) repo.EditFunc { return proposals(repo.Proposal{Take: pushed}, following()) }},
	{name: "merge and follow", pushes: true, merges: true, files: []string{"follow.md", "pushed.md"}, subjects: []string{"put follow.md", "merge"},
		edit: func(pushed repo.ID) repo.EditFunc {
			merge := repo.Proposal{Author: repo.Person{Name: "bob"}, At: testTime, Message: repo.Message{Subject: "merge"},
				Merge: pushed, Taken: []string{"pushed.md"}}
			return proposals(merge, following())
		}},
}

func proposals(all ...repo.Proposal) repo.EditFunc {
	return func(*repo.Snapshot) ([]repo.Proposal, error) { return all, nil }
}

// following is the commit that a push needs behind it.
func following() repo.Proposal {
	return repo.Proposal{Author: repo.Person{Name: "bob"}, At: testTime, Message: repo.Message{Subject: "put follow.md"},
		Files: []repo.File{{Path: "follow.md", Data: []byte("follow.md")}}}
}

// bring has git bring the push that the change lands, and gives its commit.
func (c change) bring(t *testing.T, dir string) repo.ID {
	t.Helper()
	switch {
	case !c.pushes:
		return repo.ID{}
	case c.merges: // the branch moves on while somebody edits an older state
		r := repotest.Open(t, dir, repo.Options{})
		defer r.Close()
		tip, err := r.Tip()
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range tip.Log() {
			if err != nil {
				t.Fatal(err)
			}
			return pushed(t, dir, c.Parents[0].String(), "pushed.md", "pushed.md")
		}
	}
	return pushed(t, dir, "", "pushed.md", "pushed.md")
}

// stepCheck looks at a repository after a change was disturbed.
type stepCheck struct {
	dir string
	change
	old, pushed repo.ID
	what        string
}

// landed says whether the branch has the new state, and fails the test when it
// has neither that nor the old one.
func (s stepCheck) landed(t *testing.T) bool {
	t.Helper()
	r := repotest.Open(t, s.dir, repo.Options{})
	defer r.Close()
	tip, err := r.Tip()
	if err != nil {
		t.Fatalf("%s: %v", s.what, err)
	}
	if tip.ID() == s.old {
		return false
	}
	for _, path := range s.files {
		if data, err := fs.ReadFile(tip.FS(), path); err != nil || string(data) != path {
			t.Fatalf("%s: the branch moved, and %s is %q, %v", s.what, path, data, err)
		}
	}
	if changed, err := tip.Changed(s.old); err != nil || !slices.Equal(changed, s.files) {
		t.Fatalf("%s: the branch moved, and %q changed, %v", s.what, changed, err)
	}
	var subjects, merges []string
	var reached repo.ID
	for c, err := range tip.Log() {
		if err != nil {
			t.Fatalf("%s: %v", s.what, err)
		}
		if reached = c.ID; c.ID == s.old {
			break
		}
		subjects = append(subjects, c.Subject())
		if len(c.Parents) > 1 {
			merges = append(merges, fmt.Sprint(c.Parents))
		}
	}
	var want []string
	if s.merges {
		want = []string{fmt.Sprint([]repo.ID{s.old, s.pushed})}
	}
	if !slices.Equal(subjects, s.subjects) || !slices.Equal(merges, want) || !s.old.IsZero() && reached != s.old {
		t.Fatalf("%s: the branch moved by %q, want %q, with merges of %q, want %q, down to %s, want %s",
			s.what, subjects, s.subjects, merges, want, reached, s.old)
	}
	return true
}

// goesOn makes another change by another process and looks for leftovers.
func (s stepCheck) goesOn(t *testing.T) {
	t.Helper()
	out, err := child(t, "update", s.dir, "main", "next.md").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "answered") {
		t.Fatalf("%s: the next process's change: %s, %v", s.what, out, err)
	}
	if left := leftovers(t, s.dir); len(left) > 0 {
		t.Fatalf("%s: after the next write there are still %q", s.what, left)
	}
	r := repotest.Open(t, s.dir, repo.Options{})
	defer r.Close()
	if err := r.Fsck(t.Context()); err != nil {
		t.Fatalf("%s: %v", s.what, err)
	}
}
