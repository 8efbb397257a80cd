package repo

import (
	"context"
	"fmt"
	"slices"
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
	known := s.written()
	if len(known) == 0 {
		return ID{}, nil
	}
	if _, ok := s.chain(other); ok {
		return known[0], nil
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

// written are the commits that git can see of those a snapshot descends from:
// its own, and while it is only to be, those it stands on.
func (s *Snapshot) written() []ID {
	switch {
	case s.id.IsZero():
		return nil
	case s.pending != nil:
		return s.pending.stored
	}
	return []ID{s.id}
}

// maxSteps bounds how many commits are read before git is asked: as long as a
// process takes to start.
const maxSteps = 32

// chain gives the commits by which another one descends from the snapshot's, each
// after its parent, where they are few and none is a merge, as in nearly every push.
// ok is false where git has to be asked.
func (s *Snapshot) chain(to ID) (commits []Commit, ok bool) {
	known := s.written()
	if len(known) != 1 {
		return nil, false
	}
	for at := to; at != known[0]; {
		c, err := s.commit(at)
		if err != nil || len(c.Parents) != 1 || len(commits) == maxSteps {
			return nil, false
		}
		commits, at = append(commits, c), c.Parents[0]
	}
	slices.Reverse(commits)
	return commits, true
}

// Brought gives the commits that a push would add to a snapshot: those that its
// commit can be reached from and the snapshot's own cannot, each after its
// parents.
func (r *Repo) Brought(s *Snapshot, commit ID) ([]Commit, error) {
	if commits, ok := s.chain(commit); ok {
		return commits, nil
	}
	args := []string{"rev-list", "--topo-order", "--reverse", commit.String()}
	for _, id := range s.written() {
		args = append(args, "^"+id.String())
	}
	ctx, stop := context.WithTimeout(context.Background(), baseWait)
	defer stop()
	out, err := r.git(ctx, nil, args...)
	if err != nil {
		return nil, fmt.Errorf("listing what %s brings: %w", commit, err)
	}
	return s.commits(out)
}

// commits reads the commits that git lists, an id a line.
func (s *Snapshot) commits(list string) ([]Commit, error) {
	var commits []Commit
	for line := range strings.FieldsSeq(list) {
		id, err := ParseID(line)
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
