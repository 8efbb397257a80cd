package tools

import "github.com/git-tasks/git-tasks/records"

// asOfNow gives a Book as it counts at this moment: tasks whose claim is over are
// todo and nobody's.
func (s *Store) asOfNow(book *records.Book) *records.Book { return book.AsOf(s.now(), s.gone) }

// gone reports whether a session is known to have ended. What cannot be read says
// nothing: the claim stands.
func (s *Store) gone(session string) bool {
	known, err := s.Session(session)
	return err == nil && known.Ended
}
