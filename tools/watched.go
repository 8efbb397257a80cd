package tools

import (
	"cmp"
	"context"
	"os"
	"slices"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// silence is how long nothing may be seen of a session whose process is gone before it
// has ended: a client may start its server anew.
const silence = 30 * time.Second

// maxWatchers is how many processes that run are known of one session.
const maxWatchers = 32

// watched is who says that a session lives: processes that each live as long.
type watched struct {
	By   []watcher `json:"by"`   // in the order in which they came; none once all have let it go
	Seen time.Time `json:"seen"` // when the session was last heard of
}

// watcher is one process that watches a session.
type watcher struct {
	Host    string `json:"host"`    // where it runs, see Store.here; elsewhere nobody can say
	Process string `json:"process"` // see repo.ProcessName
}

// WatchSession remembers that a process of this machine lives as long as a session.
// Once all that do are gone, and nothing was seen of the session for 30 seconds, it has
// ended, and whatever it held is anyone's. A session that nobody watches ends by a
// report alone.
func (s *Store) WatchSession(ctx context.Context, session string, pid int) error {
	name := repo.ProcessName(pid)
	if records.BareSession(session) == "" || name == "" {
		return nil
	}
	one := watcher{s.here(), name}
	known, err := s.remembered(session)
	if w := known.Watched; err != nil || w != nil && !known.Ended && slices.Contains(w.By, one) {
		return err
	}
	return s.editSession(ctx, session, func(known *remembered) {
		known.Session.Session = cmp.Or(known.Session.Session, session)
		known.lives()
		if known.Watched == nil {
			known.Watched = &watched{}
		}
		known.Watched.add(one)
		known.heard(s.now())
	})
}

// add notes one more watcher, and forgets those that are gone. Where there are too
// many the first ones stay: what they started comes and goes.
func (w *watched) add(one watcher) {
	w.By = slices.DeleteFunc(w.By, func(o watcher) bool { return o == one || !o.runs(one.Host) })
	w.By = append(w.By[:min(len(w.By), maxWatchers-1)], one)
}

// LeaveSession lets a session go that this process watched and will watch no more.
// Whoever else watches it goes on to.
func (s *Store) LeaveSession(ctx context.Context, session string) error {
	one := watcher{s.here(), repo.ProcessName(os.Getpid())}
	known, err := s.remembered(session)
	if err != nil || known.Watched == nil || !slices.Contains(known.Watched.By, one) {
		return err
	}
	return s.editSession(ctx, session, func(known *remembered) {
		if w := known.Watched; w != nil && slices.Contains(w.By, one) {
			w.By = slices.DeleteFunc(w.By, func(o watcher) bool { return o == one })
			known.heard(s.now())
		}
	})
}

// sawSession notes that a session acted, in a call that began at a time: one that had
// ended lives again, and holds what nobody has taken meanwhile. An end that was
// reported while the call was on its way stands.
func (s *Store) sawSession(ctx context.Context, session string, began time.Time) {
	known, err := s.remembered(session)
	if err != nil || !known.Ended && !known.isSilent(s.here(), s.now()) {
		return
	}
	err = s.editSession(ctx, session, func(known *remembered) {
		now := s.now()
		known.heard(now)
		if !known.EndedAt.After(began) || known.EndedAt.After(now) { // of later than now: the clock went back
			known.lives()
		}
	})
	if err != nil {
		s.log.Warn("that a session was heard of could not be noted", "session", session, "error", err)
	}
}

// isSilent reports whether a session that is watched has to be heard of, so that it
// does not end: at every call once its processes are gone, and now and then while one
// runs.
func (r *remembered) isSilent(here string, now time.Time) bool {
	return r.Watched != nil && (!r.Watched.runs(here) || now.Sub(r.Watched.Seen) >= silence/3)
}

// heard notes that a session that is watched was heard of.
func (r *remembered) heard(now time.Time) {
	if r.Watched != nil {
		r.Watched.Seen = now.UTC()
	}
}

// ends notes that a session was reported to have ended, and lives that it has not.
func (r *remembered) ends(now time.Time) { r.Ended, r.EndedAt = true, now.UTC() }
func (r *remembered) lives()             { r.Ended, r.EndedAt = false, time.Time{} }

// runs reports whether one of those that watch runs, asked from a place of a name.
func (w *watched) runs(here string) bool {
	return slices.ContainsFunc(w.By, func(o watcher) bool { return o.runs(here) })
}

// runs reports whether the process runs. What runs elsewhere nobody knows.
func (w watcher) runs(here string) bool { return w.Host != here || repo.ProcessRuns(w.Process) }

// isGone reports whether a session has ended: it was said, or whoever watched it is
// gone and it was not heard of since.
func (r *remembered) isGone(here string, now time.Time) bool {
	return r.Ended || r.Watched != nil && !r.Watched.runs(here) && now.Sub(r.Watched.Seen) >= silence
}
