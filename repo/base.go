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
	commits, err := s.commits(out)
	if err != nil {
		return nil, err
	}
	wrong, err := r.listsTooMuch(ctx, s.written(), commits)
	if err == nil && wrong {
		commits, err = r.without(ctx, commits, s.written())
	}
	if err != nil {
		return nil, fmt.Errorf("listing what %s brings: %w", commit, err)
	}
	return commits, nil
}

// listsTooMuch reports whether git took some commits that known ones descend from
// for new. git goes by dates there: where those of a branch are far behind the ones of
// the commits it stands on, it gives up before it has met them. What it takes for new
// by mistake it does with all that came before, as far as it lists that, so the first
// of every line tell; of known commits and those, git tells the ones that others
// descend from by parents alone.
func (r *Repo) listsTooMuch(ctx context.Context, known []ID, listed []Commit) (bool, error) {
	isListed := make(map[ID]bool, len(listed))
	args := []string{"merge-base", "--independent"}
	for _, id := range known {
		args = append(args, id.String())
	}
	var firsts []string
	for _, c := range listed { // parents first
		if !slices.ContainsFunc(c.Parents, func(p ID) bool { return isListed[p] }) {
			firsts = append(firsts, c.ID.String())
		}
		isListed[c.ID] = true
	}
	if len(known) == 0 || len(firsts) == 0 || len(firsts) > maxSteps {
		return len(known) > 0 && len(firsts) > 0, nil
	}
	out, err := r.git(ctx, nil, append(args, firsts...)...)
	if err != nil {
		return false, err
	}
	independent := strings.Fields(out)
	return slices.ContainsFunc(firsts, func(id string) bool { return !slices.Contains(independent, id) }), nil
}

// without leaves out the commits that known ones descend from, by a walk through all
// of those.
func (r *Repo) without(ctx context.Context, commits []Commit, known []ID) ([]Commit, error) {
	args := []string{"rev-list"}
	for _, id := range known {
		args = append(args, id.String())
	}
	out, err := r.git(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	older := map[string]bool{}
	for id := range strings.FieldsSeq(out) {
		older[id] = true
	}
	return slices.DeleteFunc(commits, func(c Commit) bool { return older[c.ID.String()] }), nil
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
