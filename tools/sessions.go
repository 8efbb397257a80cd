package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/git-tasks/git-tasks/records"
)

// Session is what is known of a session, in a file of its own beside the
// repository (sessions/ in repo.Side); it is never in history. Hooks and hosts
// report it.
type Session struct {
	Session string `json:"session"`         // as it was first named
	Owner   string `json:"owner,omitempty"` // "user:ana" is ana
	Title   string `json:"title,omitempty"`
	Ended   bool   `json:"ended,omitempty"`
}

// Session gives what is known of a session, bare or as a URI; the zero Session
// where nothing is, or where the file that said it is broken: who is behind a
// call is then host, and the log says why.
func (s *Store) Session(session string) (Session, error) {
	data, err := s.repo.ReadSide(sessionFile(session))
	if err != nil {
		return Session{}, err
	}
	return s.parseSession(session, data), nil
}

func (s *Store) parseSession(session string, data []byte) (known Session) {
	if data == nil {
		return Session{}
	}
	if err := json.Unmarshal(data, &known); err != nil {
		s.log.Warn("what was known of a session is broken", "session", session, "file", sessionFile(session), "error", err)
		return Session{}
	}
	return known
}

// ReportSession remembers what a report says of a session; what it leaves
// empty stays as it was.
func (s *Store) ReportSession(ctx context.Context, report Session) error {
	if records.BareSession(report.Session) == "" {
		return &Error{Code: Invalid, Message: "session must be a non-empty string."}
	}
	return s.repo.EditSide(ctx, sessionFile(report.Session), func(old []byte) ([]byte, error) {
		known := s.parseSession(report.Session, old)
		if known.Session == "" {
			known.Session = report.Session
		}
		if report.Owner != "" {
			known.Owner = report.Owner
		}
		if report.Title != "" {
			known.Title = report.Title
		}
		known.Ended = report.Ended
		data, err := json.Marshal(known)
		return append(data, '\n'), err
	})
}

// sessionFile names the file of a session: a hash, since a session's name may
// hold anything.
func sessionFile(session string) string {
	sum := sha256.Sum256([]byte(records.BareSession(session)))
	return "sessions/" + hex.EncodeToString(sum[:16]) + ".json"
}
