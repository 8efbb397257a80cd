package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-tasks/git-tasks/tools"
)

const (
	maxSettings = 32 << 20 // of a settings file
	maxLinks    = 40       // that lead from one to the next
	maxTries    = 100      // against a program that writes the file all the time
)

// Settings is a settings file of another program.
type Settings struct {
	Path string // absolute
	// Base is a folder above Path that is never taken away. The folders between
	// are, when the file goes and nothing else is in them.
	Base    string
	Private bool // where the file is made nobody but its owner may read it

	fault func(op, path string) error // asked ahead of every file call that changes something; nil but in tests
}

// may asks for a file call.
func (s Settings) may(op, path string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(op, path)
}

// Edit is what a change makes of a file.
type Edit struct {
	Path          string // of the file itself, where Settings.Path is a link
	Before, After []byte // nil for no file
}

// Changes reports whether the file becomes another.
func (e *Edit) Changes() bool {
	return (e.Before == nil) != (e.After == nil) || !bytes.Equal(e.Before, e.After)
}

// Try gives what a change would make of the file, and writes nothing. A fault of
// the file is a [tools.Error] that begins with file:line.
func (s Settings) Try(change func(file []byte) ([]byte, error)) (*Edit, error) {
	path, err := resolve(s.Path)
	if err != nil {
		return nil, err
	}
	before, _, err := read(path)
	if err != nil {
		return nil, err
	}
	after, err := change(before)
	if err != nil {
		var f *fault
		if errors.As(err, &f) {
			err = &tools.Error{Code: tools.Invalid, Message: fmt.Sprintf("%s:%d: %s", s.Path, f.line, f.text), Err: err}
		}
		return nil, err
	}
	return &Edit{path, before, after}, nil
}

// Change makes a change: whole or not at all, and synced. Where another program has
// written meanwhile, the change is made of that anew; what is written between the
// last look and the rename is lost, as the package says. On an error the file is as
// it was.
func (s Settings) Change(change func(file []byte) ([]byte, error)) (*Edit, error) {
	for range maxTries {
		e, err := s.Try(change)
		if err != nil || !e.Changes() {
			return e, err
		}
		err = s.put(e)
		switch {
		case err == nil:
			return e, nil
		case !errors.Is(err, errMoved):
			return nil, fmt.Errorf("%s stays as it was: %w", e.Path, err)
		}
	}
	return nil, &tools.Error{Code: tools.Conflict, Message: s.Path + " stays as it was: another program writes it all the time"}
}

// errMoved says that a file is not what the change was made of.
var errMoved = errors.New("it was changed meanwhile")

// resolve follows links to the file itself, which need not be there.
func resolve(path string) (string, error) {
	for at, n := path, 0; n < maxLinks; n++ {
		info, err := os.Lstat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			if dir, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil && n > 0 {
				at = filepath.Join(dir, filepath.Base(at)) // without the dots of links
			}
			return at, nil
		}
		next, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Dir(at) + "/" + next // not cleaned: the folder may be a link itself
		}
		at = next
	}
	return "", fmt.Errorf("%s: too many links lead from one to the next", path)
}

// read gives a file with what the system knows of it, nil where it is not there.
func read(path string) ([]byte, fs.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that nobody writes must not hold us
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is no file but a %s", path, kindOf(info.Mode()))
	}
	data, err := io.ReadAll(io.LimitReader(file, maxSettings+1))
	if err == nil && len(data) > maxSettings {
		err = fmt.Errorf("%s is longer than %d MiB", path, maxSettings>>20)
	}
	return append([]byte{}, data...), info, err
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	}
	return "device"
}

// put brings an edit to the disk.
func (s Settings) put(e *Edit) error {
	dir := filepath.Dir(e.Path)
	if e.Before == nil {
		made, err := s.makeFolder(dir)
		if err != nil {
			return err
		}
		defer func() {
			if now, _, err := read(e.Path); made && err == nil && now == nil {
				s.removeFolders(e.Path)
			}
		}()
	}
	folder, err := os.Open(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errMoved // whoever took the folder away
	case err != nil:
		return err
	}
	defer folder.Close() // and with it the lock goes
	// The lock keeps two of ours apart. Where the file system has none the look
	// before the file is replaced is what there is, as against other programs.
	_ = syscall.Flock(int(folder.Fd()), syscall.LOCK_EX)
	if e.After == nil {
		err = s.removeFile(e)
	} else {
		err = s.replace(e)
	}
	if err != nil {
		return err
	}
	if s.may("sync", dir) == nil {
		_ = folder.Sync() // without it a crash may bring the old file back, which is whole as well
	}
	if e.After == nil {
		s.removeFolders(e.Path)
	}
	return nil
}

// makeFolder makes the folders that are missing.
func (s Settings) makeFolder(dir string) (made bool, err error) {
	if _, err := os.Stat(dir); err == nil {
		return false, nil
	}
	if dir != filepath.Dir(s.Path) {
		return false, fmt.Errorf("%s leads to it, and there is no folder %s", s.Path, dir)
	}
	mode := fs.FileMode(0o777)
	if s.Private {
		mode = 0o700
	}
	var missing []string
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		missing = append(missing, at)
	}
	for i, at := range slices.Backward(missing) {
		err := s.may("mkdir", at)
		if err == nil {
			err = os.Mkdir(at, mode)
		}
		if err == nil || errors.Is(err, fs.ErrExist) { // another of ours was quicker
			err = s.hand(at, filepath.Dir(at))
		}
		if err != nil {
			for _, at := range missing[i:] {
				os.Remove(at) // which fails where somebody has put something in
			}
			return false, err
		}
	}
	return true, nil
}

// hand gives what root made to whoever has the folder around it: made with the
// rights of root in somebody's home, it would be of no use to them.
func (s Settings) hand(path, folder string) error {
	if err := s.may("chown", path); err != nil || os.Geteuid() != 0 {
		return err
	}
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 {
		return os.Lchown(path, int(stat.Uid), int(stat.Gid))
	}
	return nil
}

// removeFolders takes away the folders that are left empty.
func (s Settings) removeFolders(path string) {
	if path != s.Path {
		return // somewhere else, where a link leads
	}
	for dir := filepath.Dir(path); strings.HasPrefix(dir, s.Base+"/"); dir = filepath.Dir(dir) {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || s.may("rmdir", dir) != nil || os.Remove(dir) != nil {
			return // a link, or not empty
		}
	}
}
