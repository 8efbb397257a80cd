package tools

import "github.com/git-tasks/git-tasks/records"

// AsOfNow gives a Book as it counts at this moment: tasks whose claim is over are
// todo and nobody's. It writes nothing.
func (s *Store) AsOfNow(book *records.Book) *records.Book { return book.AsOf(s.now(), s.gone) }

// gone reports whether a session is known to have ended. What cannot be read says
// nothing: the claim stands.
func (s *Store) gone(session string) bool {
	known, err := s.remembered(session)
	return err == nil && known.isGone(s.host, s.now())
}
