package repo

import (
	"context"
	"os"
	"time"
)

const (
	// logWait bounds how long git may look for the commits of a path.
	logWait = 30 * time.Second
	// firstGraph is how many objects a repository may hold for its first
	// commit-graph: of these it takes git some seconds. One that grows with its
	// history costs next to nothing each time.
	firstGraph = 200_000
)

// LogOf gives those commits of [Snapshot.Log] that changed a file at one of the
// paths, newest first. git finds them: for one path in a repository that was
// rolled up it looks at hardly any other commit, since a roll-up notes for each
// commit which paths it changed.
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
	return s.commits(out)
}

// Wrote reports whether a commit that the snapshot's one can be reached from, over all
// parents, changed a file at a path; those that since can be reached from are left
// out, zero for none. git looks for it; the context bounds how long.
func (r *Repo) Wrote(ctx context.Context, s *Snapshot, since ID, path string) (bool, error) {
	if s.id.IsZero() {
		return false, nil
	}
	args := []string{"rev-list", "-1", "--full-history", s.id.String()}
	if !since.IsZero() {
		args = append(args, "^"+since.String())
	}
	out, err := r.git(ctx, nil, append(args, "--", ":(literal)"+path)...)
	return out != "", err
}

// writeGraph has git note of each commit that lacks it where its parents stand in
// history and which paths it changed. It is a cache that git keeps right by itself,
// made in repositories of our own alone: elsewhere most of the history is not
// ours. Where a long history came without one, its owner may have git make it;
// where it cannot be written now, the next roll-up does.
func (r *Repo) writeGraph(ctx context.Context, lock *os.File) {
	cfg, err := readConfig(r.dir)
	if err != nil || !isOwn(cfg) || r.collecting() || r.graphTooLong() {
		return
	}
	_, _ = r.git(ctx, lock, "commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress")
}

// graphTooLong reports whether a first commit-graph would take long.
func (r *Repo) graphTooLong() bool {
	if exists(r.path("objects", "info", "commit-graph")) || exists(r.path("objects", "info", "commit-graphs")) {
		return false
	}
	packs, err := r.storedPacks()
	var objects uint64
	for _, p := range packs {
		objects += uint64(p.objects)
	}
	return err != nil || objects > firstGraph
}
