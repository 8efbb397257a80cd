package clone

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
)

// BeforeRebase gives the drafts, by their files, for which a rebase of branch onto
// upstream would stop: upstream has them no more, since they got their ids there, a
// commit of the branch alone changes them, and what the list wrote into them is so
// much that git takes none of its files for them. branch "" is the one that is
// checked out.
func (c *Clone) BeforeRebase(ctx context.Context, upstream, branch string) ([]string, error) {
	if branch == "" {
		branch = "HEAD"
	}
	base, err := c.git(ctx, "merge-base", upstream, branch)
	if err != nil {
		return nil, err
	}
	// Half of a file, and how many of them are compared, are what git goes by in a rebase.
	gone, err := c.git(ctx, append([]string{"diff-tree", "-r", "-z", "-M50%", "-l7000", "--name-only", "--diff-filter=D",
		strings.TrimSpace(string(base)), upstream}, ours...)...)
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	changed, err := c.git(ctx, append([]string{"log", "-z", "--format=", "--name-only", "--no-renames", upstream + ".." + branch}, ours...)...)
	if err != nil {
		return nil, err
	}
	edited := names(changed)
	return slices.DeleteFunc(names(gone), func(name string) bool {
		_, _, isRecord := records.ParseID(strings.TrimSuffix(path.Base(name), ".md"))
		return isRecord || !slices.Contains(edited, name)
	}), nil
}
