package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// preCommitCommand is what the hook of a clone runs. What it cannot look at it lets
// pass: the list judges every push itself.
func (f *front) preCommitCommand() *urfave.Command {
	return &urfave.Command{
		Name: "pre-commit", Usage: "what git runs in a clone before a commit",
		Description: "git tasks hook pre-commit",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			at, err := clone.Find(c.Context, f.env.Dir, f.env.Environ)
			if err != nil {
				return err
			}
			done, err := at.BeforeCommit(c.Context, f.author(c), f.env.Now())
			for _, line := range done.Mended {
				f.note(line)
			}
			if err != nil {
				f.note("nobody looked at the records of this commit; the list will, when it is pushed: " + err.Error())
				return nil
			}
			for _, name := range done.Waiting {
				f.note(name + ": git tasks fmt mends it; then git add it")
			}
			f.faults(done.Left)
			if n := len(done.Left); n > 0 {
				err := &tools.Error{Code: tools.Internal, Message: "nothing was committed: " + count(n, "thing") + " that the list would refuse"}
				return withHint(err, "git commit --no-verify commits it all the same; the push is refused until it is mended")
			}
			return nil
		},
	}
}

// author is who git will say made the commit.
func (f *front) author(c *urfave.Context) string {
	out, err := f.askGit(c.Context, "var", "GIT_AUTHOR_IDENT")
	if err != nil {
		return "" // git will not commit either
	}
	name, _, _ := strings.Cut(out, " <")
	return repo.CleanName(name)
}
