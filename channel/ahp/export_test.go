package ahp

import "github.com/git-tasks/git-tasks/records"

// Wire is a connection as the server has it.
type Wire = wire

// Text is a message as the server sends it.
type Text = text

// ErrNotText is what a Wire reads that was sent no text.
var ErrNotText = errNotText

// Serve serves a client of a person until its wire or the server ends.
func (s *Server) Serve(w Wire, person string) {
	s.serving.Add(1)
	defer s.serving.Done()
	s.serve(w, person, "a test")
}

// Held counts the sessions in memory, and those of them with keys of their own.
func (s *Server) Held() (all, withKeys int) {
	s.look(func(*records.Book) {
		for _, one := range s.sessions {
			if all++; one.own != nil {
				withKeys++
			}
		}
	})
	return all, withKeys
}

// SetLimit sets how many bytes may wait for a client that connects from now on.
func (s *Server) SetLimit(n int) { s.limit = n }
