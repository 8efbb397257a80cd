package repo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"runtime/debug"
	"sync"
)

const (
	// digestMark begins every file of a digest; another number is another format.
	digestMark = "git-tasks digest 1\n"
	// digestEnd ends the name of such a file, behind the id of the tree.
	digestEnd = ".digest"
	// maxDigest bounds what is kept of one folder, maxDigests how many wait to be
	// written.
	maxDigest, maxDigests = 64 << 10, 1 << 14
)

// digests keeps what users of a tree worked out of its folders, a file a folder,
// named by the id of its tree. Such a file is of one build of the program: another
// one may work out something else.
type digests struct {
	mu      sync.Mutex
	waiting map[ID][]byte // to be written
}

// build tells one build of the program from others.
var build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "\n"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
			text += " " + s.Value
		}
	}
	return text + "\n"
})

// Kept gives what was kept of a folder, nil for nothing. The tree of the folder is
// the same as it was then.
func (t treeFS) Kept(dir string) []byte {
	e, _, err := t.lookup("kept", dir)
	if err != nil || !e.isDir() {
		return nil
	}
	return t.stored.texts.digest(e.id)
}

// Keep keeps something that follows from a folder, and all below it, alone. It is
// written when the repository is closed.
func (t treeFS) Keep(dir string, data []byte) {
	if e, _, err := t.lookup("keep", dir); err == nil && e.isDir() {
		t.stored.texts.keepDigest(e.id, data)
	}
}

func (c *texts) digest(tree ID) []byte {
	if c == nil {
		return nil
	}
	c.digests.mu.Lock()
	data := c.digests.waiting[tree]
	c.digests.mu.Unlock()
	if data != nil {
		return data
	}
	file, err := os.ReadFile(c.path(tree) + digestEnd)
	head := digestHead(tree)
	end := len(file) - crc32.Size
	if err != nil || end < len(head) || !bytes.HasPrefix(file, head) ||
		crc32.Checksum(file[:end], castagnoli()) != binary.BigEndian.Uint32(file[end:]) {
		return nil
	}
	return file[len(head):end]
}

func (c *texts) keepDigest(tree ID, data []byte) {
	if c == nil || len(data) > maxDigest {
		return
	}
	c.digests.mu.Lock()
	defer c.digests.mu.Unlock()
	if c.digests.waiting == nil || len(c.digests.waiting) >= maxDigests {
		c.digests.waiting = map[ID][]byte{}
	}
	c.digests.waiting[tree] = data
}

// writeDigests writes what waits and lies in no file yet.
func (c *texts) writeDigests() {
	c.digests.mu.Lock()
	waiting := c.digests.waiting
	c.digests.waiting = nil
	c.digests.mu.Unlock()
	if len(waiting) == 0 || os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	for tree, data := range waiting {
		if bytes.Equal(c.digest(tree), data) {
			continue
		}
		if tree[0] == 0 { // now and then
			defer c.prune()
		}
		file := append(digestHead(tree), data...)
		c.place(c.path(tree)+digestEnd, binary.BigEndian.AppendUint32(file, crc32.Checksum(file, castagnoli())))
	}
}

func digestHead(tree ID) []byte {
	return append([]byte(digestMark+build()), tree[:]...)
}
