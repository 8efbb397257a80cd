package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
)

// Snapshot is the branch at one commit. It never changes and is safe for
// concurrent use; what it reads stays readable as long as git keeps the commit.
type Snapshot struct {
	id   ID // zero: before the first commit
	root ID // its tree
	reader
}

// ID names the commit; zero where the branch has none yet.
func (s *Snapshot) ID() ID { return s.id }

// FS gives the commit's tree. A symlink has [fs.ModeSymlink] and is never
// followed, a submodule [fs.ModeIrregular]; both are listed and neither can be
// opened. Sizes are told without reading.
func (s *Snapshot) FS() fs.FS { return treeFS{s.reader, s.root, new(atomic.Pointer[folder])} }

// Changed lists, sorted, the paths of the files that differ between the commit
// since (zero: the empty tree) and this one, whatever lies between them.
func (s *Snapshot) Changed(since ID) ([]string, error) {
	before, err := s.reader.snapshot(since)
	if err != nil {
		return nil, err
	}
	return s.changedFrom(before.root)
}

// With gives the snapshot as the proposals would leave it, which need not come to
// be. It is of the same commit yet, and only to be had of the tip that an
// [EditFunc] is given.
func (s *Snapshot) With(proposals ...Proposal) (*Snapshot, error) {
	next := *s
	for _, p := range proposals {
		root, err := next.treeOf(p)
		if err != nil {
			return nil, err
		}
		next.root = root
	}
	return &next, nil
}

// treeOf puts what a proposal changes into the snapshot's tree.
func (s *Snapshot) treeOf(p Proposal) (ID, error) {
	files := make([]graftFile, 0, len(p.Taken)+len(p.Files))
	if len(p.Taken) > 0 {
		from, err := s.snapshot(p.Merge)
		if err != nil {
			return ID{}, err
		}
		for _, path := range p.Taken {
			at, _, err := treeFS{reader: from.reader, root: from.root}.lookup("lstat", path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return ID{}, err
			}
			if at.isDir() { // the file is not there; what is in the folder is named by itself
				at = entry{}
			}
			files = append(files, graftFile{File{Path: path}, at})
		}
	}
	for _, f := range p.Files {
		files = append(files, graftFile{File: f})
	}
	return s.graft(s.root, files)
}

func (s *Snapshot) changedFrom(tree ID) ([]string, error) {
	var paths []string
	err := s.changed("", tree, s.root, func(path string) { paths = append(paths, path) })
	slices.Sort(paths)
	return slices.Compact(paths), err
}

// At gives the branch as it was at a commit; the zero ID is the time before
// the first one.
func (r *Repo) At(id ID) (*Snapshot, error) {
	return reader{stored: r.objects}.snapshot(id)
}

// At gives another commit as the snapshot sees it, also one that is only to be
// made together with the snapshot's own.
func (s *Snapshot) At(id ID) (*Snapshot, error) { return s.reader.snapshot(id) }

// Tip gives the branch as it is now.
func (r *Repo) Tip() (*Snapshot, error) {
	id, err := r.readRef()
	if err != nil {
		return nil, err
	}
	s, err := r.At(id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.ref, err)
	}
	return s, nil
}

func (r reader) snapshot(id ID) (*Snapshot, error) {
	if id.IsZero() {
		return &Snapshot{reader: r}, nil
	}
	c, err := r.commit(id)
	if err != nil {
		return nil, err
	}
	// The root is read at once: a snapshot that exists can be listed.
	if _, err := r.tree(c.tree); err != nil {
		return nil, err
	}
	return &Snapshot{id: id, root: c.tree, reader: r}, nil
}

func (r reader) commit(id ID) (Commit, error) {
	data, err := r.read(plumbing.CommitObject, id)
	if err != nil {
		return Commit{}, err
	}
	c, err := parseCommit(id, data)
	if err != nil {
		return Commit{}, damaged(err, "commit %s cannot be read", id)
	}
	return c, nil
}
