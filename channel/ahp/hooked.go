package ahp

import (
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// Reread takes in what hooks and other programs reported of sessions beside the
// list since that was looked at last: titles, ends, and turns. Turns of a session
// whose host is connected are that host's to report.
func (s *Server) Reread() error {
	s.rereading.Lock()
	defer s.rereading.Unlock()
	all, err := s.store.Sessions() // without the hub's lock: these are files
	if err != nil {
		return err
	}
	s.look(func(book *records.Book) {
		for _, r := range all {
			s.reread(book, r)
		}
	})
	return nil
}

func (s *Server) reread(book *records.Book, r tools.Session) {
	if one := s.sessions[records.BareSession(r.Session)]; one == nil && r.Ended || one != nil && one.read == whatItSays(r) {
		return
	}
	s.takeTurn(s.learn(book, r, nil), r)
}

// whatItSays is a report without the time of it: a file is written for other reasons
// too, and twice within what times tell apart.
func whatItSays(r tools.Session) tools.Session {
	r.Reported = time.Time{}
	return r
}

// takeTurn takes in the turn of a report of another program. The rest of it was taken
// in before.
func (s *Server) takeTurn(one *session, r tools.Session) {
	one.read = whatItSays(r)
	switch {
	case one.peer != nil || one.ended:
	case r.Turn != "":
		s.startTurn(one, r.Turn)
		one.hooked = r.Turn
	case one.hooked != "":
		s.endTurn(one, one.hooked)
		one.hooked = ""
	}
}
