package repo

import (
	"compress/zlib"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxBases bounds the objects that are kept because others are stored as
	// what differs from them.
	maxBases = 16 << 20
	// maxDelta is how long a delta is read for the length of its object.
	maxDelta = 16 << 10
	// maxChain bounds how many such steps lead to an object; git stops at 4095.
	maxChain = 4096
)

// packs reads objects out of the packs that were there when it was opened. It is
// a faster way to what go-git reads and no authority: whatever it cannot read,
// for whatever reason, is asked of go-git, which finds what is stored otherwise
// and has the words for what is damaged. It is safe for concurrent use.
type packs struct {
	files []*packFile
	names []string                 // what the folder held
	last  atomic.Pointer[packFile] // where the last object was
	pool  sync.Pool                // of *inflater

	mu    sync.Mutex
	bases map[place]object
	bytes int // in bases
}

// place is where an object begins.
type place struct {
	file *packFile
	at   int64
}

// errNotHere is why anything is left to go-git.
var errNotHere = errors.New("not in a pack")

// openPacks opens the index of every pack in a folder; names are what it holds.
func openPacks(dir string, names []string) *packs {
	p := &packs{names: names, bases: map[place]object{}}
	for _, name := range names {
		base, ok := strings.CutSuffix(name, ".idx")
		if _, there := slices.BinarySearch(names, base+".pack"); !ok || !there {
			continue
		}
		if f, err := openPackFile(filepath.Join(dir, base)); err == nil {
			p.files = append(p.files, f)
		}
	}
	return p
}

// seen gives what the folder held; nil for packs that were let go.
func (p *packs) seen() []string {
	if p == nil {
		return nil
	}
	return p.names
}

func (p *packs) close() {
	for _, f := range p.files {
		f.close()
	}
}

// find gives where an object lies.
func (p *packs) find(id ID) (place, error) {
	last := p.last.Load()
	if last != nil {
		if at, ok := last.find(id); ok {
			return place{last, at}, nil
		}
	}
	for _, f := range p.files {
		if f == last {
			continue
		}
		if at, ok := f.find(id); ok {
			p.last.Store(f)
			return place{f, at}, nil
		}
	}
	return place{}, errNotHere
}

// read gives an object's content, verified against its id.
func (p *packs) read(kind plumbing.ObjectType, id ID) ([]byte, error) {
	in := p.inflater()
	defer p.pool.Put(in)
	obj, err := p.whole(in, id)
	in.asked, in.obj = ID{}, object{}
	if err != nil {
		return nil, err
	}
	if obj.kind != kind || obj.id() != id {
		return nil, errNotHere
	}
	return obj.data, nil
}

// whole gives an object as it is stored, from in where that has it.
func (p *packs) whole(in *inflater, id ID) (object, error) {
	if in.asked == id && in.obj.kind != 0 {
		return in.obj, nil
	}
	at, err := p.find(id)
	if err != nil {
		return object{}, err
	}
	return p.object(in, at, 0)
}

// size gives an object's length. Who asks for it mostly reads the object next: a
// delta, of which as much must be read for the one as for the other, is kept
// until then.
func (p *packs) size(id ID) (int64, error) {
	at, err := p.find(id)
	if err != nil {
		return 0, err
	}
	in := p.inflater()
	defer p.pool.Put(in)
	h, err := in.header(at)
	if err != nil || !h.isDelta() {
		return int64(h.size), err
	}
	if h.size > maxDelta {
		return in.deltaSize(h)
	}
	if in.obj, err = p.object(in, at, 0); err != nil {
		return 0, err
	}
	in.asked = id
	return int64(len(in.obj.data)), nil
}

// object reads what lies at a place, and first what it is a delta of.
func (p *packs) object(in *inflater, at place, depth int) (object, error) {
	if depth > 0 {
		p.mu.Lock()
		obj, ok := p.bases[at]
		p.mu.Unlock()
		if ok {
			return obj, nil
		}
	}
	h, err := in.header(at)
	if err != nil {
		return object{}, err
	}
	if h.size > maxObject || depth > maxChain {
		return object{}, errNotHere
	}
	data, err := in.inflate(h.size)
	if err != nil {
		return object{}, err
	}
	obj := object{h.kind, data}
	if h.isDelta() {
		base := place{at.file, h.base}
		if h.kind == plumbing.REFDeltaObject {
			if base, err = p.find(h.baseID); err != nil {
				return object{}, err
			}
		}
		if obj, err = p.object(in, base, depth+1); err != nil {
			return object{}, err
		}
		if obj.data, err = applyDelta(obj.data, data); err != nil {
			return object{}, err
		}
	}
	if depth > 0 {
		p.keep(at, obj)
	}
	return obj, nil
}

// keep holds on to an object that others are made of.
func (p *packs) keep(at place, obj object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes += len(obj.data); p.bytes > maxBases {
		clear(p.bases)
		p.bytes = len(obj.data)
	}
	p.bases[at] = obj
}

// inflater reads one object after the other out of packs.
type inflater struct {
	forward
	zlib  io.ReadCloser
	end   [1]byte
	asked ID     // what obj is, unverified
	obj   object // no kind: none
}

func (p *packs) inflater() *inflater {
	if in, ok := p.pool.Get().(*inflater); ok {
		return in
	}
	return &inflater{}
}

// header is what stands before an object's data.
type header struct {
	kind   plumbing.ObjectType
	size   int // of what is inflated
	base   int64
	baseID ID
}

func (h header) isDelta() bool {
	return h.kind == plumbing.OFSDeltaObject || h.kind == plumbing.REFDeltaObject
}

// header goes to a place and reads up to the data: three bits of type with four
// of the length, seven more a byte, the lowest first; then the base of a delta.
func (in *inflater) header(at place) (h header, err error) {
	if err := in.to(at); err != nil {
		return h, err
	}
	c, err := in.ReadByte()
	if err != nil {
		return h, err
	}
	h.kind, h.size = plumbing.ObjectType(c>>4&7), int(c&15)
	for shift := 4; c&0x80 != 0; shift += 7 {
		if c, err = in.ReadByte(); err != nil || shift > 40 {
			return h, errNotHere
		}
		h.size |= int(c&0x7f) << shift
	}
	switch h.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		return h, nil
	case plumbing.OFSDeltaObject:
		h.base, err = in.back(at.at)
		return h, err
	case plumbing.REFDeltaObject:
		_, err = io.ReadFull(in, h.baseID[:])
		return h, err
	}
	return h, errNotHere
}

// back reads how far before at a delta's base lies: seven bits a byte, the
// highest first, one added at each further byte.
func (in *inflater) back(at int64) (int64, error) {
	var n int64
	for i := 0; ; i++ {
		c, err := in.ReadByte()
		if err != nil || i > 8 {
			return 0, errNotHere
		}
		n = n<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			break
		}
		n++
	}
	if n <= 0 || n >= at {
		return 0, errNotHere
	}
	return at - n, nil
}

func (in *inflater) open() error {
	if in.zlib != nil {
		return in.zlib.(zlib.Resetter).Reset(&in.forward, nil)
	}
	var err error
	in.zlib, err = zlib.NewReader(&in.forward)
	return err
}

// inflate reads data of a known length, and nothing may stand behind it.
func (in *inflater) inflate(size int) ([]byte, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(in.zlib, data); err != nil {
		return nil, err
	}
	if n, err := in.zlib.Read(in.end[:]); n != 0 || err != io.EOF {
		return nil, errNotHere
	}
	return data, nil
}

// deltaSize reads the length of what a delta makes.
func (in *inflater) deltaSize(h header) (int64, error) {
	if err := in.open(); err != nil {
		return 0, err
	}
	var head [2 * 10]byte // the two lengths that a delta begins with
	n, err := io.ReadFull(in.zlib, head[:min(len(head), h.size)])
	if err != nil {
		return 0, err
	}
	_, rest := varint(head[:n])
	size, _ := varint(rest)
	if size < 0 {
		return 0, errNotHere
	}
	return int64(size), nil
}
