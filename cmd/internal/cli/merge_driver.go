package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
	"github.com/git-tasks/git-tasks/tools"
)

// mergeDriverCommand is what git runs in a clone to merge one file.
func (f *front) mergeDriverCommand() *urfave.Command {
	return &urfave.Command{
		Name: "merge-driver", Usage: "what git runs in a clone to merge a record", Hidden: true,
		ArgsUsage: "BASE OURS THEIRS PATH", Description: "git tasks merge-driver %O %A %B %P",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 4, 4); err != nil {
				return err
			}
			at, err := clone.Find(c.Context, f.env.Dir, f.env.Environ)
			if err != nil {
				return err
			}
			v := clone.Versions{Base: c.Args().Get(0), Ours: c.Args().Get(1), Theirs: c.Args().Get(2), Path: c.Args().Get(3)}
			done, err := at.Merge(c.Context, v)
			if err != nil {
				return err
			}
			for _, line := range done.Said {
				f.note(line)
			}
			f.faults(done.Left)
			switch {
			case len(done.Left) > 0:
				return &tools.Error{Code: tools.Internal, Message: v.Path + " cannot be merged by its fields"}
			case done.Apart != "":
				return &tools.Error{Code: tools.Internal, Message: done.SetApart(v.Path)}
			case done.Gone != "":
				return &tools.Error{Code: tools.Internal, Message: done.Strayed(v.Path)}
			}
			return nil
		},
	}
}
