package tools

import "github.com/git-tasks/git-tasks/repo"

// Noted gives the values of a [Step]'s Note in the door's commits that came behind a
// commit, along first parents; in all of history where the branch no longer has that
// one. Whoever was killed between a change and what was to follow it learns by it
// whether the change was made.
func (s *Store) Noted(key string, since repo.ID) ([]string, error) {
	tip, err := s.tip()
	if err != nil {
		return nil, AsError(err)
	}
	var values []string
	for c, err := range tip.Log() {
		if err != nil {
			return nil, AsError(err)
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
			return nil, AsError(err)
		}
		if ours {
			values = append(values, value)
		}
	}
	return values, nil
}
