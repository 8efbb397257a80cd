package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// aside stands behind the name of a hook that was there before ours.
const aside = ".before-git-tasks"

// settings have git run the scripts, and leave the branch to them.
var settings = []string{"core.hooksPath=hooks", "receive.unpackLimit=1",
	"receive.procReceiveRefs=refs/heads/main", "receive.procReceiveRefs=refs/for"}

// Install gives a repository that git-tasks made the scripts that pushes to it go
// through, and the settings that have git run them: git itself moves no branch
// then. Scripts of ours are written anew where they differ; one that somebody
// changed is an error. A pre-receive of somebody else's is put aside and runs
// first; a proc-receive of somebody else's is an error, since one alone can land a
// push.
func Install(dir string, s Script) error {
	if err := repo.Configure(dir); err != nil { // it is ours, or nothing is written
		return err
	}
	if err := Write(filepath.Join(dir, "hooks"), s); err != nil {
		return err
	}
	return repo.Configure(dir, settings...)
}

// Write writes the scripts into a folder.
func Write(folder string, s Script) error {
	err := s.may("mkdir", folder)
	if err == nil {
		err = os.MkdirAll(folder, 0o777)
	}
	if err != nil {
		return fmt.Errorf("making the folder of the hooks: %w", err)
	}
	for _, name := range slices.Backward(scripts[:]) { // what refuses ahead of what is put aside
		if err := s.makeRoom(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, name := range scripts {
		if err := s.write(filepath.Join(folder, name), s.text(name)); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom puts a hook of somebody else's aside, or refuses where ours cannot run
// it. The hook is under both names until ours takes its place, so that no push
// meets none.
func (s Script) makeRoom(file string) error {
	switch whose, err := look(file); {
	case err != nil:
		return err
	case whose == none || whose == ours:
		return nil
	case whose == edited:
		return refusedChange(file)
	case filepath.Base(file) != chained:
		return refused("%s is not git-tasks' own, and only one program can land a push: move it away, and run git tasks init again", file)
	}
	err := s.may("link", file+aside)
	if err == nil {
		err = name(file, file+aside)
	}
	if errors.Is(err, fs.ErrExist) && !same(file, file+aside) {
		return refused("%s was put aside before, and %s is a hook of others again: keep one of the two", file+aside, file)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("putting a hook aside: %w", err)
	}
	return nil
}

// Uninstall takes the scripts and settings out of a repository that git-tasks
// made. A hook that was there before is there again, the same file; what is not as
// Install left it is somebody else's, and stays; one of ours that somebody changed
// is an error, and nothing is taken out. Pushes are git's own from then on.
func Uninstall(dir string) (changed bool, err error) {
	if err := repo.Configure(dir); err != nil {
		return false, err
	}
	for _, name := range scripts {
		file := filepath.Join(dir, "hooks", name)
		switch whose, err := look(file); {
		case err != nil:
			return false, err
		case whose == edited:
			return false, refusedChange(file) // before anything is taken out
		}
	}
	for _, name := range scripts {
		done, err := takeOut(filepath.Join(dir, "hooks", name))
		if err != nil {
			return changed, err
		}
		changed = changed || done
	}
	os.Remove(filepath.Join(dir, "hooks")) // where nothing is left in it
	done, err := repo.Unconfigure(dir, settings...)
	return changed || done, err
}

func takeOut(file string) (changed bool, err error) {
	whose, err := look(file)
	if err != nil {
		return false, err
	}
	_, err = os.Lstat(file + aside)
	waits := err == nil
	switch {
	case whose == edited:
		return false, refusedChange(file)
	case whose == others && waits:
		return false, refused("%s is another hook than git-tasks wrote; the one before it waits as %s: keep one of the two", file, file+aside)
	case whose == others, whose == none && !waits:
		return false, nil
	case waits:
		err = os.Rename(file+aside, file)
	default:
		err = os.Remove(file)
	}
	if err != nil {
		return false, fmt.Errorf("taking a hook out: %w", err)
	}
	return true, nil
}

// look says whose a hook is. A link that leads nowhere is one.
func look(file string) (kind, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return none, fmt.Errorf("looking for a hook: %w", err)
	}
	return kindOf(text), nil
}

// refusedChange refuses to lose what somebody wrote into a script of ours.
func refusedChange(file string) error {
	return refused("%s is git-tasks' own, and was changed since, so it stays: %s, and do it again", file, mendOf(file))
}

// mendOf says what becomes of lines that somebody wrote into a script of ours.
func mendOf(file string) string {
	mend := "take what was added out of it"
	if filepath.Base(file) == chained {
		mend += " (a hook of your own may be " + file + aside + ", which is asked first)"
	}
	return mend
}

// name gives a file a second name. A link is made once more: not every system gives
// one to the link itself.
func name(file, second string) error {
	if to, err := os.Readlink(file); err == nil {
		return os.Symlink(to, second)
	}
	return os.Link(file, second)
}

// same reports whether two names are of one file, or links to one.
func same(a, b string) bool {
	if to, err := os.Readlink(a); err == nil {
		other, err := os.Readlink(b)
		return err == nil && other == to
	}
	one, err := os.Lstat(a)
	two, err2 := os.Lstat(b)
	return err == nil && err2 == nil && os.SameFile(one, two)
}

func refused(format string, args ...any) error {
	return &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf(format, args...)}
}

// write puts a script in its place, or does nothing where it is there. It is
// renamed, so that a push meets one script or the other.
func (s Script) write(file, text string) error {
	if isWritten(file, text) {
		return nil
	}
	err := s.may("create", file)
	if err != nil {
		return fmt.Errorf("writing the hook %s: %w", file, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+"-")
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // what is beside it is a name of the moment
	}
	if err != nil {
		return fmt.Errorf("writing the hook %s: %w", file, err)
	}
	defer os.Remove(temp.Name())
	for _, step := range []struct {
		op string
		do func() error
	}{
		{"write", func() error { _, err := temp.WriteString(text); return err }},
		{"chmod", func() error { return temp.Chmod(0o755) }},
		{"sync", temp.Sync}, {"close", temp.Close},
		{"rename", func() error { return os.Rename(temp.Name(), file) }},
	} {
		if err = s.may(step.op, file); err == nil {
			err = step.do()
		}
		if err != nil {
			temp.Close()
			return fmt.Errorf("writing the hook %s: %w", file, err)
		}
	}
	return nil
}

// isWritten reports whether a script is there, and may be run.
func isWritten(file, text string) bool {
	was, err := os.ReadFile(file)
	return err == nil && string(was) == text && isRunnable(file)
}

// isRunnable reports whether a file is a program, as git looks for it.
func isRunnable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
