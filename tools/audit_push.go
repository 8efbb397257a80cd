package tools

import (
	"slices"

	"github.com/git-tasks/git-tasks/repo"
)

// side is what a merge on the branch brought: the commits that no older one had,
// its tip first, and where they part from what was there.
type side struct {
	merge   repo.Commit
	brought []repo.Commit
	bases   []repo.ID
}

// firstParents gives the branch, step by step, the oldest first. commits come after
// their parents, the tip last.
func firstParents(commits []repo.Commit) (branch []repo.Commit) {
	at := map[repo.ID]repo.Commit{}
	for _, c := range commits {
		at[c.ID] = c
	}
	for c, ok := last(commits); ok; c, ok = at[firstOf(c.Parents)] {
		branch = append(branch, c)
	}
	slices.Reverse(branch)
	return branch
}

// sidesOf gives what each merge on a branch brought.
func sidesOf(branch, commits []repo.Commit) (sides []side) {
	at, seen := map[repo.ID]repo.Commit{}, map[repo.ID]bool{}
	for _, c := range commits {
		at[c.ID] = c
	}
	for _, c := range branch {
		seen[c.ID] = true
	}
	for _, c := range branch { // each brings what no older one did
		if len(c.Parents) < 2 {
			continue
		}
		s := side{merge: c}
		for stack := slices.Clone(c.Parents[1:]); len(stack) > 0; {
			id := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			b, ok := at[id]
			switch {
			case ok && !seen[id]:
				seen[id] = true
				s.brought = append(s.brought, b)
				stack = append(stack, b.Parents...)
			case !slices.ContainsFunc(s.brought, func(b repo.Commit) bool { return b.ID == id }) && !slices.Contains(s.bases, id):
				s.bases = append(s.bases, id)
			}
		}
		sides = append(sides, s)
	}
	return sides
}

// mergedIn gives the commits that pushes brought which the door merged. Ids that
// they use are judged in the merge: a record whose id the branch had given to
// another meanwhile became a draft there.
func mergedIn(sides []side, ofTheDoor func(repo.Commit) bool) map[repo.ID]bool {
	brought := map[repo.ID]bool{}
	for _, s := range sides {
		ours := ofTheDoor(s.merge)
		for _, c := range s.brought {
			brought[c.ID] = ours
		}
	}
	return brought
}

func last(commits []repo.Commit) (repo.Commit, bool) {
	if len(commits) == 0 {
		return repo.Commit{}, false
	}
	return commits[len(commits)-1], true
}

func firstOf(parents []repo.ID) repo.ID {
	if len(parents) == 0 {
		return repo.ID{}
	}
	return parents[0]
}
