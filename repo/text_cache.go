package repo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// textsMark begins every file of texts; another number is another format.
	textsMark = "git-tasks texts 1\n"
	// textsWorth is how many objects must have been read the slow way before
	// anything is written: reading a few again costs less.
	textsWorth = 200
	// maxText bounds an object that is kept, maxTextFolder what a folder's file
	// holds.
	maxText, maxTextFolder = 64 << 10, 8 << 20
	// maxTextFolders bounds the folders that are held in memory, maxTextBytes
	// what of them waits to be written.
	maxTextFolders, maxTextBytes = 32, 8 << 20
	// maxTextsDisk bounds all files of texts together.
	maxTextsDisk = 256 << 20
)

// texts is a cache on disk of what the folders of trees hold: a file a tree,
// named by its id, with the tree and those of its files that were read. An id
// stands for the same bytes for ever, so nothing here is ever out of date, and
// every file may be taken away at any time. A file that is torn, of another
// format or of somebody else is as good as none.
//
// It is for whoever reads a list whole: a folder is looked up when it is listed,
// and what was read of a listed folder is written by keep. All of it is safe for
// concurrent use; a nil one caches nothing.
type texts struct {
	dir     string
	digests digests

	mu      sync.Mutex
	folders map[ID]*textFolder
	order   []ID // of folders, the oldest first
	objects map[ID]object
	missed  int           // objects that no file had
	waiting []*textFolder // left, to be written
	bytes   int           // of what is to be written
}

// textFolder is what is known of one tree.
type textFolder struct {
	tree  ID
	ids   []ID
	objs  []object // one for each id
	bytes int
	fresh bool // holds more than its file
}

func newTexts(dir string) *texts {
	return &texts{dir: dir, folders: map[ID]*textFolder{}, objects: map[ID]object{}}
}

// enter makes ready what is kept of a tree.
func (c *texts) enter(tree ID) {
	if c == nil {
		return
	}
	c.mu.Lock()
	_, known := c.folders[tree]
	c.mu.Unlock()
	if known {
		return
	}
	f := &textFolder{tree: tree}
	if info, err := os.Lstat(c.path(tree)); err == nil && info.Mode().IsRegular() && info.Size() <= 2*maxTextFolder {
		if data, err := os.ReadFile(c.path(tree)); err == nil {
			f.decode(data)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folders[tree] != nil {
		return
	}
	c.folders[tree] = f
	c.order = append(c.order, tree)
	for i, id := range f.ids {
		c.objects[id] = f.objs[i]
	}
	if len(c.order) > maxTextFolders {
		c.leave(c.order[0])
		c.order = c.order[1:]
	}
}

// leave lets go of a folder. With the lock held.
func (c *texts) leave(tree ID) {
	f := c.folders[tree]
	delete(c.folders, tree)
	for _, id := range f.ids {
		delete(c.objects, id)
	}
	if f.fresh {
		c.waiting = append(c.waiting, f)
	}
}

// get gives an object of a folder that was entered; nobody may change it.
func (c *texts) get(id ID) (object, bool) {
	if c == nil {
		return object{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	obj, ok := c.objects[id]
	return obj, ok
}

// note takes an object that was read of a tree: the tree itself, or a file that
// lies in it.
func (c *texts) note(tree, id ID, obj object) {
	if c == nil || len(obj.data) > maxText {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.folders[tree]
	if _, held := c.objects[id]; f == nil || held || f.bytes+len(obj.data) > maxTextFolder {
		return
	}
	f.put(id, obj)
	f.fresh = true
	c.objects[id] = obj
	c.missed++
	if c.bytes += len(obj.data); c.bytes > maxTextBytes {
		c.write()
	}
}

// keep writes what was read and is in no file yet.
func (c *texts) keep() {
	if c == nil {
		return
	}
	c.writeDigests()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.folders {
		if f.fresh {
			c.waiting = append(c.waiting, f)
		}
	}
	c.write()
	if len(c.waiting) == 0 && c.missed >= textsWorth {
		c.prune()
	}
}

// write writes the folders that were left. A folder that is still being read is
// written with what there is of it. With the lock held.
func (c *texts) write() {
	if c.missed < textsWorth {
		return
	}
	if os.MkdirAll(c.dir, 0o700) == nil { // else the list may only be read
		for _, f := range c.waiting {
			c.writeFolder(f)
		}
	}
	c.waiting, c.bytes = nil, 0
}

func (c *texts) writeFolder(f *textFolder) {
	f.fresh = false
	c.place(c.path(f.tree), f.encode())
}

// place puts a file in its place whole. It is not synced: a file that is torn is
// none.
func (c *texts) place(path string, data []byte) {
	temp, err := os.CreateTemp(c.dir, "new.")
	if err != nil {
		return
	}
	_, err = temp.Write(data)
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
}

// prune takes the oldest files away once all are too many bytes.
func (c *texts) prune() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	var bytes int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			bytes += onDisk(info)
		}
	}
	if bytes <= maxTextsDisk {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if bytes <= maxTextsDisk/2 {
			return
		}
		os.Remove(filepath.Join(c.dir, info.Name()))
		bytes -= onDisk(info)
	}
}

// onDisk is about what a file takes: whole blocks.
func onDisk(info os.FileInfo) int64 { return (info.Size() + 4095) &^ 4095 }

func (c *texts) path(tree ID) string { return filepath.Join(c.dir, tree.String()) }

func (f *textFolder) put(id ID, obj object) {
	f.ids, f.objs = append(f.ids, id), append(f.objs, obj)
	f.bytes += len(obj.data)
}

// encode gives the file of a folder: the mark, the tree's id, of each object its
// kind, id, length and bytes, and a checksum of all that.
func (f *textFolder) encode() []byte {
	out := make([]byte, 0, len(textsMark)+20+f.bytes+25*len(f.ids)+4)
	out = append(append(out, textsMark...), f.tree[:]...)
	for i, id := range f.ids {
		out = append(append(out, byte(f.objs[i].kind)), id[:]...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(f.objs[i].data)))
		out = append(out, f.objs[i].data...)
	}
	return binary.BigEndian.AppendUint32(out, crc32.Checksum(out, castagnoli()))
}

// decode takes a file apart; one that is not whole leaves the folder empty.
func (f *textFolder) decode(data []byte) {
	head := append([]byte(textsMark), f.tree[:]...)
	end := len(data) - 4
	if end < len(head) || !bytes.HasPrefix(data, head) ||
		crc32.Checksum(data[:end], castagnoli()) != binary.BigEndian.Uint32(data[end:]) {
		return
	}
	for rest := data[len(head):end]; len(rest) >= 25; {
		kind, id, size := plumbing.ObjectType(rest[0]), ID(rest[1:21]), int(binary.BigEndian.Uint32(rest[21:25]))
		if rest = rest[25:]; size > len(rest) {
			return
		}
		obj := object{kind, rest[:size:size]}
		if kind == plumbing.TreeObject { // who keeps it for long would keep the whole file
			obj.data = bytes.Clone(obj.data)
		}
		f.put(id, obj)
		rest = rest[size:]
	}
}

// castagnoli is the polynomial that processors know.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
