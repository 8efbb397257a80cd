package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	// tempMark begins the name of a file in objects/pack until it is complete.
	tempMark = "git-tasks."
	// keepMark begins the text of our .keep files.
	keepMark = "git-tasks "
)

// pack is a batch's objects as the two files git reads, and where they lie.
type pack struct {
	pack, idx []byte
	base      string // <git dir>/objects/pack/pack-<sum>
}

// writePack stores a batch's objects so that they are on disk and readable, and
// protected by a .keep until the ref has moved; and beside them, synced at the
// same moment, the ref file that the branch will be moved by. On an error nothing
// is left but perhaps a whole pack that no ref holds.
//
// The pack gets its name before the index, as with git itself: git gc removes
// an index whose pack it does not see, also when the pack comes meanwhile. For
// the same reason no name ends in .idx before it is the last one. Our own
// readers pass over a pack without an index.
func (r *Repo) writePack(p *pack, ref newFile) (err error) {
	folder := filepath.Join(r.dir, "objects", "pack")
	if err := r.disk.mkdir(folder); err != nil {
		return err
	}
	p.base = filepath.Join(folder, p.base)
	temp := filepath.Join(folder, r.tempName())
	if err := r.keep.hold(r, p.base+".keep", temp+".keep"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			r.givePackUp(p)
		}
	}()
	if r.hasPack(p) {
		if err := r.disk.syncDir(folder); err != nil {
			return err
		}
		return r.disk.write(ref)
	}
	written := []newFile{{temp + "-pack", p.pack, 0o444}, {temp + "-idx", p.idx, 0o444}}
	if err := r.disk.write(append(written, ref)...); err != nil {
		return err
	}
	err = r.nameFiles(written, p.base+".pack", p.base+".idx")
	if err == nil {
		err = r.disk.syncDir(folder)
	}
	if err != nil {
		r.disk.remove(ref.path)
	}
	return err
}

// hasPack reports whether the same objects lie there already, to the bit.
func (r *Repo) hasPack(p *pack) bool {
	return readsBack(p.base+".pack", p.pack) == nil && readsBack(p.base+".idx", p.idx) == nil
}

// nameFiles gives synced files their names, in order, when all read back as they
// were written. On an error those without a name are gone.
func (r *Repo) nameFiles(files []newFile, names ...string) (err error) {
	for _, f := range files {
		err = errors.Join(err, readsBack(f.path, f.data))
	}
	for i, f := range files {
		if err == nil {
			err = r.disk.rename(f.path, names[i])
		}
		if err != nil {
			os.Remove(f.path)
		}
	}
	return err
}

// readsBack compares a file with what it must be, piece by piece.
func readsBack(path string, want []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	piece := make([]byte, min(len(want)+1, 16<<10))
	for {
		n, err := f.Read(piece)
		if n > len(want) || !bytes.Equal(piece[:n], want[:n]) || err == io.EOF && len(want) > 0 {
			return fmt.Errorf("%s: what was read back is not what was written", path)
		}
		if want = want[n:]; err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// givePackUp ends a try whose ref did not move. A pack that git could see
// already stays: git leaves out of the packs it makes what a pack with a .keep
// holds, so this one may have become the only place of an object that history
// needs. What was never whole goes, the .keep last: while it is there, what
// could not be removed can be told to be ours.
func (r *Repo) givePackUp(p *pack) {
	if !exists(p.base+".idx") && r.removePack(p.base) != nil {
		return
	}
	r.releasePack(p)
}

// releasePack makes a pack like any other. A .keep that cannot be removed only
// keeps it out of roll-ups until the next writer clears it.
func (r *Repo) releasePack(p *pack) { r.keep.release(r, p.base+".keep") }

// keepName begins the name of the file, beside the repository, that the .keep files of
// a process are other names of.
const keepName = "kept."

// keep makes .keep files. All of a process say the same, so from its third batch on
// they are links to one file: that is one entry of a folder where it was three. It is
// used under the lock.
type keep struct {
	path    string // that file, "" for none
	batches int
}

// hold makes a .keep, whole or not at all; by way of temp where there is no file yet.
func (k *keep) hold(r *Repo, path, temp string) error {
	k.batches++
	if k.path != "" && r.disk.link(k.path, path) == nil {
		return nil
	}
	// It is gone, or names of it cannot lie where packs do, or something has the name.
	return r.disk.note(temp, path, keepMark+r.me.String()+"\n")
}

// release takes a .keep away. That of a second batch becomes the file: more will come.
func (k *keep) release(r *Repo, path string) {
	if k.path == "" && k.batches == 2 {
		if to := r.own(keepName + r.tempNumber()); r.disk.rename(path, to) == nil {
			k.path = to
			return
		}
	}
	r.disk.remove(path)
}

// close is when the process writes no more.
func (k *keep) close() {
	if k.path != "" {
		os.Remove(k.path)
	}
}
