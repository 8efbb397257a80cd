package tools

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
)

// TestNeverListed: whether a list of keys was ever there is told alike with what was
// found before, without it, and with what is none or of no commit.
func TestNeverListed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "records.git")
	if _, err := repo.Init(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var tips []*repo.Snapshot
	commit := func(path string, data []byte) {
		t.Helper()
		_, err := s.repo.Update(t.Context(), func(*repo.Snapshot) ([]repo.Proposal, error) {
			return []repo.Proposal{{Author: repo.Person{Name: "ana"}, Message: repo.Message{Subject: "x"},
				Files: []repo.File{{Path: path, Data: data}}}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		tip, err := s.repo.Tip()
		if err != nil {
			t.Fatal(err)
		}
		tips = append(tips, tip)
	}
	kept := func() string {
		data, err := s.repo.ReadSide(unlistedFile)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(data))
	}
	for _, text := range []string{"a", "b", "c"} {
		commit("tasks/odd.md", []byte(text))
	}
	if kept() != "" || !s.neverListed(tips[0]) || kept() != tips[0].ID().String() {
		t.Errorf("of the first commit %q is kept, want %s", kept(), tips[0].ID())
	}
	commit(signersFile, []byte("no key\n"))
	commit(signersFile, nil)
	commit("tasks/odd.md", []byte("d"))
	none := strings.Repeat("1", 40)
	for _, said := range []string{tips[0].ID().String(), tips[2].ID().String(), "", "no id", none, strings.Repeat("0", 40)} {
		for i, tip := range tips {
			err := s.repo.EditSide(context.Background(), unlistedFile, func([]byte) ([]byte, error) { return []byte(said + "\n"), nil })
			if err != nil {
				t.Fatal(err)
			}
			if got := s.neverListed(tip); got != (i < 3) {
				t.Errorf("with %q kept, commit %d was never listed: %t", said, i, got)
			}
		}
	}
}
