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
	if err := r.disk.note(temp+".keep", p.base+".keep", keepMark+r.me.String()+"\n"); err != nil {
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
func (r *Repo) releasePack(p *pack) { r.disk.remove(p.base + ".keep") }
