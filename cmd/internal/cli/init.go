package cli

import (
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

func (f *front) initCommand() *urfave.Command {
	return &urfave.Command{
		Name: "init", Category: upkeep, ArgsUsage: "[PATH]", Usage: "make the repository of a list, and print where it is",
		Description: "git tasks init /srv/tasks.git",
		Action: func(c *urfave.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			path, err := f.initPath(c)
			if err != nil {
				return err
			}
			made, err := f.makeList(path)
			if err != nil {
				return err
			}
			keyed, err := f.enroll(c, path)
			if err != nil {
				return err
			}
			if f.json {
				return f.document(struct {
					Path string `json:"path"`
					Made bool   `json:"made"`
				}{path, made})
			}
			f.printf("%s\n", path)
			if !made {
				f.note("it was there already")
			}
			if keyed && !made {
				f.note("it had no key that its branch names; it has one now")
			}
			return nil
		},
	}
}

// makeList makes the repository of a list, with the hooks that pushes to it go
// through, or gives one that is there what it lacks.
func (f *front) makeList(path string) (made bool, err error) {
	made, err = repo.Init(path)
	if err == nil {
		err = f.equip(path)
	}
	return made, err
}

// enroll gives the repository at path its key.
func (f *front) enroll(c *urfave.Context, path string) (bool, error) {
	store, err := tools.Open(tools.Config{Path: path, Host: f.env.Host, Environ: f.env.Environ, Now: f.env.Now, Log: f.log()})
	if err != nil {
		return false, err
	}
	defer store.Close()
	return store.Enroll(c.Context)
}

// initPath is the argument, else what every command would open.
func (f *front) initPath(c *urfave.Context) (string, error) {
	switch {
	case c.NArg() == 0:
		path, _, err := f.repository(c)
		return path, err
	case c.IsSet("repo"):
		return "", usage("init takes PATH or --repo, not both")
	case c.Args().First() == "":
		return "", usage("PATH must not be empty")
	}
	path := f.abs(c.Args().First())
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return "", usage("%s is a file; name a folder that is empty or not there", path)
	}
	return path, nil
}
