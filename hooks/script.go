package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// mark is the line by which a script is known as ours.
const mark = "# written by git-tasks, and written anew by git tasks init and serve"

// scripts are the hooks that a push goes through.
var scripts = [...]string{"pre-receive", "proc-receive"}

// Script says how a hook script finds its way back to us.
type Script struct {
	Program string   // the binary that installs it; where it is gone the one on PATH is taken
	Flags   []string // of git tasks, ahead of the command
	Mend    string   // the command line that writes the script anew
}

// Install gives a repository that git-tasks made the scripts that pushes to it go
// through, and the settings that have git run them: git itself moves no branch
// then. Scripts of ours are written anew where they differ. One of somebody else's
// is never touched: that is an error, and pushes are then refused or go another
// way.
func Install(dir string, s Script) error {
	if err := repo.Configure(dir); err != nil { // it is ours, or nothing is written
		return err
	}
	if err := Write(filepath.Join(dir, "hooks"), s); err != nil {
		return err
	}
	return repo.Configure(dir, "core.hooksPath=hooks", "receive.unpackLimit=1",
		"receive.procReceiveRefs=refs/heads/main", "receive.procReceiveRefs=refs/for")
}

// Write writes the scripts into a folder.
func Write(folder string, s Script) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("making the folder of the hooks: %w", err)
	}
	for _, name := range scripts {
		if err := write(filepath.Join(folder, name), s.text(name)); err != nil {
			return err
		}
	}
	return nil
}

func write(file, text string) error {
	was, err := os.ReadFile(file)
	switch {
	case err == nil && string(was) == text:
		return nil
	case err == nil && !bytes.Contains(was, []byte("\n"+mark+"\n")):
		return &tools.Error{Code: tools.Invalid, Message: file + " is not git-tasks' own; without it pushes are not checked: move it away, and run git tasks init again"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking for a hook: %w", err)
	}
	// Renamed, so that a push meets one script or the other.
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-")
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // what is beside it is a name of the moment
	}
	if err != nil {
		return fmt.Errorf("writing the hook %s: %w", file, err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(text)
	for _, then := range []func() error{func() error { return temp.Chmod(0o755) }, temp.Sync, temp.Close, func() error { return os.Rename(temp.Name(), file) }} {
		if err == nil {
			err = then()
		}
	}
	if err != nil {
		return fmt.Errorf("writing the hook %s: %w", file, err)
	}
	return nil
}

// text is the script of a hook. What it cannot run it refuses for.
func (s Script) text(name string) string {
	var flags strings.Builder
	for _, f := range s.Flags {
		flags.WriteString(" " + quote(f))
	}
	return fmt.Sprintf(`#!/bin/sh
%s
for p in %s git-tasks; do command -v "$p" >/dev/null 2>&1 && exec "$p"%s hook %s; done
echo %s >&2; exit 1
`, mark, quote(s.Program), flags.String(), name, quote("git-tasks is neither at "+s.Program+" nor on PATH, so nothing is taken; with the one that you have: "+s.Mend))
}

// quote is a text as a shell takes it for one word.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
