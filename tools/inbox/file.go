package inbox

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"github.com/git-tasks/git-tasks/records"
)

// look is what tells a file from another one, and from itself after a change.
type look struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Size   int64  `json:"size"`
	Mtime  int64  `json:"mtime"` // nanoseconds since 1970
}

func lookOf(info os.FileInfo) look {
	l := look{Size: info.Size(), Mtime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		l.Device, l.Inode = uint64(st.Dev), st.Ino
	}
	return l
}

// isOf reports whether two looks are of one file, changed or not.
func (l look) isOf(other look) bool { return l.Device == other.Device && l.Inode == other.Inode }

// file is one that is being read.
type file struct {
	*os.File
	look  look
	owner string // the name of its user, "" where there is none
	busy  bool   // somebody has it open for writing
	sure  bool   // the system can tell
}

// open opens a file that is as it was looked at: never what a link leads to, and
// without waiting for whoever writes to a pipe.
func (b *Inbox) open(name string, info os.FileInfo) (file, error) {
	opened, err := b.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return file{}, err
	}
	now, err := opened.Stat()
	if err == nil && (!os.SameFile(info, now) || !now.Mode().IsRegular()) {
		err = fmt.Errorf("%s was replaced while it was opened", name)
	}
	if err != nil {
		opened.Close()
		return file{}, err
	}
	f := file{File: opened, look: lookOf(now), owner: ownerOf(now)}
	f.busy, f.sure = beingWritten(opened)
	return f, nil
}

// read gives the text, one byte more than a record may have at most, and whether
// the file is whole by what the system and its end say; then it closes it.
func (f *file) read() (data []byte, whole bool, err error) {
	defer f.Close()
	if data, err = io.ReadAll(io.LimitReader(f, records.MaxRecord+1)); err != nil {
		return nil, false, err
	}
	now, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	unchanged := lookOf(now) == f.look
	f.look = lookOf(now)
	ends := bytes.HasSuffix(data, []byte("\n")) || len(data) > records.MaxRecord
	return data, f.sure && ends && unchanged, nil
}

// ownerOf gives the name of the user that a file belongs to.
func ownerOf(info os.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	u, err := user.LookupId(strconv.FormatUint(uint64(st.Uid), 10))
	if err != nil || u.Username == nobody {
		return ""
	}
	return u.Username
}

// nobody is the user of files whose owner a system does not know.
const nobody = "nobody"

// writable says why nothing can be removed from a folder.
func writable(dir string) error {
	const write, search = 2, 1
	if err := syscall.Access(dir, write|search); err != nil {
		return &os.PathError{Op: "write to", Path: dir, Err: err}
	}
	return nil
}
