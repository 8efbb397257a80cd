package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
// where nothing is.
func (s *Store) Session(session string) (Session, error) {
	file := s.sessionFile(session)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Session{}, nil
	}
	if err != nil {
		return Session{}, err
	}
	var known Session
	if err := json.Unmarshal(data, &known); err != nil {
		return Session{}, fmt.Errorf("%s: %w", file, err)
	}
	return known, nil
}

// ReportSession remembers what a report says of a session; what it leaves
// empty stays as it was.
func (s *Store) ReportSession(report Session) error {
	if records.BareSession(report.Session) == "" {
		return &Error{Code: Invalid, Message: "session must be a non-empty string."}
	}
	known, err := s.Session(report.Session)
	if err != nil {
		return err
	}
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
	if err != nil {
		return err
	}
	return replaceFile(s.sessionFile(report.Session), append(data, '\n'))
}

// sessionFile names the file of a session: a hash, since a session's name may
// hold anything.
func (s *Store) sessionFile(session string) string {
	sum := sha256.Sum256([]byte(records.BareSession(session)))
	return filepath.Join(s.repo.Side(), "sessions", hex.EncodeToString(sum[:16])+".json")
}

// replaceFile puts data in place of a file at once: readers see the old
// content or the new.
func replaceFile(file string, data []byte) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}
