package repo

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// baseWait bounds how long git may look for a common ancestor.
const baseWait = 30 * time.Second

// Base gives the best common ancestor of a snapshot's commit and another one, as
// git merge-base finds it: the snapshot's own commit where the other descends
// from it, the other where it is the older, zero where they have nothing in
// common or the snapshot is of the time before the first commit.
func (r *Repo) Base(s *Snapshot, other ID) (ID, error) {
	known := []ID{s.id}
	if s.pending != nil { // git cannot see what is not written yet
		known = s.pending.stored
	}
	if s.id.IsZero() || len(known) == 0 {
		return ID{}, nil
	}
	args := []string{"merge-base", "--all", other.String()}
	for _, id := range known {
		args = append(args, id.String())
	}
	ctx, stop := context.WithTimeout(context.Background(), baseWait)
	defer stop()
	out, err := r.git(ctx, nil, args...)
	if err != nil && !exitedWith(err, 1) { // 1: no common ancestor
		return ID{}, fmt.Errorf("looking for the common ancestor of %s and %s: %w", s.id, other, err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	if first == "" {
		return ID{}, nil
	}
	return ParseID(first)
}
