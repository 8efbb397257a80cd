package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockWait bounds how long a call waits for another process of ours. A batch
// holds the lock for milliseconds, so this is met only where a process hangs.
const lockWait = 30 * time.Second

// withLock runs f while no other process of ours can be in the write door. It
// waits for one within ctx.
func (r *Repo) withLock(ctx context.Context, f func() error) error {
	if err := r.refuseGone(); err != nil {
		return err
	}
	if err := r.disk.mkdir(r.own("")); err != nil {
		return err
	}
	lock, err := flock(ctx, r.own("lock"))
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Kind: Busy, Text: "another git-tasks process has been writing for more than 30 s"}
	}
	if err != nil {
		return err
	}
	defer unlock(lock)
	return f()
}

// refuseGone refuses a repository that was there when it was opened and is no
// more: moved away, removed, or on a disk that was taken out. Nothing may be
// made at its place, and its list is not empty.
func (r *Repo) refuseGone() error {
	if exists(r.path("HEAD")) {
		return nil
	}
	return &Error{Kind: Missing, Text: "the repository at " + r.dir + " is gone, or its HEAD is"}
}

// flock takes an exclusive advisory lock on the file at path, made where it is
// missing, and waits for it within ctx. The lock goes with the file returned:
// when it is closed, and when the process ends in whatever way.
func flock(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := waitFlock(ctx, f); err != nil {
			return nil, fmt.Errorf("waiting for %s: %w", path, err)
		}
		// A file that was unlinked meanwhile locks nobody out.
		if sameFile(f, path) {
			return f, nil
		}
		f.Close()
	}
}

func sameFile(f *os.File, path string) bool {
	a, aerr := f.Stat()
	b, berr := os.Stat(path)
	return aerr == nil && berr == nil && os.SameFile(a, b)
}

// waitFlock blocks in the kernel, which serves the waiting processes in turn;
// polling would let a busy one starve the others. On an error f is closed.
func waitFlock(ctx context.Context, f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return nil
	}
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return err
	}
	got := make(chan error, 1)
	go func() {
		for {
			err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
			if !errors.Is(err, syscall.EINTR) {
				got <- err
				return
			}
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			f.Close()
		}
		return err
	case <-ctx.Done():
		go func() { // when the lock comes after all, it goes with the file
			<-got
			f.Close()
		}()
		return ctx.Err()
	}
}

// unlock gives a lock up. Closing the file is not enough: a program that is
// being started at this moment holds it too, until it runs.
func unlock(f *os.File) {
	syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	f.Close()
}

// tryFlock takes the lock at once or says that somebody has it.
func tryFlock(path string) (*os.File, bool) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || !sameFile(f, path) {
		f.Close()
		return nil, false
	}
	return f, true
}
