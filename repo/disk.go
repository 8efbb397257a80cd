package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// disk makes every file call of the write door that changes something. It is
// the seam at which tests let the n-th call fail, or kill the process before
// it: fault is asked first, with the name of the call and the path, and what
// it returns is what the call returns.
type disk struct {
	fault func(op, path string) error
}

func (d disk) ask(op, path string) error {
	if d.fault == nil {
		return nil
	}
	if err := d.fault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// newFile is a file to be created.
type newFile struct {
	path string // must not exist
	data []byte
	perm fs.FileMode
}

// write creates files and syncs them, all at once: a disk does that in the time
// of one. On an error nothing is left of any.
func (d disk) write(files ...newFile) (err error) {
	open := make([]*os.File, 0, len(files))
	defer func() {
		for _, f := range open {
			if cerr := f.Close(); err == nil {
				err = cerr
			}
		}
		if err != nil {
			for _, f := range open {
				os.Remove(f.Name())
			}
		}
	}()
	for _, file := range files {
		if err := d.ask("create", file.path); err != nil {
			return err
		}
		f, err := os.OpenFile(file.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, file.perm)
		if err != nil {
			return err
		}
		open = append(open, f)
		if err := d.ask("write", file.path); err != nil {
			return err
		}
		if _, err := f.Write(file.data); err != nil {
			return err
		}
	}
	return d.sync(open)
}

func (d disk) sync(files []*os.File) error {
	for _, f := range files {
		if err := d.ask("fsync", f.Name()); err != nil {
			return err
		}
	}
	errs := make([]error, len(files))
	var all sync.WaitGroup
	for i, f := range files[1:] {
		all.Go(func() { errs[i] = f.Sync() })
	}
	errs[len(files)-1] = files[0].Sync()
	all.Wait()
	return errors.Join(errs...)
}

// syncDir makes the names in a folder durable.
func (d disk) syncDir(path string) error { return d.syncPath(path) }

// syncPath makes durable what is at path, whoever wrote it: Linux syncs a file
// through any descriptor of it.
func (d disk) syncPath(path string) error {
	if err := d.ask("fsync", path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (d disk) rename(from, to string) error {
	if err := d.ask("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// link makes a second name of a file; the name must not exist.
func (d disk) link(from, to string) error {
	if err := d.ask("link", to); err != nil {
		return err
	}
	return os.Link(from, to)
}

func (d disk) remove(path string) error {
	if err := d.ask("unlink", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// mkdir makes a folder and the missing ones above it, and syncs each folder
// that got a new entry.
func (d disk) mkdir(path string) error {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", path)
		}
		return nil
	}
	up := filepath.Dir(path)
	if err := d.mkdir(up); err != nil {
		return err
	}
	if err := d.ask("mkdir", path); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.syncDir(up)
}

// append adds a line at the end of a file, made where it is missing. A line
// that a crash tore off before is ended first, so that it spoils no other. undo
// takes the addition back, as long as nobody else has added to the file.
func (d disk) append(path string, line []byte) (undo func() error, err error) {
	if err := d.ask("append", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	last := []byte{'\n'}
	if info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err != nil {
			return nil, err
		}
	}
	if last[0] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	undo = func() error { return os.Truncate(path, info.Size()) }
	if n, err := f.Write(line); err != nil {
		if n > 0 {
			undo()
		}
		return nil, err
	}
	return undo, nil
}

// exists reports whether there is a file of that name, following no link.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// note creates a file that need not survive a power cut. It appears whole or
// not at all, by way of temp.
func (d disk) note(temp, path, text string) error {
	err := d.ask("create", temp)
	if err != nil {
		return err
	}
	if err = os.WriteFile(temp, []byte(text), 0o644); err == nil {
		err = d.rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}
