package tools

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// asOfNow gives a Book as it counts at this moment: tasks whose claim is over are
// todo and nobody's. It writes nothing.
func (s *Store) asOfNow(book *records.Book) *records.Book { return book.AsOf(s.now(), s.gone) }

// claims are those that the branch has, as they count at a moment.
type claims struct {
	over []string  // the tasks whose claim is over
	next time.Time // when the next one ends by its time, zero for never
	may  bool      // another may end at any moment, with its session
}

// claims looks at all claims.
func (s *Store) claims() (c claims, err error) {
	book, _, err := s.written()
	if err != nil {
		return c, AsError(err)
	}
	all, err := book.Claims()
	if err != nil || len(all) == 0 {
		return c, err
	}
	counts := s.asOfNow(book)
	for _, claim := range all {
		task, err := counts.Task(claim.ID)
		if err != nil {
			return c, err
		}
		if task.Status != records.Doing {
			c.over = append(c.over, claim.ID)
			continue
		}
		c.may = c.may || claim.Lease.In != ""
		if until, ok := records.ParseTime(claim.Lease.Until); ok && (c.next.IsZero() || until.Before(c.next)) {
			c.next = until
		}
	}
	return c, nil
}

// rest is how long to leave claims alone of which the next one ends at a time.
func (s *Store) rest(next time.Time) time.Duration {
	if next.IsZero() {
		return longestRest
	}
	return max(time.Millisecond, min(longestRest, next.Sub(s.now())))
}

// WithClaims gives the signals of moved, which [Store.Moved] gave, and one each time
// that a claim is over, though nobody has written that: whenever [Store.Book] may give
// other than before. It ends as moved does.
func (s *Store) WithClaims(moved <-chan struct{}) <-chan struct{} {
	signals := make(chan struct{}, 1)
	was, err := s.claims()
	go func() {
		defer close(signals)
		for {
			var due <-chan time.Time
			if err != nil || was.may || !was.next.IsZero() {
				due = time.After(s.rest(was.next))
			}
			told := false
			select {
			case _, told = <-moved:
				if !told {
					return
				}
			case <-due:
			}
			now, failed := s.claims()
			if told || !slices.Equal(was.over, now.over) {
				select {
				case signals <- struct{}{}:
				default: // one is waiting
				}
			}
			was, err = now, failed
		}
	}()
	return signals
}

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
	if one.said.isGone(s.here(), now) {
		return true
	}
	if w := one.said.Watched; w != nil && w.runs(s.here()) {
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
