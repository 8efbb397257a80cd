package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// refWait is how long a call waits for another program's lock on the branch.
	refWait = 2 * time.Second
	// refWaitLeast is for a call that had to wait behind others that did.
	refWaitLeast = 100 * time.Millisecond
	// logAlone bounds how long git may take between a branch and its log.
	logAlone = 32 * time.Millisecond
)

// readRef reads the branch: its own file, else packed-refs. Zero means that
// there is no such branch yet; a branch that was there and cannot be read is
// [Damaged].
func (r *Repo) readRef() (ID, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		// git pack-refs writes packed-refs before it removes the loose file, so a
		// branch found in neither is looked for once more.
		for range 2 {
			id, found, err := r.readLoose()
			if err != nil || found {
				return id, err
			}
			packed, err := r.packedRefs()
			if err != nil {
				return ID{}, err
			}
			if id, found = packed[r.ref]; found {
				return id, nil
			}
		}
		if err := r.refuseGone(); err != nil {
			return ID{}, err
		}
		last := r.lastLogged()
		if last == "" {
			return ID{}, nil
		}
		// git writes the log of a new branch first, and removes that of an old one
		// last: for a moment that looks the same.
		if wait > logAlone {
			return ID{}, damaged(nil, "%s is gone, but its log is there; it last was %s", r.ref, last)
		}
		time.Sleep(wait)
	}
}

func (r *Repo) readLoose() (ID, bool, error) {
	data, err := readPlain(r.path(r.ref))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || isDir(r.path(r.ref)) {
			return ID{}, false, nil
		}
		if errors.Is(err, syscall.ELOOP) {
			return ID{}, false, damaged(nil, "%s is a symbolic link; name the branch it points to", r.ref)
		}
		return ID{}, false, damaged(err, "%s cannot be read", r.ref)
	}
	text := strings.TrimSpace(string(data))
	if strings.HasPrefix(text, "ref:") {
		return ID{}, false, damaged(nil, "%s is a symbolic ref; name the branch it points to", r.ref)
	}
	id, err := ParseID(text)
	if err != nil || id.IsZero() {
		what := fmt.Sprintf("holds %d bytes that are no commit id", len(data))
		if len(data) == 0 {
			what = "is an empty file"
		}
		if last := r.lastLogged(); last != "" {
			what += "; by its log it last was " + last
		}
		return ID{}, false, damaged(nil, "%s %s", r.ref, what)
	}
	return id, true, nil
}

// readPlain reads a file and follows no link: git takes a link for a symbolic
// ref, and a rename would put the branch in its place. Every call looks at the
// branch, so no more is asked of the system than must be: an [os.File] would first
// see whether the file can be waited for.
func readPlain(path string) ([]byte, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	data := make([]byte, 0, 128) // a ref is shorter
	for {
		n, err := again(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			return data, nil
		}
		if data = data[:len(data)+n]; len(data) == cap(data) {
			data = slices.Grow(data, cap(data))
		}
	}
}

// again makes a system call until no signal interrupts it.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// packedRefs reads the refs that have no file of their own, or had none when
// git packed them.
func (r *Repo) packedRefs() (map[string]ID, error) {
	data, err := os.ReadFile(r.path("packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, damaged(err, "packed-refs cannot be read")
	}
	refs := map[string]ID{}
	n := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		n++
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue
		}
		hex, name, ok := strings.Cut(line, " ")
		id, err := ParseID(hex)
		if !ok || err != nil {
			return nil, damaged(err, "packed-refs:%d is malformed", n)
		}
		refs[strings.TrimSpace(name)] = id
	}
	return refs, nil
}

// lastLogged gives the last value the reflog names, or "". Only the end of the
// log is read: it has a line for every change there ever was.
func (r *Repo) lastLogged() string {
	f, err := os.Open(r.path("logs", r.ref))
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	tail := make([]byte, min(info.Size(), 4<<10))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return ""
	}
	text := strings.TrimSpace(string(tail))
	fields := strings.Fields(text[strings.LastIndexByte(text, '\n')+1:])
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// refFile is what the branch will be moved by: a file of this try alone that
// holds its new value.
func (r *Repo) refFile(to ID) newFile {
	return newFile{r.own("ref." + r.tempNumber()), []byte(to.String() + "\n"), 0o666}
}

// moveRef moves the branch from old to the batch's tip by git's own protocol; own
// is the path of its ref file, synced. moved is true when somebody else has moved
// it instead; then nothing was done. own is gone afterwards.
func (r *Repo) moveRef(own string, old, to ID, why string, since time.Time) (moved bool, err error) {
	lock := r.path(r.ref) + ".lock"
	if err := r.lockRef(own, lock, since); err != nil {
		r.disk.remove(own)
		return false, err
	}
	now, err := r.readRef()
	if err != nil || now != old {
		r.unlockRef(own, lock)
		return err == nil, err
	}
	if err := r.renameRef(lock, old, to, why); err != nil {
		r.unlockRef(own, lock)
		return false, err
	}
	if err := r.syncRef(); err != nil {
		return false, &Error{Kind: Unconfirmed, Err: err,
			Text: fmt.Sprintf("commit %s is on %s, but the disk did not confirm it", to.Short(), r.ref)}
	}
	// Until now own was a second name of the branch's file. When it cannot be
	// removed, the next writer does it.
	r.disk.remove(own)
	return false, nil
}

// renameRef writes the reflog line and makes the lock the branch's file. The
// line comes first, so that there is no moment at which a lost ref could not be
// found again; but last for the first commit, since a log without its branch is
// what a lost branch looks like. That line may be missing: git makes do.
func (r *Repo) renameRef(lock string, old, to ID, why string) error {
	if old.IsZero() {
		if err := r.makeRoom(); err != nil {
			return err
		}
		if err := r.disk.rename(lock, r.path(r.ref)); err != nil {
			return err
		}
		r.logRef(old, to, why)
		return nil
	}
	undo, err := r.logRef(old, to, why)
	if err != nil {
		return err
	}
	if err := r.disk.rename(lock, r.path(r.ref)); err != nil {
		undo()
		return err
	}
	return nil
}

// syncRef makes the branch's new value durable. git pack-refs may have put it
// into packed-refs already, and removed the folder its file was in.
func (r *Repo) syncRef() error {
	err := r.disk.syncDir(filepath.Dir(r.path(r.ref)))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := r.disk.syncPath(r.path("packed-refs")); err != nil {
		return err
	}
	return r.disk.syncDir(r.dir)
}

// makeRoom refuses a new branch whose name another one needs as a folder, or
// the other way round, also where only packed-refs tells; and removes the empty
// folders that branches which are gone left at its place.
func (r *Repo) makeRoom() error {
	packed, err := r.packedRefs()
	if err != nil {
		return err
	}
	for name := range packed {
		if strings.HasPrefix(name, r.ref+"/") || strings.HasPrefix(r.ref, name+"/") {
			return fmt.Errorf("%s cannot be made beside %s", r.ref, name)
		}
	}
	for _, path := range []string{r.path(r.ref), r.path("logs", r.ref)} {
		if isDir(path) {
			if err := removeEmpty(path); err != nil {
				return fmt.Errorf("%s cannot be made beside those below it: %w", r.ref, err)
			}
		}
	}
	return nil
}

// removeEmpty removes a folder that holds nothing but folders.
func removeEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			break // os.Remove says why not
		}
		if err := removeEmpty(filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

// unlockRef gives a lock of ours up, the lock first: while own is there, a
// lock left behind can be told to be ours.
func (r *Repo) unlockRef(own, lock string) {
	if r.disk.remove(lock) == nil {
		r.disk.remove(own)
	}
}

// lockRef makes lock a second name of own. Another's lock is waited for; one
// that a dead process of ours left is removed.
func (r *Repo) lockRef(own, lock string, since time.Time) error {
	if err := r.disk.mkdir(filepath.Dir(lock)); err != nil {
		return err
	}
	deadline := since.Add(refWait)
	if least := time.Now().Add(refWaitLeast); least.After(deadline) {
		deadline = least
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := r.disk.link(own, lock)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, fs.ErrNotExist) && !exists(own):
			return fmt.Errorf("%s was removed while a change was written; try again", r.own(""))
		case errors.Is(err, fs.ErrNotExist): // git removes folders that are empty
			if err := r.disk.mkdir(filepath.Dir(lock)); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrExist):
			return err
		}
		r.clearRefFiles(own)
		if time.Now().After(deadline) {
			return heldError(r.ref+".lock", lock)
		}
		time.Sleep(wait)
	}
}

// heldError says of another program's lock how old it is; name is what people
// know it by.
func heldError(name, lock string) error {
	age := ""
	if info, err := os.Lstat(lock); err == nil {
		age = fmt.Sprintf(" (%d s old)", int(time.Since(info.ModTime()).Seconds()))
	}
	return &Error{Kind: Held, Text: fmt.Sprintf("%s is held by another git process%s", name, age)}
}

// logRef appends the reflog line.
func (r *Repo) logRef(old, to ID, why string) (undo func() error, err error) {
	path := r.path("logs", r.ref)
	if err := r.disk.mkdir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	line := fmt.Sprintf("%s %s %s\t%s\n", old, to, r.committer.line(r.now()), oneLine(why))
	return r.disk.append(path, []byte(line))
}
