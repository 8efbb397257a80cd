package repo

import (
	"context"
	"strings"
	"time"
)

// logWait bounds how long git may look for the commits of a path.
const logWait = 30 * time.Second

// LogOf gives those commits of [Snapshot.Log] that changed a file at one of the
// paths, newest first. git finds them: it compares no more of two trees than leads
// to the paths, and where the repository has a commit-graph that notes which paths
// a commit changed, it looks at hardly any other commit.
func (r *Repo) LogOf(ctx context.Context, s *Snapshot, paths ...string) ([]Commit, error) {
	if s.id.IsZero() || len(paths) == 0 {
		return nil, nil
	}
	args := []string{"rev-list", "--first-parent", s.id.String(), "--"}
	for _, path := range paths {
		args = append(args, ":(literal)"+path)
	}
	ctx, stop := context.WithTimeout(ctx, logWait)
	defer stop()
	out, err := r.git(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for _, hex := range strings.Fields(out) {
		id, err := ParseID(hex)
		if err != nil {
			return nil, err
		}
		c, err := s.commit(id)
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
}
