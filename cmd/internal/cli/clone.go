package cli

import (
	"os"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/cmd/internal/clone"
)

// cloneName is what install takes for the clone around the working folder.
const cloneName = "clone"

func (f *front) cloneCommand() *urfave.Command {
	return &urfave.Command{
		Name: "clone", Category: upkeep, ArgsUsage: "[URL|PATH] [DIR]", Usage: "clone a list, to edit its files and push them",
		Description: "git tasks clone",
		Action:      f.clone,
	}
}

func (f *front) clone(c *urfave.Context) error {
	if err := arguments(c, 0, 2); err != nil {
		return err
	}
	source, err := f.cloneSource(c)
	if err != nil {
		return err
	}
	if f.isPassing() {
		return usage("the clone would name a program that is gone by then; install git-tasks, and clone with that")
	}
	at, err := clone.Make(c.Context, source, f.env.Environ, f.env.Stderr)
	if err != nil {
		return err
	}
	done, err := at.Install(c.Context, f.env.Program)
	if err != nil {
		return err
	}
	if f.json {
		return f.document(map[string]any{"path": source.To, "notes": append([]string{}, done.Said...)})
	}
	f.printf("%s\n", visibleText(source.To))
	if err := f.flush(); err != nil {
		return err
	}
	for _, line := range done.Said {
		f.note(line)
	}
	return nil
}

// cloneSource is what is to be cloned: the first argument, else the list that
// every command would open.
func (f *front) cloneSource(c *urfave.Context) (clone.Source, error) {
	source := clone.Source{From: c.Args().Get(0)}
	var err error
	if source.Branch, _, err = f.named(c, "branch", "GIT_TASKS_BRANCH"); err != nil {
		return source, err
	}
	switch {
	case c.NArg() > 0 && source.From == "":
		return source, usage("URL must not be empty")
	case c.NArg() > 0 && c.IsSet("repo"):
		return source, usage("clone takes URL or --repo, not both")
	case c.NArg() == 0:
		if source.From, _, err = f.repository(c); err != nil {
			return source, err
		}
		if nothingAt(source.From) {
			return source, withHint(usage("there is no list at %s", source.From), "git tasks add makes it; git tasks clone URL clones another")
		}
	}
	if _, err := os.Lstat(f.abs(source.From)); err == nil {
		source.From = f.abs(source.From)
	}
	to := clone.FolderOf(source.From)
	if c.NArg() == 2 {
		to = c.Args().Get(1)
	}
	if to == "" || f.env.Dir == "" && !filepath.IsAbs(to) {
		return source, usage("DIR must name the folder of the clone")
	}
	source.To = f.abs(to)
	return source, nil
}

// installClone gives the clone around the working folder what git tasks clone gives
// a new one.
func (f *front) installClone(c *urfave.Context) error {
	at, err := f.existingClone(c)
	if err != nil {
		return err
	}
	if f.isPassing() {
		return usage("the clone would name a program that is gone by then; install git-tasks, and do it with that")
	}
	done, err := at.Install(c.Context, f.env.Program)
	return f.saidOfClone(done, err, "added to the clone: merge driver, hooks, headings of hunks, push to refs/for", "the clone has all of it already")
}

func (f *front) uninstallClone(c *urfave.Context) error {
	at, err := f.existingClone(c)
	if err != nil {
		return err
	}
	done, err := at.Uninstall()
	return f.saidOfClone(done, err, "removed from the clone what was added", "the clone has nothing of it")
}

func (f *front) existingClone(c *urfave.Context) (*clone.Clone, error) {
	for _, flag := range []string{"project", "dry-run", "force", "url"} {
		if c.IsSet(flag) {
			return nil, usage("--%s is about a client's settings file, not about a clone", flag)
		}
	}
	at, err := clone.Find(c.Context, f.env.Dir, f.env.Environ)
	if err != nil {
		return nil, noClone(err)
	}
	return at, nil
}

// saidOfClone prints what was done to a clone.
func (f *front) saidOfClone(done clone.Installed, err error, changed, kept string) error {
	if err != nil {
		return err
	}
	if f.json {
		return f.document(map[string]any{"changed": done.Changed, "notes": append([]string{}, done.Said...)})
	}
	if !done.Changed {
		changed = kept
	}
	f.printf("%s\n", changed)
	if err := f.flush(); err != nil {
		return err
	}
	for _, line := range done.Said {
		f.note(line)
	}
	return nil
}
