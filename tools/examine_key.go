package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-tasks/git-tasks/records"
)

// keyFindings looks at what the door signs with, and whether what is on top is
// signed. own says that the repository is one of ours.
func (s *Store) keyFindings(own bool) ([]Finding, error) {
	tip, err := s.tip()
	if err != nil {
		return nil, err
	}
	key := s.keyFinding(own)
	if key.State == Fine && !s.lists(tip) {
		key = Finding{Mendable, "key", "the branch does not list the key in " + signersFile, "adds its line, in a commit"}
		if !own {
			key.State, key.Mend = ByHand, "git tasks serve adds its line"
		}
	}
	found := []Finding{key}
	if s.ownKey() == "" {
		return found, nil
	}
	foreign, _, err := s.foreignCommits(tip)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, c := range foreign {
		if looksOurs(c) {
			named = append(named, c.ID.Short())
		}
	}
	if n := len(named); n > 0 {
		text := "commit " + named[0] + " says that git-tasks made it, and is not signed by a key that is believed"
		if n > 1 {
			text = fmt.Sprintf("%d commits say that git-tasks made them, and are not signed by a key that is believed; one is %s", n, named[0])
		}
		found = append(found, Finding{Notable, "key", text, "it counts as one of somebody else; git tasks check --history says more"})
	}
	return found, nil
}

// keyFinding looks at the file of the key.
func (s *Store) keyFinding(own bool) Finding {
	path := filepath.Join(s.repo.Side(), "key")
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist) && own:
		return Finding{Mendable, "key", "the list has no key, so its commits are not signed", "makes one, and lists it on the branch"}
	case errors.Is(err, fs.ErrNotExist):
		return Finding{Notable, "key", "the list has no key: what git-tasks committed is known by the committer's name", "git tasks serve makes one"}
	case err != nil:
		return Finding{ByHand, "key", records.Visible(err.Error()), "nothing is written without it"}
	}
	if _, err := s.repo.PublicKey(); err != nil && !errors.Is(err, fs.ErrPermission) {
		return Finding{ByHand, "key", records.Visible(err.Error()), "put it back from a copy, or move it away and let git tasks init make another; nothing is written meanwhile"}
	} else if err != nil {
		return Finding{Notable, "key", "you may not read it, so commits are known to you by the committer's name", ""}
	}
	return Finding{Fine, "key", "every change is signed with it, and the branch lists it", ""}
}
