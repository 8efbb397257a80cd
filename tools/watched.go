package tools

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// silence is how long nothing may be seen of a session whose process is gone before it
// has ended: a client may start its server anew.
const silence = 30 * time.Second

// watched is who says that a session lives: a process that lives as long.
type watched struct {
	Host    string    `json:"host"`              // the machine's name; on any other nobody can say
	Process string    `json:"process,omitempty"` // see repo.ProcessName; "" once it has let the session go
	By      string    `json:"by,omitempty"`      // for whom it runs
	Seen    time.Time `json:"seen"`              // when the session was last heard of
}

// WatchSession remembers that a process of this machine lives as long as a session.
// Once it is gone, and nothing was seen of the session for 30 seconds, the session has
// ended, and whatever it held is anyone's. A session that nobody watches ends by a
// report alone.
func (s *Store) WatchSession(ctx context.Context, session string, pid int) error {
	name := repo.ProcessName(pid)
	if records.BareSession(session) == "" || name == "" {
		return nil
	}
	known, err := s.remembered(session)
	if w := known.Watched; err != nil || w != nil && !known.Ended && w.Host == s.host && w.runs(s.host) {
		return err // whoever watches it runs: what it started comes and goes
	}
	return s.editSession(ctx, session, func(known *remembered) {
		known.Session.Session = cmp.Or(known.Session.Session, session)
		known.Ended = false
		known.Watched = &watched{Host: s.host, Process: name, By: known.Owner, Seen: s.now().UTC()}
	})
}

// LeaveSession lets a session go that this process watched and will watch no more.
// One that another process watches is that one's.
func (s *Store) LeaveSession(ctx context.Context, session string) error {
	name := repo.ProcessName(os.Getpid())
	known, err := s.remembered(session)
	if err != nil || known.Watched == nil || known.Watched.Process != name {
		return err
	}
	return s.editSession(ctx, session, func(known *remembered) {
		if known.Watched != nil && known.Watched.Process == name {
			known.Watched.Process, known.Watched.Seen = "", s.now().UTC()
		}
	})
}

// sawSession notes that a session was heard of, where that keeps it from ending: at
// every call once its process is gone, and now and then while it runs.
func (s *Store) sawSession(ctx context.Context, session string) {
	known, err := s.remembered(session)
	if err != nil || known.Watched == nil || known.Watched.runs(s.host) && s.now().Sub(known.Watched.Seen) < silence/3 {
		return
	}
	err = s.editSession(ctx, session, func(known *remembered) { known.heard(s.now()) })
	if err != nil {
		s.log.Warn("that a session was heard of could not be noted", "session", session, "error", err)
	}
}

// heard notes that a session that is watched was heard of.
func (r *remembered) heard(now time.Time) {
	if r.Watched != nil {
		r.Watched.Seen = now.UTC()
	}
}

// runs reports whether the process that watches runs, asked on a machine of a name.
// What another machine runs nobody knows.
func (w *watched) runs(here string) bool {
	return w.Host != here || w.Process != "" && repo.ProcessRuns(w.Process)
}

// isGone reports whether a session has ended: it was said, or whoever watched it is
// gone and it was not heard of since.
func (r *remembered) isGone(here string, now time.Time) bool {
	return r.Ended || r.Watched != nil && !r.Watched.runs(here) && now.Sub(r.Watched.Seen) >= silence
}
