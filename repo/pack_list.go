package repo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
)

// hintRoom is how much of an object is looked at to tell what it is like: git
// makes no more of a name than its last sixteen characters.
const hintRoom = 64

// maxHints bounds how many objects' hints are remembered.
const maxHints = 1 << 15

// hints remembers, of what this process wrote, the words that go with it: a roll-up
// need not read it for them. It is safe for concurrent use.
type hints struct {
	mu sync.Mutex
	of map[ID]string
}

func (h *hints) note(b *batch) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil || len(h.of)+len(b.order) > maxHints {
		h.of = map[ID]string{}
	}
	for _, id := range b.order {
		if obj := b.objs[id]; hinted(obj.kind) {
			h.of[id] = hintOf(obj.kind, obj.data[:min(len(obj.data), hintRoom)])
		}
	}
}

func (h *hints) get(id ID) (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	hint, ok := h.of[id]
	return hint, ok
}

// listPack writes what a pack holds as git pack-objects reads it, in the order in
// which it lies there: a line an object, its id and a word that it shares with
// those it is likely to be a delta of.
func listPack(out io.Writer, base string, known *hints) error {
	f, err := openPackFile(base)
	if err != nil {
		return fmt.Errorf("the index of %s cannot be read: %w", base, err)
	}
	defer f.close()
	places, err := f.places()
	if err != nil {
		return fmt.Errorf("the index of %s cannot be read: %w", base, err)
	}
	in := &inflater{}
	for _, p := range places {
		if _, err := fmt.Fprintf(out, "%s %s\n", p.id, in.hint(place{f, p.at}, p.id, known)); err != nil {
			return err
		}
	}
	return nil
}

// placed is an object of a pack and where it begins.
type placed struct {
	id ID
	at int64
}

// places gives every object of a pack in the order they lie in.
func (f *packFile) places() ([]placed, error) {
	const entry = 20 + 4 + 4 // what an index holds of an object
	index := make([]byte, entry*f.objects)
	if _, err := f.idx.ReadAt(index, idxHead); err != nil {
		return nil, err
	}
	offsets := index[(20+4)*f.objects:]
	list := make([]placed, f.objects)
	for i := range list {
		at, ok := int64(binary.BigEndian.Uint32(offsets[4*i:])), true
		if at >= 1<<31 {
			at, ok = f.offset(i)
		}
		if !ok {
			return nil, errNotHere
		}
		list[i] = placed{ID(index[20*i : 20*i+20]), at}
	}
	slices.SortFunc(list, func(a, b placed) int { return int(a.at - b.at) })
	return list, nil
}

// hint gives the word for an object. What is a delta stays one and needs none. It is
// a guess that decides about room alone, so what cannot be read has none either.
func (in *inflater) hint(at place, id ID, known *hints) string {
	h, err := in.header(at)
	if err != nil || !hinted(h.kind) {
		return ""
	}
	if hint, ok := known.get(id); ok {
		return hint
	}
	if in.open() != nil {
		return ""
	}
	var room [hintRoom]byte
	n, _ := io.ReadFull(in.zlib, room[:min(h.size, hintRoom)])
	return hintOf(h.kind, room[:n])
}

// hinted reports whether objects of a kind have a word.
func hinted(kind plumbing.ObjectType) bool {
	return kind == plumbing.TreeObject || kind == plumbing.BlobObject
}

// hintOf gives the word for an object that begins like this: of a tree the name it
// begins with, which is mostly that of the same folder before; of a file its first
// two lines, which hardly change when a line further on does.
func hintOf(kind plumbing.ObjectType, start []byte) string {
	if kind == plumbing.TreeObject {
		_, start, _ = bytes.Cut(start, []byte(" "))
		start, _, _ = bytes.Cut(start, []byte{0})
	} else if lines := bytes.SplitAfterN(start, []byte("\n"), 3); len(lines) == 3 {
		start = start[:len(start)-len(lines[2])]
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '.' {
			return c
		}
		return '-'
	}, string(start))
}
