package ahp

import (
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// Reread takes in what hooks and other programs reported of sessions beside the
// list since that was looked at last: titles, ends, and turns. Turns of a session
// whose host is connected are that host's to report.
func (s *Server) Reread() error {
	all, err := s.store.Sessions()
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
	if one := s.sessions[records.BareSession(r.Session)]; one == nil && r.Ended || one != nil && !r.Reported.After(one.reported) {
		return
	}
	one := s.learn(book, r, nil)
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
