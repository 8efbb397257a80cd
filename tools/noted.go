package tools

import (
	"strings"

	"github.com/git-tasks/git-tasks/repo"
)

// Noted gives the values of a [Step]'s Note in the door's commits that came behind a
// commit, along first parents, the newest first, and for each the id of the record that
// its commit is about; in all of history where the branch no longer has that commit.
// Whoever was killed between a change and what was to follow it learns by it whether
// the change was made.
func (s *Store) Noted(key string, since repo.ID) (values, ids []string, err error) {
	tip, err := s.tip()
	if err != nil {
		return nil, nil, AsError(err)
	}
	for c, err := range tip.Log() {
		if err != nil {
			return nil, nil, AsError(err)
		}
		if c.ID == since {
			break
		}
		value, noted := c.Trailer(key)
		if !noted {
			continue
		}
		ours, err := s.ofTheDoor(tip, c)
		if err != nil {
			return nil, nil, AsError(err)
		}
		if ours {
			id, _, _ := strings.Cut(c.Subject(), " ")
			values, ids = append(values, value), append(ids, id)
		}
	}
	return values, ids, nil
}
