package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// setting is one line of a repository's configuration.
type setting struct{ section, key, value string }

// settings are what a repository of ours must say for itself: it is bare, marked as
// made by git-tasks, never collected behind our back, synced by git as we sync it,
// and it keeps a log of its branch. A push may neither rewind nor delete a branch.
var settings = []setting{
	{"core", "repositoryformatversion", "0"},
	{"core", "filemode", "true"},
	{"core", "bare", "true"},
	{"core", "logAllRefUpdates", "true"},
	{"core", "fsync", "all"},
	{"gc", "auto", "0"},
	{"maintenance", "auto", "false"},
	{"receive", "autogc", "false"},
	{"receive", "fsckObjects", "true"},
	{"receive", "denyNonFastForwards", "true"},
	{"receive", "denyDeletes", "true"},
	{"git-tasks", "init", "1"},
}

// Init makes a bare repository at path, which must not exist or be an empty
// folder, and says so with made. A repository that Init made before is given
// what it lacks and keeps all else; any other one is [Unsupported].
// It appears whole or not at all, however many processes make it at once.
func Init(path string) (made bool, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return false, err
	}
	if exists(filepath.Join(path, "HEAD")) || exists(filepath.Join(path, ".git")) {
		return false, complete(path)
	}
	if err := refuseNone(path, path); IsKind(err, Damaged) {
		return false, err
	}
	if err := (disk{}).mkdir(filepath.Dir(path)); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	whole := filepath.Join(temp, "whole") // made by the person's umask, as temp is not
	if err := layOut(whole); err != nil {
		return false, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if err := os.Chmod(whole, info.Mode().Perm()); err != nil {
			return false, err
		}
	}
	// The system's own rename, unlike that of package os, takes the place of a
	// folder that is empty.
	if err := syscall.Rename(whole, path); err != nil {
		if exists(filepath.Join(path, "HEAD")) { // another process was first
			return false, complete(path)
		}
		if entries, rerr := os.ReadDir(path); rerr == nil && len(entries) > 0 {
			return false, &Error{Kind: Unsupported, Text: path + " holds other files; name a folder that is empty or not there"}
		}
		return false, &os.LinkError{Op: "rename", Old: whole, New: path, Err: err}
	}
	return true, disk{}.syncDir(filepath.Dir(path))
}

// layOut makes the folder of a repository, everything synced.
func layOut(dir string) error {
	d := disk{}
	for _, folder := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "git-tasks"} {
		if err := d.mkdir(filepath.Join(dir, filepath.FromSlash(folder))); err != nil {
			return err
		}
	}
	if err := d.write(newFile{filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644}); err != nil {
		return err
	}
	if err := d.write(newFile{filepath.Join(dir, "config"), []byte(renderSettings()), 0o644}); err != nil {
		return err
	}
	return d.syncDir(dir)
}

func renderSettings() string {
	var b strings.Builder
	section := ""
	for _, s := range settings {
		if s.section != section {
			section = s.section
			fmt.Fprintf(&b, "[%s]\n", section)
		}
		fmt.Fprintf(&b, "\t%s = %s\n", s.key, s.value)
	}
	return b.String()
}

// complete adds the settings that a repository of ours does not name. Those it
// names stand, whatever they say.
func complete(path string) error {
	dir, err := gitDir(path)
	if err != nil {
		return err
	}
	return extend(dir, path, settings)
}
