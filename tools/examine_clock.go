package tools

import (
	"fmt"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

const (
	// maxAhead is how far the clock of whoever committed may be ahead of ours.
	maxAhead = time.Minute
	// clockLooked is how many of the last commits are looked at for their times, and
	// mergedLooked how many of what each merge brought.
	clockLooked, mergedLooked = 1000, 8
)

// clockFinding compares the times of the last commits with this machine's.
func (s *Store) clockFinding() (Finding, error) {
	tip, err := s.tip()
	if err != nil {
		return Finding{}, err
	}
	now := s.now()
	ahead, err := s.ahead(tip, now)
	switch {
	case err != nil:
		return Finding{}, err
	case len(ahead) == 0:
		return Finding{Fine, "clock", "no commit is of the future", ""}, nil
	}
	c, here := ahead[0], "it is "+records.FormatTime(now)+" here, and "
	if c.ID == tip.ID() {
		return Finding{ByHand, "clock", here + "the last commit is of " + records.FormatTime(dated(c)),
			"set this machine's clock, or that of whoever committed " + c.ID.Short()}, nil
	}
	text := fmt.Sprintf("%scommit %s by %s is of %s", here, c.ID.Short(), records.Visible(c.Author.Name), records.FormatTime(dated(c)))
	if n := len(ahead); n > 1 {
		text += fmt.Sprintf(", with %d more of the future", n-1)
	}
	return Finding{Notable, "clock", text, "what it moved is stamped so; later stamps of the same records are no earlier"}, nil
}

// dated gives the later of a commit's two times.
func dated(c repo.Commit) time.Time {
	if c.AuthorTime.After(c.CommitTime) {
		return c.AuthorTime
	}
	return c.CommitTime
}

// ahead gives those of the last commits, the newest of the branch first, that say
// they are of the future.
func (s *Store) ahead(tip *repo.Snapshot, now time.Time) (ahead []repo.Commit, err error) {
	seen := map[repo.ID]bool{}
	look := func(from *repo.Snapshot, most int, merge func(repo.Commit) error) error {
		for c, err := range from.Log() {
			if err != nil {
				return err
			}
			if most--; most < 0 {
				return nil
			}
			if !seen[c.ID] && dated(c).Sub(now) > maxAhead {
				ahead = append(ahead, c)
			}
			seen[c.ID] = true
			if err := merge(c); err != nil {
				return err
			}
		}
		return nil
	}
	err = look(tip, clockLooked, func(c repo.Commit) error {
		for _, p := range c.Parents[min(1, len(c.Parents)):] {
			brought, err := s.repo.At(p)
			if err != nil {
				return err
			}
			if err := look(brought, mergedLooked, func(repo.Commit) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	return ahead, err
}
