package clone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// configFile and pushFile lie beside the settings of the clone, which include
	// the first, and that the second where the branch of the list is checked out.
	configFile = "git-tasks.config"
	pushFile   = "git-tasks.push.config"
)

// attributes say which files are merged and shown as records.
const attributes = `tasks/**/*.md merge=git-tasks diff=git-tasks
plans/**/*.md merge=git-tasks diff=git-tasks
tasks/.highest merge=git-tasks
plans/.highest merge=git-tasks
`

// Installed is what Install or Uninstall did.
type Installed struct {
	Changed bool
	// Said has a line for each thing that was not done, and why.
	Said []string
}

// Install gives the clone what it needs beside git: the merge driver, headings of
// hunks, the hooks before a commit and a rebase, and a plain git push that lands a stale clone as
// well. What others have in its settings, attributes and hooks stays byte for byte;
// another hook runs first. program is the path of this program. Done again, it
// brings to date what it did before.
func (c *Clone) Install(ctx context.Context, program string) (Installed, error) {
	var done Installed
	push, err := c.pushSettings(ctx, &done)
	if err != nil {
		return done, err
	}
	steps := []func() (bool, error){
		func() (bool, error) { return write(filepath.Join(c.common, configFile), c.settings(program, push)) },
		func() (bool, error) { return write(filepath.Join(c.common, pushFile), push.text) },
		func() (bool, error) {
			at := filepath.Join(c.common, "config")
			return markFile(at, "[include]\n\tpath = "+configFile+"\n", at+".lock")
		},
		func() (bool, error) { return markFile(filepath.Join(c.common, "info", "attributes"), attributes, "") },
	}
	hooks := filepath.Join(c.common, "hooks")
	switch other, err := c.otherHooks(ctx, hooks); {
	case err != nil:
		return done, err
	case other != "":
		done.Said = append(done.Said, fmt.Sprintf("core.hooksPath names %s, which is yours: no hook was put there; "+
			"git-tasks hook pre-commit in a hook of that name has commits looked at, "+
			`and git-tasks hook pre-rebase "$@" finds drafts that git does not know again`, other))
	default:
		for _, h := range clonesHooks() {
			steps = append(steps, func() (bool, error) { return h.add(hooks, program) })
		}
	}
	return done, done.do(steps)
}

// Uninstall takes away what Install gave. What was there before is there again,
// byte for byte, and what came since stays.
func (c *Clone) Uninstall() (Installed, error) {
	var done Installed
	at, hooks := filepath.Join(c.common, "config"), filepath.Join(c.common, "hooks")
	var steps []func() (bool, error)
	for _, h := range slices.Backward(clonesHooks()) { // the first knows whether there was a folder
		steps = append(steps, func() (bool, error) { return h.remove(hooks) })
	}
	return done, done.do(append(steps,
		func() (bool, error) { return unmarkFile(at, at+".lock") },
		func() (bool, error) { return unmarkFile(filepath.Join(c.common, "info", "attributes"), "") },
		func() (bool, error) { return remove(filepath.Join(c.common, configFile)) },
		func() (bool, error) { return remove(filepath.Join(c.common, pushFile)) },
	))
}

func (d *Installed) do(steps []func() (bool, error)) error {
	for _, step := range steps {
		changed, err := step()
		if err != nil {
			return err
		}
		d.Changed = d.Changed || changed
	}
	return nil
}

// settings is what git is to know of records wherever one stands in the clone.
func (c *Clone) settings(program string, push pushing) string {
	driver := "b=" + shellQuoted(strings.ReplaceAll(program, "%", "%%")) + `; command -v "$b" >/dev/null || b=git-tasks; ` +
		`command -v "$b" >/dev/null || { git merge-file %A %O %B; exit; }; "$b" merge-driver %O %A %B %P`
	text := "# Made by git tasks install clone; git tasks uninstall clone takes it away.\n" +
		"[merge \"git-tasks\"]\n\tname = records, field by field\n\tdriver = " + quotedSetting(driver) + "\n" +
		"[diff \"git-tasks\"]\n\txfuncname = " + quotedSetting("^((id|title):.*)$") + "\n"
	if host := webHost(push.address); host != "" {
		text += "[credential " + quotedSetting(host) + "]\n\thelper = " + quotedSetting(tokenHelper) + "\n"
	}
	if push.branch != "" {
		text += "[includeIf " + quotedSetting("onbranch:"+push.branch) + "]\n\tpath = " + pushFile + "\n"
	}
	return text
}

// quotedSetting is a text as a value of git's settings.
func quotedSetting(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// otherHooks gives the folder in which git looks for hooks, "" where that is the
// clone's own.
func (c *Clone) otherHooks(ctx context.Context, own string) (string, error) {
	out, err := c.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	folder := filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))
	if err != nil || folder == own {
		return "", err
	}
	return folder, nil
}

// write makes a file of ours say a text, and reports whether it did not.
func write(file, text string) (bool, error) {
	return rewrite(file, "", func(string) string { return text })
}

// remove takes a file of ours away, and reports whether it was there.
func remove(file string) (bool, error) {
	err := os.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
