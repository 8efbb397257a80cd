package tools

import "github.com/git-tasks/git-tasks/repo"

// mergedIn gives the commits that pushes brought which the door merged. Ids that
// they use are judged in the merge: a record whose id the branch had given to
// another meanwhile became a draft there. commits come after their parents, the
// tip last.
func mergedIn(commits []repo.Commit, ofTheDoor func(repo.Commit) bool) map[repo.ID]bool {
	var merges []repo.Commit
	at := map[repo.ID]repo.Commit{}
	for _, c := range commits {
		at[c.ID] = c
	}
	seen := map[repo.ID]bool{}
	for c, ok := last(commits); ok; c, ok = at[firstOf(c.Parents)] {
		seen[c.ID] = true
		if len(c.Parents) > 1 {
			merges = append(merges, c)
		}
	}
	brought := map[repo.ID]bool{}
	for i := len(merges) - 1; i >= 0; i-- { // the oldest first: each brings what no older one did
		stack := merges[i].Parents[1:]
		for len(stack) > 0 {
			id := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if c, ok := at[id]; ok && !seen[id] {
				seen[id] = true
				brought[id] = ofTheDoor(merges[i])
				stack = append(stack[:len(stack):len(stack)], c.Parents...)
			}
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
