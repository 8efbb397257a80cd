package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadSide reads a file beside the repository, by its path with slashes; nil
// where it is not there.
func (r *Repo) ReadSide(name string) ([]byte, error) {
	data, err := os.ReadFile(r.own(filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// EditSide puts what edit makes of a file beside the repository in its place,
// readable to its owner alone: at once, one process after the other, and on disk
// when it returns. edit gets nil where there is no such file.
func (r *Repo) EditSide(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error {
	if err := r.refuseGone(); err != nil {
		return err
	}
	path := r.own(filepath.FromSlash(name))
	if err := r.disk.mkdir(filepath.Dir(path)); err != nil {
		return err
	}
	lock, err := flock(ctx, r.own("side"))
	if err != nil {
		return err
	}
	defer unlock(lock)
	r.clearSide(filepath.Dir(path))
	old, err := r.ReadSide(name)
	if err != nil {
		return err
	}
	data, err := edit(old)
	if err != nil {
		return err
	}
	temp := path + "." + r.tempNumber()
	if err := r.disk.write(newFile{temp, data, 0o600}); err != nil {
		return err
	}
	if err := r.disk.rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return r.disk.syncDir(filepath.Dir(path))
}

// Side gives the folder beside the repository for what is never in history. It
// need not be there: whoever writes to it makes it.
func (r *Repo) Side() string { return r.own("") }
