package repo

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
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

// encodePack lays the objects out in the order they were made, none as a
// delta: git repack finds the deltas when packs are rolled up.
func encodePack(b *batch) (*pack, error) {
	var buf bytes.Buffer
	buf.WriteString("PACK")
	binary.Write(&buf, binary.BigEndian, [2]uint32{2, uint32(len(b.order))})
	var index idxfile.Writer
	if err := index.OnHeader(uint32(len(b.order))); err != nil {
		return nil, err
	}
	deflate, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	for _, id := range b.order {
		obj := b.objs[id]
		start := buf.Len()
		writePackHeader(&buf, obj.kind, len(obj.data))
		deflate.Reset(&buf)
		if _, err := deflate.Write(obj.data); err != nil {
			return nil, err
		}
		if err := deflate.Close(); err != nil {
			return nil, err
		}
		index.Add(plumbing.Hash(id), uint64(start), crc32.ChecksumIEEE(buf.Bytes()[start:]))
	}
	sum := sha1.Sum(buf.Bytes())
	buf.Write(sum[:])
	if err := index.OnFooter(sum); err != nil {
		return nil, err
	}
	mem, err := index.Index()
	if err != nil {
		return nil, err
	}
	var idx bytes.Buffer
	if _, err := idxfile.NewEncoder(&idx).Encode(mem); err != nil {
		return nil, err
	}
	return &pack{pack: buf.Bytes(), idx: idx.Bytes(), base: "pack-" + hex.EncodeToString(sum[:])}, nil
}

// writePackHeader writes an object's type and inflated length: four bits of
// the length beside the type, then seven a byte, the lowest first.
func writePackHeader(buf *bytes.Buffer, kind plumbing.ObjectType, size int) {
	c := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		buf.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	buf.WriteByte(c)
}

// writePack stores a batch's objects so that they are on disk and readable,
// and protected by a .keep until the ref has moved. On an error nothing is left
// but perhaps a whole pack that no ref holds.
//
// The pack gets its name before the index, as with git itself: git gc removes
// an index whose pack it does not see, also when the pack comes meanwhile. For
// the same reason no name ends in .idx before it is the last one. Our own
// readers pass over a pack without an index.
func (r *Repo) writePack(p *pack) (err error) {
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
	if !r.hasPack(p) {
		if err := r.nameFile(temp+"-pack", p.base+".pack", p.pack); err != nil {
			return err
		}
		if err := r.nameFile(temp+"-idx", p.base+".idx", p.idx); err != nil {
			return err
		}
	}
	return r.disk.syncDir(folder)
}

// hasPack reports whether the same objects lie there already, to the bit.
func (r *Repo) hasPack(p *pack) bool {
	return readsBack(p.base+".pack", p.pack) == nil && readsBack(p.base+".idx", p.idx) == nil
}

// nameFile writes a file as temp, and gives it its name when it is synced and
// reads back as it was written.
func (r *Repo) nameFile(temp, path string, data []byte) error {
	if err := r.disk.write(temp, data, 0o444); err != nil {
		return err
	}
	err := readsBack(temp, data)
	if err == nil {
		err = r.disk.rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

func readsBack(path string, want []byte) error {
	got, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("%s: what was read back is not what was written", path)
	}
	return err
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
