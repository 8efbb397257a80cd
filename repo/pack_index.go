package repo

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"sort"
	"sync"
)

// packFile is one pack and its index, of git's second version: the number of
// objects up to each first byte, the ids sorted, a checksum each, where each
// begins, and what of that does not fit 31 bits.
type packFile struct {
	base    string // path without .pack or .idx
	idx     *os.File
	upTo    [256]uint32
	objects int
	far     int // how many of the long offsets there are

	once sync.Once
	pack *os.File // nil where it cannot be opened
}

const (
	idxHead    = 8 + 256*4 // up to the ids
	idxTrailer = 2 * 20
	// idxWindow is how many ids one look at the index reads.
	idxWindow = 128
)

func openPackFile(base string) (*packFile, error) {
	f := &packFile{base: base}
	var err error
	if f.idx, err = os.Open(base + ".idx"); err != nil {
		return nil, err
	}
	if err := f.readHead(); err != nil {
		f.idx.Close()
		return nil, err
	}
	return f, nil
}

func (f *packFile) readHead() error {
	info, err := f.idx.Stat()
	if err != nil {
		return err
	}
	var head [idxHead]byte
	if _, err := f.idx.ReadAt(head[:], 0); err != nil {
		return err
	}
	if !bytes.Equal(head[:8], []byte("\xfftOc\x00\x00\x00\x02")) {
		return errNotHere
	}
	for i := range f.upTo {
		f.upTo[i] = binary.BigEndian.Uint32(head[8+4*i:])
	}
	f.objects = int(f.upTo[255])
	rest := info.Size() - idxHead - idxTrailer - int64(f.objects)*(20+4+4)
	if !slices.IsSorted(f.upTo[:]) || rest < 0 || rest%8 != 0 {
		return errNotHere
	}
	f.far = int(rest / 8)
	return nil
}

func (f *packFile) close() {
	f.idx.Close()
	f.once.Do(func() {}) // from now on it is not opened
	if f.pack != nil {
		f.pack.Close()
	}
}

// data gives the pack itself, nil where it cannot be had.
func (f *packFile) data() *os.File {
	f.once.Do(func() { f.pack, _ = os.Open(f.base + ".pack") })
	return f.pack
}

// find gives where an object begins. Ids are spread evenly, so the first look is
// where the id should be.
func (f *packFile) find(id ID) (int64, bool) {
	lo, hi := 0, int(f.upTo[id[0]])
	if id[0] > 0 {
		lo = int(f.upTo[id[0]-1])
	}
	guess := lo + int(int64(binary.BigEndian.Uint32(id[1:]))*int64(hi-lo)>>32)
	var window [idxWindow * 20]byte
	for lo < hi {
		at := min(max(guess-idxWindow/2, lo), max(hi-idxWindow, lo))
		n := min(hi-at, idxWindow)
		names := window[:20*n]
		if _, err := f.idx.ReadAt(names, idxHead+20*int64(at)); err != nil {
			return 0, false
		}
		i := sort.Search(n, func(i int) bool { return bytes.Compare(names[20*i:20*i+20], id[:]) >= 0 })
		switch {
		case i < n && bytes.Equal(names[20*i:20*i+20], id[:]):
			return f.offset(at + i)
		case i == 0 && at > lo:
			hi = at
		case i == n && at+n < hi:
			lo = at + n
		default:
			return 0, false
		}
		guess = lo + (hi-lo)/2
	}
	return 0, false
}

// offset gives where the object of an id's number begins.
func (f *packFile) offset(i int) (int64, bool) {
	offsets := idxHead + int64(f.objects)*(20+4)
	var b [8]byte
	if _, err := f.idx.ReadAt(b[:4], offsets+4*int64(i)); err != nil {
		return 0, false
	}
	at := binary.BigEndian.Uint32(b[:4])
	if at < 1<<31 {
		return int64(at), true
	}
	far := int64(at - 1<<31)
	if far >= int64(f.far) {
		return 0, false
	}
	if _, err := f.idx.ReadAt(b[:], offsets+4*int64(f.objects)+8*far); err != nil {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(b[:])), true
}

// forward reads on from any place of a pack. What it has read it keeps, since
// neighbours are often asked for together.
type forward struct {
	file   *packFile
	start  int64 // where in the file the window begins
	window []byte
	at     int // in window
	room   [16 << 10]byte
}

// to goes to a place.
func (r *forward) to(p place) error {
	if p.file == r.file && p.at >= r.start && p.at < r.start+int64(len(r.window)) {
		r.at = int(p.at - r.start)
		return nil
	}
	r.file, r.start, r.window, r.at = p.file, p.at, nil, 0
	if p.file.data() == nil {
		return errNotHere
	}
	return nil
}

// fill reads the next window.
func (r *forward) fill() error {
	r.start += int64(len(r.window))
	r.window, r.at = nil, 0
	n, err := r.file.pack.ReadAt(r.room[:], r.start)
	r.window = r.room[:n]
	if n > 0 {
		return nil
	}
	return err
}

func (r *forward) ReadByte() (byte, error) {
	if r.at == len(r.window) {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	c := r.window[r.at]
	r.at++
	return c, nil
}

func (r *forward) Read(p []byte) (int, error) {
	if r.at == len(r.window) {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.window[r.at:])
	r.at += n
	return n, nil
}

var _ io.ByteReader = (*forward)(nil)
