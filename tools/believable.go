package tools

import (
	"io/fs"
	"sync"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// judged is the Book that readers get at a tip which others made.
type judged struct {
	mu       sync.Mutex
	tip      repo.ID
	known    bool                // what is believed at the tip
	book     *records.Book       // nil where that is all of it
	unproven map[string][]string // by id: what the tip says and nobody believes
}

// believable gives the Book that readers judge by: that of the tip, where stamps
// and leases that no tool wrote are as the door last had them. The door puts them
// back with its next change; until then they count for nothing.
func (s *Store) believable(tip *repo.Snapshot, book *records.Book) (*records.Book, error) {
	j := &s.judged
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.known && j.tip == tip.ID() {
		if j.book != nil {
			return j.book, nil
		}
		return book, nil
	}
	files, unproven, err := s.unbelieved(tip, book)
	if err != nil {
		return nil, err
	}
	j.book, j.unproven = nil, unproven
	if len(files) > 0 {
		book = book.With(files)
		j.book = book
	}
	j.tip, j.known = tip.ID(), true
	return book, nil
}

// unbelieved gives the files at a snapshot that say what no tool wrote, as they are
// without it, and by id what that is. book is the Book there.
func (s *Store) unbelieved(at *repo.Snapshot, book *records.Book) ([]records.File, map[string][]string, error) {
	foreign, last, err := s.foreignCommits(at)
	if err != nil || len(foreign) == 0 {
		return nil, nil, err
	}
	known, err := s.lastKnown(last, at)
	if err != nil {
		return nil, nil, err
	}
	paths, err := at.Changed(last)
	if err != nil {
		return nil, nil, err
	}
	return book.Proven(known, paths)
}

// Unproven gives the keys of a record's stamps, and its lease, that somebody else
// than a tool wrote, changed or took out on the branch. That counts for nothing,
// and the next change puts them back.
func (s *Store) Unproven(id string) ([]string, error) {
	if _, _, err := s.Book(); err != nil {
		return nil, err
	}
	s.judged.mu.Lock()
	defer s.judged.mu.Unlock()
	return s.judged.unproven[id], nil
}

// lastKnown gives what the door last had, at its commit last: nil where it has no
// commit and no key, so that nothing is known. A record that could not be read
// there is as the door last could read it: breaking a file and mending it again
// makes no stamp true.
func (s *Store) lastKnown(last repo.ID, tip *repo.Snapshot) (*records.Book, error) {
	if last.IsZero() && s.ownKey() == "" {
		return nil, nil
	}
	before, err := s.repo.At(last)
	if err != nil {
		return nil, err
	}
	return s.readableIn(records.NewBook(before.FS()), before, tip)
}

// readableIn gives the Book of a commit of the door, with the records that cannot be
// read there, and that differ at the tip, as the door last could read them.
func (s *Store) readableIn(book *records.Book, before, tip *repo.Snapshot) (*records.Book, error) {
	paths, err := tip.Changed(before.ID())
	if err != nil {
		return nil, err
	}
	var files []records.File
	for _, path := range paths {
		if !isRecordFile(path) {
			continue
		}
		if was := readRecord(before, path); !was.there || was.readable {
			continue
		}
		file, err := s.lastReadable(before, path)
		if err != nil {
			return nil, err
		}
		if file != nil {
			files = append(files, *file)
		}
	}
	return book.With(files), nil
}

// lastReadable gives a file as the door last could read it, nil for never since
// it last was not there.
func (s *Store) lastReadable(from *repo.Snapshot, path string) (*records.File, error) {
	for c, err := range from.Log() {
		if err != nil {
			return nil, err
		}
		ours, err := s.ofTheDoor(from, c)
		if err != nil {
			return nil, err
		}
		if !ours {
			continue
		}
		at, err := s.repo.At(c.ID)
		if err != nil {
			return nil, err
		}
		rec := readRecord(at, path)
		if !rec.there {
			return nil, nil
		}
		if rec.readable {
			data, err := fs.ReadFile(at.FS(), path)
			return &records.File{Path: path, Data: data}, err
		}
	}
	return nil, nil
}
