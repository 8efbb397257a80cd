package repo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

const (
	// deflateLevel is the fastest: trees are mostly ids, which compress no better
	// for more work.
	deflateLevel = 1
	// deltaChain bounds how many deltas lead to a tree: as many must be read for it.
	deltaChain = 16
	// maxStored is up to where compressing gains nothing: a delta of a tree is hardly
	// more than an id.
	maxStored = 64
	// maxIdle bounds the buffer that is kept for a later batch.
	maxIdle = 4 << 20
	// maxPack bounds a pack: where an object begins stands in 31 bits.
	maxPack = 1<<31 - 1
)

// packer lays a batch out as a pack with its index, while it grows. It is used
// again for a later one, since making a compressor costs more than all else; the
// files it gave are good until then.
type packer struct {
	pack    bytes.Buffer
	idx     []byte
	deflate *zlib.Writer
	laid    []laid
	trees   map[ID]*base
	delta   []byte
}

// packers are those that no batch has. There are two at most: one batch is written
// while the next one grows. The zero value is ready.
type packers struct {
	mu   sync.Mutex
	idle []*packer
}

// get gives a packer with an empty pack.
func (ps *packers) get() *packer {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := &packer{}
	if n := len(ps.idle); n > 0 {
		p, ps.idle = ps.idle[n-1], ps.idle[:n-1]
	}
	p.pack.Reset()
	p.pack.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x00") // version 2, the count unknown yet
	p.laid, p.trees = p.laid[:0], map[ID]*base{}
	return p
}

// put takes a packer back whose files nobody reads any more, nil for none, unless its
// buffer is that of an unusually large batch.
func (ps *packers) put(p *packer) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p != nil && len(ps.idle) < 2 && p.pack.Cap() <= maxIdle {
		ps.idle = append(ps.idle, p)
	}
}

// base is a tree in the pack, which the next one of its folder may be a delta of.
type base struct {
	start int
	chain int // how many objects must be read for it
}

func (b *base) links() int {
	if b == nil {
		return 0
	}
	return b.chain
}

// laid is an object in the pack.
type laid struct {
	id    ID
	start int
	crc   uint32
}

// lay lays out what a batch has got since the last time, in the order it was made.
// Nothing of it may be undone any more. Trees are most of it, and nearly what they
// were before: they are laid out as deltas. All others git finds when packs are
// rolled up; among what came in one pack it looks for none.
func (p *packer) lay(b *batch) error {
	for len(p.laid) < len(b.order) {
		if err := p.add(b, b.order[len(p.laid)]); err != nil {
			return err
		}
	}
	return nil
}

// finish gives the files of a batch that grows no more.
func (p *packer) finish(b *batch) (*pack, error) {
	if err := p.lay(b); err != nil {
		return nil, err
	}
	if p.pack.Len() > maxPack {
		return nil, fmt.Errorf("the changes that came together have %d bytes, more than %d", p.pack.Len(), maxPack)
	}
	binary.BigEndian.PutUint32(p.pack.Bytes()[8:], uint32(len(p.laid)))
	sum := sha1.Sum(p.pack.Bytes())
	p.pack.Write(sum[:])
	p.index(sum)
	return &pack{pack: p.pack.Bytes(), idx: p.idx, base: "pack-" + hex.EncodeToString(sum[:])}, nil
}

func (p *packer) add(b *batch, id ID) error {
	obj, now := b.objs[id], laid{id: id, start: p.pack.Len()}
	data, from := p.treeDelta(b, id)
	if from == nil {
		data = obj.data
		p.header(obj.kind, len(data))
	} else {
		p.header(plumbing.OFSDeltaObject, len(data))
		p.pack.Write(appendBack(nil, now.start-from.start))
	}
	if obj.kind == plumbing.TreeObject {
		p.trees[id] = &base{now.start, from.links() + 1}
	}
	if err := p.compress(data); err != nil {
		p.pack.Truncate(now.start)
		return err
	}
	now.crc = crc32.ChecksumIEEE(p.pack.Bytes()[now.start:])
	p.laid = append(p.laid, now)
	return nil
}

// treeDelta gives a tree as what it differs by from one before it in the pack; no
// base where that is not worth it.
func (p *packer) treeDelta(b *batch, id ID) ([]byte, *base) {
	from, tree := p.trees[b.from[id]], b.objs[id].data
	if from == nil || from.chain > deltaChain {
		return nil, nil
	}
	p.delta = appendDelta(p.delta[:0], b.objs[b.from[id]].data, tree)
	if len(p.delta) > len(tree)/2 {
		return nil, nil
	}
	return p.delta, from
}

// appendBack adds how far before a delta its base lies: seven bits a byte, the
// highest first, one taken off for each further byte.
func appendBack(out []byte, n int) []byte {
	var digits [10]byte
	i := len(digits) - 1
	digits[i] = byte(n & 0x7f)
	for n >>= 7; n > 0; n >>= 7 {
		n--
		i--
		digits[i] = byte(n&0x7f) | 0x80
	}
	return append(out, digits[i:]...)
}

// header writes an object's type and inflated length: four bits of the length
// beside the type, then seven a byte, the lowest first.
func (p *packer) header(kind plumbing.ObjectType, size int) {
	c := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.pack.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	p.pack.WriteByte(c)
}

func (p *packer) compress(data []byte) (err error) {
	if len(data) <= maxStored {
		p.store(data)
		return nil
	}
	if p.deflate == nil {
		if p.deflate, err = zlib.NewWriterLevel(&p.pack, deflateLevel); err != nil {
			return err
		}
	} else {
		p.deflate.Reset(&p.pack)
	}
	if _, err := p.deflate.Write(data); err != nil {
		return err
	}
	return p.deflate.Close()
}

// store lays out data as a zlib stream of one block that stands there as it is.
func (p *packer) store(data []byte) {
	n := uint16(len(data))
	out := append(p.pack.AvailableBuffer(), 0x78, 0x01, 1) // the fastest level; the last block
	out = binary.LittleEndian.AppendUint16(out, n)
	out = binary.LittleEndian.AppendUint16(out, ^n)
	out = append(out, data...)
	p.pack.Write(binary.BigEndian.AppendUint32(out, adler32.Checksum(data)))
}

// index lays out the index of the pack in git's version 2: how many ids begin
// with a byte up to each one, the ids in order, the checksums, where the objects
// begin.
func (p *packer) index(sum [sha1.Size]byte) {
	slices.SortFunc(p.laid, func(a, b laid) int { return bytes.Compare(a.id[:], b.id[:]) })
	idx := append(p.idx[:0], 0xff, 't', 'O', 'c', 0, 0, 0, 2)
	n := 0
	for first := range 256 {
		for n < len(p.laid) && int(p.laid[n].id[0]) == first {
			n++
		}
		idx = binary.BigEndian.AppendUint32(idx, uint32(n))
	}
	for _, at := range p.laid {
		idx = append(idx, at.id[:]...)
	}
	for _, at := range p.laid {
		idx = binary.BigEndian.AppendUint32(idx, at.crc)
	}
	for _, at := range p.laid {
		idx = binary.BigEndian.AppendUint32(idx, uint32(at.start))
	}
	idx = append(idx, sum[:]...)
	own := sha1.Sum(idx)
	p.idx = append(idx, own[:]...)
}
