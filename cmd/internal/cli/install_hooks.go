package cli

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/hooks"
)

// hooksName is what install takes for the hooks of a list.
const hooksName = "hooks"

// installHooks gives the list the hooks that pushes go through, as init does.
func (f *front) installHooks(c *urfave.Context) error {
	dir, err := f.hooked(c)
	if err != nil {
		return err
	}
	if f.isPassing() {
		return usage("the hooks would name a program that is gone by then; install git-tasks, and do it with that")
	}
	if err := f.equip(dir); err != nil {
		return err
	}
	return f.didHooks(true, "pushes to "+visibleText(dir)+" are checked, and landed by git-tasks", "")
}

// uninstallHooks takes them out again.
func (f *front) uninstallHooks(c *urfave.Context) error {
	dir, err := f.hooked(c)
	if err != nil {
		return err
	}
	changed, err := hooks.Uninstall(dir)
	if err != nil {
		return err
	}
	return f.didHooks(changed, "pushes to "+visibleText(dir)+" are git's own now, and nobody checks them; git tasks init or serve has them checked again",
		visibleText(dir)+" has none of git-tasks'")
}

func (f *front) didHooks(changed bool, did, kept string) error {
	if f.json {
		return f.document(map[string]bool{"changed": changed})
	}
	if !changed {
		did = kept
	}
	f.printf("%s\n", did)
	return nil
}

// hooked is the list that hooks are put into or taken out of.
func (f *front) hooked(c *urfave.Context) (string, error) {
	for _, flag := range []string{"project", "dry-run", "force", "url"} {
		if c.IsSet(flag) {
			return "", usage("--%s is about a client's settings file, not about hooks", flag)
		}
	}
	path, _, err := f.repository(c)
	if err == nil && nothingAt(path) {
		err = withHint(usage("there is no list at %s", path), "git tasks init makes it, hooks and all")
	}
	return path, err
}
