package repo

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The modes of a tree entry, as git writes them.
const (
	modeDir     = 0o040000
	modeFile    = 0o100644
	modeExec    = 0o100755
	modeLink    = 0o120000
	modeGitlink = 0o160000
)

// entry is one line of a tree.
type entry struct {
	mode uint32
	name string
	id   ID
}

func (e entry) isDir() bool { return e.mode == modeDir }

// line is one entry where it stands in a tree.
type line struct {
	mode uint32
	name []byte
	id   ID
	size int // of the whole entry
}

func (l line) isDir() bool { return l.mode == modeDir }

func (l line) entry() entry { return entry{l.mode, string(l.name), l.id} }

// tree is the content of a tree as git stores it, known to be well-formed. It is
// read where it lies, and a change copies what stands before and after it: most
// commits change one entry of a hundred.
type tree []byte

// parseTree checks that data is a tree.
func parseTree(data []byte) (tree, error) {
	n := 0
	for rest := data; len(rest) > 0; n++ {
		space, nul := bytes.IndexByte(rest, ' '), bytes.IndexByte(rest, 0)
		if space < 1 || nul < space+2 || len(rest) < nul+1+len(ID{}) {
			return nil, fmt.Errorf("malformed tree at entry %d", n+1)
		}
		for _, c := range rest[:space] {
			if c < '0' || c > '7' {
				return nil, fmt.Errorf("malformed mode in tree entry %d", n+1)
			}
		}
		rest = rest[nul+1+len(ID{}):]
	}
	return data, nil
}

// first gives the entry that a tree, which is not empty, begins with.
func (t tree) first() line {
	var l line
	i := 0
	for ; t[i] != ' '; i++ {
		l.mode = l.mode<<3 | uint32(t[i]-'0')
	}
	end := i + 1 + bytes.IndexByte(t[i+1:], 0)
	l.name, l.size = t[i+1:end], end+1+len(l.id)
	copy(l.id[:], t[end+1:])
	return l
}

// all yields the entries in the order they stand in.
func (t tree) all(yield func(entry) bool) {
	for rest := t; len(rest) > 0; {
		l := rest.first()
		if !yield(l.entry()) {
			return
		}
		rest = rest[l.size:]
	}
}

// find gives the entry of a name and where it begins. Names are compared where
// they lie: nothing else of an entry is looked at.
func (t tree) find(name string) (at int, l line, found bool) {
	if strings.IndexByte(name, 0) >= 0 {
		return len(t), line{}, false
	}
	for at < len(t) {
		start := at
		for t[start] != ' ' {
			start++
		}
		start++
		if end := start + len(name); end < len(t) && t[end] == 0 && string(t[start:end]) == name {
			return at, t[at:].first(), true
		}
		at = start + bytes.IndexByte(t[start:], 0) + 1 + len(ID{})
	}
	return at, line{}, false
}

// with gives the tree with e in place of what has its name, or added.
func (t tree) with(e entry) tree {
	at, old, found := t.find(e.name)
	if !found {
		at = t.place(e)
	}
	next := make(tree, 0, len(t)-old.size+len(e.name)+len(e.id)+8)
	next = append(next, t[:at]...)
	next = strconv.AppendUint(next, uint64(e.mode), 8)
	next = append(next, ' ')
	next = append(next, e.name...)
	next = append(next, 0)
	next = append(next, e.id[:]...)
	return append(next, t[at+old.size:]...)
}

// without gives the tree with nothing of that name.
func (t tree) without(name string) tree {
	at, old, found := t.find(name)
	if !found {
		return t
	}
	return slices.Concat(t[:at], t[at+old.size:])
}

// place gives where an entry goes by git's order, in which a folder counts as if
// it ended in a slash.
func (t tree) place(e entry) (at int) {
	for at < len(t) {
		l := t[at:].first()
		if order(l.name, l.mode, []byte(e.name), e.mode) > 0 {
			break
		}
		at += l.size
	}
	return at
}

func order(a []byte, aMode uint32, b []byte, bMode uint32) int {
	n := min(len(a), len(b))
	if c := bytes.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return cmp.Compare(after(a, aMode, n), after(b, bMode, n))
}

// after is the character that counts at position i, at most the length of a name.
func after(name []byte, mode uint32, i int) byte {
	switch {
	case i < len(name):
		return name[i]
	case mode == modeDir:
		return '/'
	}
	return 0
}

// sorted gives the tree in git's order: another program may have stored one that
// is not.
func (t tree) sorted() tree {
	var last line
	for rest := t; len(rest) > 0; rest = rest[last.size:] {
		next := rest.first()
		if last.size > 0 && order(last.name, last.mode, next.name, next.mode) > 0 {
			entries := slices.SortedStableFunc(t.all, func(a, b entry) int {
				return order([]byte(a.name), a.mode, []byte(b.name), b.mode)
			})
			return encodeTree(entries)
		}
		last = next
	}
	return t
}

// encodeTree lays entries out as they come.
func encodeTree(entries []entry) tree {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%o %s\x00%s", e.mode, e.name, e.id[:])
	}
	return tree(b.String())
}
