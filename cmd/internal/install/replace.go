package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// still gives what the system knows of a file that is as the edit found it. What
// cannot be replaced by a file like it is refused.
func still(e *Edit) (*syscall.Stat_t, fs.FileMode, error) {
	now, info, err := read(e.Path)
	switch {
	case err != nil:
		return nil, 0, err
	case (now == nil) != (e.Before == nil) || !bytes.Equal(now, e.Before):
		return nil, 0, errMoved
	case now == nil:
		return nil, 0, nil
	}
	mode := info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return nil, 0, errors.New("the system does not say whose it is")
	case mode&0o200 == 0:
		return nil, 0, fmt.Errorf("its owner may not write it (mode %04o)", mode.Perm())
	case os.Geteuid() != 0 && int(stat.Uid) != os.Geteuid():
		return nil, 0, fmt.Errorf("it belongs to another user (uid %d)", stat.Uid)
	case stat.Nlink > 1:
		return nil, 0, fmt.Errorf("it has %d names (hard links), and would lose all but one", stat.Nlink)
	}
	return stat, mode, nil
}

// removeFile takes away a file that is as the edit found it.
func (s Settings) removeFile(e *Edit) error {
	if err := s.may("remove", e.Path); err != nil {
		return err
	}
	if _, _, err := still(e); err != nil {
		return err
	}
	return os.Remove(e.Path)
}

// replace puts a new file in the place of the one that the edit found, with its
// mode and its owner, or makes it.
func (s Settings) replace(e *Edit) error {
	dir, name := filepath.Split(e.Path)
	mode := fs.FileMode(0o666)
	if s.Private || e.Before != nil {
		mode = 0o600
	}
	if err := s.may("create", e.Path); err != nil {
		return err
	}
	temp, err := createTemp(dir+"."+name+".new-", mode)
	if err != nil {
		return err
	}
	defer func() {
		temp.Close()
		os.Remove(temp.Name()) // which fails where it was renamed
	}()
	if err := s.may("write", temp.Name()); err != nil {
		return err
	}
	if _, err := temp.Write(e.After); err != nil {
		return err
	}
	stat, mode, err := still(e)
	if err != nil {
		return err
	}
	if stat != nil {
		if err = s.may("chown", temp.Name()); err == nil {
			err = become(temp, stat, mode)
		}
	} else {
		err = s.hand(temp.Name(), dir)
	}
	if err == nil {
		err = s.may("sync", temp.Name())
	}
	if err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if _, _, err := still(e); err != nil { // syncing took its time
		return err
	}
	if err := s.may("rename", e.Path); err != nil {
		return err
	}
	if stat == nil {
		switch err := os.Link(temp.Name(), e.Path); {
		case err == nil:
			return nil
		case errors.Is(err, fs.ErrExist):
			return errMoved
		} // a file system without links
	}
	return os.Rename(temp.Name(), e.Path)
}

// createTemp makes a file that is not there yet, with a mode as the umask has it.
func createTemp(prefix string, mode fs.FileMode) (*os.File, error) {
	for n := 0; ; n++ {
		file, err := os.OpenFile(fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), n), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || n > maxTries {
			return file, err
		}
	}
}

// become gives a file the owner and the mode of another.
func become(file *os.File, stat *syscall.Stat_t, mode fs.FileMode) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if own, ok := info.Sys().(*syscall.Stat_t); !ok || own.Uid != stat.Uid || own.Gid != stat.Gid {
		if err := file.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
			return fmt.Errorf("a new file cannot be given to its owner (uid %d, gid %d): %w", stat.Uid, stat.Gid, err)
		}
	}
	return file.Chmod(mode)
}
