package repo

import (
	"crypto/sha1"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

const (
	// maxObject bounds what one read may bring into memory. Callers ask for
	// the size first, so only a tree or commit beyond all sense meets it.
	maxObject = 64 << 20
	// maxReopen bounds how often one read meets packs that are being replaced.
	maxReopen = 100
)

// object is an object's type and content, without the header git stores.
type object struct {
	kind plumbing.ObjectType
	data []byte
}

func (o object) id() (id ID) {
	var head [32]byte
	h := sha1.New()
	h.Write(append(strconv.AppendInt(append(append(head[:0], o.kind.String()...), ' '), int64(len(o.data)), 10), 0))
	h.Write(o.data)
	h.Sum(id[:0])
	return id
}

// objects reads the object store: what was written by this process lately, and
// the trees read last, from memory, what is packed from its pack, all else through
// go-git. It is safe for concurrent use.
type objects struct {
	dir string // the git directory that holds objects/
	// incoming are the objects of a push that is being judged; nil elsewhere.
	// No more of them come.
	incoming *filesystem.ObjectStorage

	memory memory // among it what is ours and perhaps not in store's view of the packs
	texts  *texts // nil: nothing is cached on disk

	mu    sync.Mutex                // held while store is read
	store *filesystem.ObjectStorage // nil: to be opened
	packs *packs                    // nil: to be opened
}

// open gives the store. With the lock held.
func (o *objects) open() *filesystem.ObjectStorage {
	if o.store == nil {
		root := packsWithIndex{osfs.New(o.dir)}
		o.store = &filesystem.NewStorageWithOptions(root, cache.NewObjectLRU(32*cache.MiByte),
			filesystem.Options{KeepDescriptors: true, AlternatesFS: osfs.New("/"), LargeObjectThreshold: maxObject}).ObjectStorage
	}
	return o.store
}

// reopen makes the next read see the packs as they are now. With the lock held.
func (o *objects) reopen() {
	if o.store != nil {
		o.store.Close()
	}
	o.store = nil
	if o.packs != nil {
		o.packs.close()
	}
	o.packs = nil
}

// packed asks the packs, once more where others are there than before; false
// leaves it to go-git.
func (o *objects) packed(ask func(*packs) error) bool {
	for try := range 2 {
		o.mu.Lock()
		if try > 0 && slices.Equal(o.packs.seen(), o.packNames()) {
			o.mu.Unlock()
			return false
		}
		if try > 0 || o.packs == nil {
			if o.packs != nil {
				o.packs.close()
			}
			o.packs = openPacks(filepath.Join(o.dir, "objects", "pack"), o.packNames())
		}
		p := o.packs
		o.mu.Unlock()
		if guard(func() error { return ask(p) }) == nil {
			return true
		}
	}
	return false
}

func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reopen()
	if o.incoming != nil {
		o.incoming.Close()
	}
}

// add keeps objects in memory that are now in a pack of ours.
func (o *objects) add(objs map[ID]object) {
	for id, obj := range objs {
		o.memory.put(id, obj)
	}
}

// rolledUp says that packs were replaced. What is kept in memory stays good.
func (o *objects) rolledUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reopen()
}

// read gives an object's content, verified against its id. An object that is
// not found, or whose pack went away, is looked for again in a fresh view.
func (o *objects) read(kind plumbing.ObjectType, id ID) (data []byte, err error) {
	if obj, ok := o.memory.get(id); ok && obj.kind == kind {
		return obj.data, nil
	}
	if obj, ok := o.texts.get(id); ok && obj.kind == kind {
		return obj.data, nil
	}
	if o.packed(func(p *packs) error { data, err = p.read(kind, id); return err }) {
		return data, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	read := func(s *filesystem.ObjectStorage) (err error) {
		data, err = readVerified(s, kind, id)
		return err
	}
	if o.arrived(read) {
		return data, nil
	}
	err = o.again(read)
	if err != nil {
		return nil, damaged(err, "%s %s cannot be read", kind, id)
	}
	return data, nil
}

func readVerified(s *filesystem.ObjectStorage, kind plumbing.ObjectType, id ID) ([]byte, error) {
	enc, err := s.EncodedObject(kind, plumbing.Hash(id)) // a large one is not read by that
	if err != nil {
		return nil, err
	}
	if size := enc.Size(); size > maxObject {
		return nil, fmt.Errorf("it has %d bytes, more than %d", size, maxObject)
	}
	r, err := enc.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, enc.Size())
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	if got := (object{kind, data}).id(); got != id {
		return nil, fmt.Errorf("its content has the id %s", got)
	}
	return data, nil
}

// size gives the length of a blob without reading it into memory.
func (o *objects) size(id ID) (size int64, err error) {
	if obj, ok := o.memory.get(id); ok {
		return int64(len(obj.data)), nil
	}
	if obj, ok := o.texts.get(id); ok {
		return int64(len(obj.data)), nil
	}
	if o.packed(func(p *packs) error { size, err = p.size(id); return err }) {
		return size, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	read := func(s *filesystem.ObjectStorage) (err error) {
		size, err = s.EncodedObjectSize(plumbing.Hash(id))
		return err
	}
	if o.arrived(read) {
		return size, nil
	}
	err = o.again(read)
	if err != nil {
		return 0, damaged(err, "blob %s cannot be read", id)
	}
	return size, nil
}

// arrived runs read on what a push has brought, and reports whether it is there.
func (o *objects) arrived(read func(*filesystem.ObjectStorage) error) bool {
	return o.incoming != nil && guard(func() error { return read(o.incoming) }) == nil
}

// again runs read, and on an error once more with the store opened anew, and
// as often as the packs were not the same before and after: another program may
// be replacing them, and what it takes away it has put elsewhere before.
func (o *objects) again(read func(*filesystem.ObjectStorage) error) error {
	err := guard(func() error { return read(o.open()) })
	wait := time.Millisecond
	for try := 0; err != nil && try < maxReopen; try++ {
		time.Sleep(wait)
		wait = min(2*wait, 50*time.Millisecond)
		o.reopen()
		before := o.packNames()
		if err = guard(func() error { return read(o.open()) }); err == nil {
			return nil
		}
		if try > 0 && slices.Equal(before, o.packNames()) {
			return err
		}
	}
	return err
}

// packNames lists what lies in the folder of packs; nil when it cannot be read.
func (o *objects) packNames() []string { return namesIn(filepath.Join(o.dir, "objects", "pack")) }

// namesIn lists a folder, sorted; nil when it cannot be read.
func namesIn(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	return names
}

// guard turns a panic of go-git on a malformed object into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed object: %v", r)
		}
	}()
	return f()
}

// packsWithIndex hides a pack that has no index. git passes it over; go-git
// would refuse to read anything at all.
type packsWithIndex struct{ billy.Filesystem }

func (p packsWithIndex) ReadDir(path string) ([]os.FileInfo, error) {
	infos, err := p.Filesystem.ReadDir(path)
	if err != nil || !strings.HasSuffix(path, "pack") {
		return infos, err
	}
	indexed := map[string]bool{}
	for _, info := range infos {
		if base, ok := strings.CutSuffix(info.Name(), ".idx"); ok {
			indexed[base] = true
		}
	}
	var kept []os.FileInfo
	for _, info := range infos {
		base, isPack := strings.CutSuffix(info.Name(), ".pack")
		if !isPack || indexed[base] {
			kept = append(kept, info)
		}
	}
	return kept, nil
}
