package tools

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// asOfNow gives a Book as it counts at this moment: tasks whose claim is over are
// todo and nobody's. It writes nothing.
func (s *Store) asOfNow(book *records.Book) *records.Book { return book.AsOf(s.now(), s.gone) }

const (
	// maxHeard is how many sessions are kept in mind.
	maxHeard = 1 << 10
	// briefly is how long a process that ran is taken to run on.
	briefly = time.Second
)

// heard is what is known of the sessions that hold something, each as of its file: a
// list that many work on is read many times a second.
type heard struct {
	mu    sync.Mutex
	known map[string]*heardOf
}

type heardOf struct {
	path  string
	file  fs.FileInfo // nil for none; a file that changes is always another one
	said  remembered
	alive time.Time // when its process was seen to run
}

// gone reports whether a session is known to have ended. What cannot be read says
// nothing: the claim stands.
func (s *Store) gone(session string) bool {
	h := &s.heard
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.known[session]
	known := one != nil
	if !known {
		one = &heardOf{path: filepath.Join(s.Side(), filepath.FromSlash(sessionFile(session)))}
	}
	file, err := os.Stat(one.path)
	if err != nil {
		file = nil
	}
	if !known || !sameState(one.file, file) {
		said, err := s.remembered(session)
		if err != nil {
			return false
		}
		if len(h.known) >= maxHeard || h.known == nil {
			h.known = map[string]*heardOf{}
		}
		one = &heardOf{path: one.path, file: file, said: said}
		h.known[session] = one
	}
	now := s.now()
	if rest := now.Sub(one.alive); !one.said.Ended && rest > 0 && rest < briefly {
		return false
	}
	if one.said.isGone(s.host, now) {
		return true
	}
	if w := one.said.Watched; w != nil && w.runs(s.host) {
		one.alive = now
	}
	return false
}

// sameState reports whether a file is the one that it was, unchanged.
func sameState(was, is fs.FileInfo) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	return os.SameFile(was, is) && was.ModTime().Equal(is.ModTime()) && was.Size() == is.Size()
}
