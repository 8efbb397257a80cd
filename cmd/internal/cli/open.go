package cli

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// access says what a command does to the list.
type access uint8

const (
	reads  access = iota + 1
	writes        // makes the default repository where it is missing
	serves        // the same, for callers that name themselves
	amends        // writes to what is there: without a list there is nothing
)

// opened is the list, opened for one command.
type opened struct {
	*front
	c      *urfave.Context
	store  *tools.Store
	who    tools.Who
	caller tools.Caller
}

// with opens the list, does what a command does, prints it, and closes the
// list after that: closing may take its time.
func (f *front) with(c *urfave.Context, what access, do func(*opened) error) error {
	o, done, err := f.open(c, what)
	if err != nil {
		return err
	}
	defer done()
	if err := do(o); err != nil {
		return err
	}
	return f.flush()
}

func (f *front) open(c *urfave.Context, what access) (o *opened, done func(), err error) {
	branch, _, err := f.named(c, "branch", "GIT_TASKS_BRANCH")
	if err != nil {
		return nil, nil, err
	}
	settings, err := f.settings(c)
	if err != nil {
		return nil, nil, err
	}
	who, err := f.who(c, what, settings)
	if err != nil {
		return nil, nil, err
	}
	store, remove, err := f.openStore(c, what, tools.Config{
		Branch: branch, Host: f.env.Host, Settings: settings, Environ: f.env.Environ, Now: f.env.Now, Log: f.log()})
	if err != nil {
		return nil, nil, err
	}
	done = func() {
		store.Close() // what it could not do, it has logged
		remove()
	}
	caller, err := store.Caller(who)
	if err != nil {
		done()
		return nil, nil, err
	}
	return &opened{f, c, store, who, caller}, done, nil
}

// openStore opens the repository. The default one need not be there: a command
// that writes makes it, one that reads sees the empty list that it would be.
func (f *front) openStore(c *urfave.Context, what access, cfg tools.Config) (*tools.Store, func(), error) {
	path, named, err := f.repository(c)
	if err != nil {
		return nil, nil, err
	}
	cfg.Path = path
	keep := func() {}
	store, err := tools.Open(cfg)
	switch {
	case err == nil || !repo.IsKind(err, repo.Missing):
		return store, keep, err
	case named:
		missing := &tools.Error{Code: tools.Invalid, Message: tools.AsError(err).Message}
		return nil, nil, &hinted{missing, initHint(path), true}
	case (what == reads || what == amends) && !nothingAt(path): // it may have been made meanwhile
		store, err = tools.Open(cfg)
		return store, keep, err
	case what == reads || what == amends:
		f.note("there is no list yet; git tasks add makes it")
		f.noList = true
		return f.openEmpty(cfg)
	}
	made, err := f.makeList(path)
	if err != nil {
		return nil, nil, err
	}
	if made {
		f.note("made the list " + path)
	}
	if store, err = tools.Open(cfg); err != nil {
		return nil, nil, err
	}
	if _, err := store.Enroll(c.Context); err != nil {
		store.Close()
		return nil, nil, err
	}
	return store, keep, nil
}

// initHint is what helps on where a repository was named and is not there.
func initHint(path string) string {
	if nothingAt(path) {
		return "git tasks init " + quoted(path)
	}
	return "name the folder of a repository; git tasks init PATH makes one where nothing is yet"
}

// nothingAt reports whether a list can still be made at path. Whatever lies
// there already, and be it a link to nowhere or what may not be looked at, is
// not taken for an empty list.
func nothingAt(path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

// openEmpty opens a list that lasts as long as the command.
func (f *front) openEmpty(cfg tools.Config) (*tools.Store, func(), error) {
	dir, err := os.MkdirTemp(f.env.get("TMPDIR"), "git-tasks-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	cfg.Path = filepath.Join(dir, "records.git")
	if _, err = repo.Init(cfg.Path); err == nil {
		var store *tools.Store
		if store, err = tools.Open(cfg); err == nil {
			return store, remove, nil
		}
	}
	remove()
	return nil, nil, err
}

// repository gives the path of the repository, and whether anyone named it.
func (f *front) repository(c *urfave.Context) (path string, named bool, err error) {
	path, named, err = f.named(c, "repo", "GIT_TASKS_REPO")
	if err != nil || named {
		return f.abs(path), named, err
	}
	data, err := f.home("XDG_DATA_HOME", ".local/share")
	if err != nil {
		return "", false, err
	}
	return filepath.Join(data, "git-tasks", "records.git"), false, nil
}

// settings reads the settings file: the one that is named, which must be
// there, or the person's, which need not.
func (f *front) settings(c *urfave.Context) (*tools.Settings, error) {
	file, named, err := f.settingsFile(c)
	if err != nil {
		return nil, err
	}
	if named {
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return nil, withHint(usage("there is no settings file %s", file),
				"the flag --config or GIT_TASKS_CONFIG names it; without them the settings need not be there")
		}
	}
	settings, err := tools.LoadSettings(file)
	if err != nil {
		return nil, settingsHint(err)
	}
	return settings, nil
}

// settingsFile gives the path of the settings file, and whether anyone named it.
func (f *front) settingsFile(c *urfave.Context) (path string, named bool, err error) {
	path, named, err = f.named(c, "config", "GIT_TASKS_CONFIG")
	if err != nil || named {
		return f.abs(path), named, err
	}
	config, err := f.home("XDG_CONFIG_HOME", ".config")
	if err != nil {
		return "", false, err
	}
	return filepath.Join(config, "git-tasks", "config.json"), false, nil
}

// home gives a folder of the XDG base directories: the variable where it is an
// absolute path, as they ask, else a folder of the home.
func (f *front) home(variable, otherwise string) (string, error) {
	if dir := f.env.get(variable); filepath.IsAbs(dir) {
		return dir, nil
	}
	home := f.env.get("HOME")
	if home == "" {
		return "", usage("HOME is not set; name the repository and the settings file (--repo, --config)")
	}
	return filepath.Join(home, otherwise), nil
}

// log lets warnings through to standard error, where nothing but an agent's
// answer is wanted only errors.
func (f *front) log() *slog.Logger {
	if f.daemon {
		return f.serviceLog()
	}
	level := slog.LevelWarn
	if f.plain {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(f.env.Stderr, &slog.HandlerOptions{Level: level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@:,", r))
	}) {
		return "'" + strings.ReplaceAll(records.Visible(path), "'", `'\''`) + "'"
	}
	return path
}
