package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
	"github.com/git-tasks/git-tasks/tools"
)

// preRebaseCommand is what the hook of a clone runs. What it cannot look at it lets
// pass: git stops then where it does not know a file again.
func (f *front) preRebaseCommand() *urfave.Command {
	return &urfave.Command{
		Name: "pre-rebase", Usage: "what git runs in a clone before a rebase", ArgsUsage: "UPSTREAM [BRANCH]",
		Description: "git tasks hook pre-rebase origin/main",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 1, 2); err != nil {
				return err
			}
			at, err := clone.Find(c.Context, f.env.Dir, f.env.Environ)
			if err != nil {
				return err
			}
			lost, err := at.BeforeRebase(c.Context, c.Args().Get(0), c.Args().Get(1))
			if err != nil {
				f.note("nobody looked for drafts that git does not know again: " + err.Error())
				return nil
			}
			for _, name := range lost {
				f.note(name + ": has its id on the list by now, and git does not know it again there")
			}
			if len(lost) > 0 {
				return withHint(&tools.Error{
					Code:    tools.Internal,
					Message: "nothing was rebased, since it would stop in the middle, at what you changed in " + count(len(lost), "draft"),
				}, "git push lands it, since the list knows a draft by its id; then git pull")
			}
			return nil
		},
	}
}
