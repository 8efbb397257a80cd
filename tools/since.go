package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
)

// sinceFile is the file beside the repository that names the first commit which
// the door signed on a branch, a line each: "<commit> <ref>". From that commit on,
// none of the branch is the door's without a signature. A line without a ref is of
// an older version, and of whichever branch has no line of its own.
const sinceFile = "signed-since"

// signedSince reads the commit that is named beside the repository for the branch;
// zero where none is.
func (s *Store) signedSince() (repo.ID, error) {
	id, _, err := s.sinceLine()
	return id, err
}

// sinceLine gives the branch's commit, and the ref of its line.
func (s *Store) sinceLine() (commit repo.ID, ref string, err error) {
	data, err := s.repo.ReadSide(sinceFile)
	if err != nil {
		return repo.ID{}, "", err
	}
	for line := range strings.Lines(string(data)) {
		id, of, _ := strings.Cut(strings.TrimSpace(line), " ")
		if of != s.Ref() && (of != "" || !commit.IsZero()) {
			continue
		}
		if commit, err = repo.ParseID(id); err != nil {
			return repo.ID{}, "", err
		}
		if ref = of; of != "" {
			return commit, ref, nil
		}
	}
	return commit, ref, nil
}

// writeSince names the branch's commit beside the repository, where none is named.
func (s *Store) writeSince(ctx context.Context, commit repo.ID) error {
	return s.repo.EditSide(ctx, sinceFile, func(old []byte) ([]byte, error) {
		if named, err := s.signedSince(); err != nil || !named.IsZero() {
			return old, err
		}
		return append(old, commit.String()+" "+s.Ref()+"\n"...), nil
	})
}

// tip is where the branch is, which must not be gone.
func (s *Store) tip() (*repo.Snapshot, error) {
	tip, err := s.repo.Tip()
	if err == nil {
		err = s.refuseGone(tip)
	}
	return tip, err
}

// refuseGone tells a list that has no commit yet from one whose branch was renamed
// or removed: that one must not begin again with t1.
func (s *Store) refuseGone(tip *repo.Snapshot) error {
	if !tip.ID().IsZero() {
		return nil
	}
	commit, ref, err := s.sinceLine()
	if errors.Is(err, fs.ErrPermission) {
		return nil // it is somebody else's, and so is the list
	}
	if err != nil || commit.IsZero() || ref == "" && s.Ref() != "refs/heads/main" {
		return err
	}
	return &repo.Error{Kind: repo.Damaged, Text: fmt.Sprintf("%s is gone, and the list with it: commit %s was on it; make the branch again "+
		"where it was (git for-each-ref --contains %s says who has it), or move git-tasks/%s away to begin anew",
		s.Ref(), commit.Short(), commit.Short(), sinceFile)}
}
