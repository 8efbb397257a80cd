package tools

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// enrollTool is what the Tool trailer of a commit says that lists a key.
const enrollTool = "init"

// Enroll gives the repository a key of its own where it has none, and the branch
// the line that names it, in one commit; from then on the door signs, and only
// what is signed counts as the door's. It reports whether it had to do anything.
// Lines of other hosts stay where the history shows that one of them was
// believed.
func (s *Store) Enroll(ctx context.Context) (bool, error) {
	if done, err := s.enrolled(); done || err != nil {
		return false, err
	}
	made, err := s.repo.MakeKey(ctx)
	if err != nil {
		return false, AsError(err)
	}
	first := false
	receipt, err := s.repo.Update(ctx, func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		first = signersOf(tip) == ""
		return s.listKey(tip)
	})
	if err != nil {
		return made, unwritten(err)
	}
	var since repo.ID
	if n := len(receipt.Commits); first && n > 0 {
		since = receipt.Commits[n-1] // what came before, nobody can have signed as the door
	}
	if err := s.noteSince(ctx, since); err != nil {
		return made, AsError(err)
	}
	return made || len(receipt.Commits) > 0, nil
}

// enrolled reports whether nothing is left to do: then nothing is written, not even
// a lock.
func (s *Store) enrolled() (bool, error) {
	tip, err := s.tip()
	if err != nil {
		return false, AsError(err)
	}
	pin, err := s.signedSince()
	if errors.Is(err, fs.ErrPermission) {
		return true, nil // the key is somebody else's, and so is what lacks
	}
	if err != nil {
		return false, AsError(err)
	}
	return !pin.IsZero() && s.lists(tip), nil
}

// lists reports whether a snapshot's list names the own key.
func (s *Store) lists(tip *repo.Snapshot) bool {
	own, _ := repo.ParseSigners([]byte(s.ownKey()))
	listed, _ := repo.ParseSigners([]byte(signersOf(tip)))
	return listed.Believe(own)
}

// listKey proposes the list with the own key on it.
func (s *Store) listKey(tip *repo.Snapshot) ([]repo.Proposal, error) {
	if err := s.refuseGone(tip); err != nil {
		return nil, err
	}
	line := s.ownKey()
	if line == "" || s.lists(tip) {
		return nil, nil
	}
	list := signersOf(tip)
	if list != "" {
		t, err := s.believed(tip, line)
		if err != nil {
			return nil, err
		}
		list = t.kept(list)
	}
	book, err := s.growing.advance(tip, &s.read)
	if err != nil {
		return nil, err
	}
	first, _, err := s.followUps(tip, book)
	if err != nil {
		return nil, err
	}
	return append(first, repo.Proposal{Author: s.self(), At: s.now(),
		Files: []repo.File{{Path: signersFile, Data: []byte(list + line)}},
		Message: repo.Message{Subject: "key add: " + s.self().Mail,
			Trailers: trailers(enrollTool, "")}}), nil
}

// self is the door as an author.
func (s *Store) self() repo.Person {
	return repo.Person{Name: committer, Mail: committer + "@" + s.host}
}

// kept gives the lines of a list whose keys are believed.
func (t *trust) kept(list string) string {
	text := ""
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n") + "\n"
		if one, err := repo.ParseSigners([]byte(line)); err == nil && t.signers.Believe(one) {
			text += line
		}
	}
	return text
}

// noteSince names the first signed commit beside the repository, where nothing is
// named yet; a zero since is looked for in the history.
func (s *Store) noteSince(ctx context.Context, since repo.ID) error {
	if pin, err := s.signedSince(); err != nil || !pin.IsZero() {
		return err
	}
	if since.IsZero() {
		tip, err := s.tip()
		if err != nil {
			return err
		}
		t, err := s.believed(tip, s.ownKey())
		if err != nil || t.since.IsZero() {
			return err
		}
		since = t.since
	}
	return s.writeSince(ctx, since)
}

// putKeysBack proposes the list of keys as the door last had it, where somebody
// else changed it.
func (s *Store) putKeysBack(tip *repo.Snapshot) ([]repo.Proposal, error) {
	line := s.ownKey()
	if line == "" {
		return nil, nil
	}
	_, last, err := s.foreignCommits(tip)
	if err != nil || last == tip.ID() {
		return nil, err
	}
	before, err := s.repo.At(last)
	if err != nil {
		return nil, err
	}
	was, is := signersOf(before), signersOf(tip)
	if was == "" && is != "" {
		was = line
	}
	if was == is {
		return nil, nil
	}
	return []repo.Proposal{{Author: s.self(), At: s.now(), Files: []repo.File{{Path: signersFile, Data: []byte(was)}},
		Message: repo.Message{Subject: "keys put back", Body: []string{"no tool changed " + records.SignersFile},
			Trailers: trailers(followUpTool, "")}}}, nil
}
