package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/translate"
)

// Session is what is known of a session, in a file of its own beside the
// repository (sessions/ in repo.Side); it is never in history. Hooks and hosts
// report it.
type Session struct {
	Session string `json:"session"`         // as it was first named
	Owner   string `json:"owner,omitempty"` // "user:ana" is ana
	Bot     string `json:"bot,omitempty"`   // that runs it, by slug
	Title   string `json:"title,omitempty"`
	Ended   bool   `json:"ended,omitempty"`
	Folder  string `json:"folder,omitempty"` // that it works in
	Turn    string `json:"turn,omitempty"`   // the one under way, by the harness's id; see ReportTurn

	Reported time.Time `json:"-"` // when it was last, where [Store.Sessions] gives it
}

// Person gives the owner as stamps name them, "" for none.
func (s Session) Person() string { return repo.CleanName(strings.TrimPrefix(s.Owner, "user:")) }

// remembered is the whole file: what is known of a session, and what its harness
// said of its list that no task holds.
type remembered struct {
	Session
	Active map[string]string `json:"active,omitempty"` // see translate.Memory
	Calls  []string          `json:"calls,omitempty"`  // the last that were taken, oldest first
	Left   []string          `json:"left,omitempty"`   // see translate.Memory
	Count  turns             `json:"count,omitzero"`
	wrote  bool              // the list, by an update that is being remembered

	// Place is the session's plan with its tasks as they were at the commit At.
	// Whoever has not read the list looks at those and at what has changed since.
	Place *translate.Place `json:"place,omitempty"`
	At    string           `json:"at,omitempty"`

	Watched *watched  `json:"watched,omitempty"` // nil where nobody ever did
	EndedAt time.Time `json:"endedAt,omitzero"`  // when it was reported to have ended
}

// Session gives what is known of a session, bare or as a URI; the zero Session
// where nothing is, or where the file that said it is broken: who is behind a
// call is then host, and the log says why.
func (s *Store) Session(session string) (Session, error) {
	known, err := s.remembered(session)
	return known.Session, err
}

func (s *Store) remembered(session string) (remembered, error) {
	data, err := s.repo.ReadSide(sessionFile(session))
	if err != nil {
		return remembered{}, err
	}
	return s.parseSession(session, data), nil
}

// Sessions gives every session that was reported, in no order; Ended is one as well
// that whoever watched it left. What cannot be read of them is left out, and one of
// which no more is known than that a process watches it.
func (s *Store) Sessions() ([]Session, error) {
	files, err := os.ReadDir(filepath.Join(s.Side(), "sessions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading what is known of sessions: %w", err)
	}
	var all []Session
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !strings.HasSuffix(f.Name(), ".json") {
			continue // it is being written
		}
		data, err := s.repo.ReadSide("sessions/" + f.Name())
		if err != nil {
			return nil, err
		}
		known := s.parseSession(f.Name(), data)
		known.Ended = known.isGone(s.here(), s.now())
		if is := known.Session; is.Session != "" && (known.Watched == nil || is != Session{Session: is.Session}) {
			is.Reported = info.ModTime()
			all = append(all, is)
		}
	}
	return all, nil
}

func (s *Store) parseSession(session string, data []byte) (known remembered) {
	if data == nil {
		return remembered{}
	}
	if err := json.Unmarshal(data, &known); err != nil {
		s.log.Warn("what was known of a session is broken", "session", session, "file", sessionFile(session), "error", err)
		return remembered{}
	}
	return known
}

// ReportSession remembers what a report says of a session, and whether it has ended;
// what else the report leaves empty stays as it was.
func (s *Store) ReportSession(ctx context.Context, report Session) error {
	return s.report(ctx, report, func(known *remembered) {
		if report.Ended {
			known.ends(s.now())
		} else {
			known.lives()
		}
	})
}

// DescribeSession is ReportSession for what says nothing of whether the session has
// ended: that stays as it was.
func (s *Store) DescribeSession(ctx context.Context, report Session) error {
	return s.report(ctx, report, func(*remembered) {})
}

func (s *Store) report(ctx context.Context, report Session, life func(*remembered)) error {
	if records.BareSession(report.Session) == "" {
		return &Error{Code: Invalid, Message: "session must be a non-empty string."}
	}
	return s.editSession(ctx, report.Session, func(known *remembered) {
		known.Session.Session = cmp.Or(known.Session.Session, report.Session)
		known.Owner = cmp.Or(report.Owner, known.Owner)
		known.Bot = cmp.Or(report.Bot, known.Bot)
		known.Title = cmp.Or(report.Title, known.Title)
		known.Folder = cmp.Or(report.Folder, known.Folder)
		known.heard(s.now())
		life(known)
	})
}

// ReportTurn remembers which turn of a session is under way, "" for none, and where
// a folder is named that the session was the last to be at work there.
func (s *Store) ReportTurn(ctx context.Context, session, folder, turn string) error {
	if records.BareSession(session) == "" {
		return &Error{Code: Invalid, Message: "session must be a non-empty string."}
	}
	err := s.editSession(ctx, session, func(known *remembered) {
		known.Session.Session = cmp.Or(known.Session.Session, session)
		known.Folder = cmp.Or(folder, known.Folder)
		if turn != "" && turn != known.Turn { // a hook may be run twice
			known.Count.begin(s.now(), s.Options().Reminder.sinceWritten())
		}
		if known.Turn = turn; turn != "" {
			known.lives()
		}
		known.heard(s.now())
	})
	if err != nil || folder == "" {
		return err
	}
	if last, err := s.LastSession(folder); err != nil || last == records.BareSession(session) {
		return err
	}
	return s.repo.EditSide(ctx, folderFile(folder), func([]byte) ([]byte, error) {
		return json.Marshal(lastSession{records.BareSession(session)})
	})
}

// lastSession is the file of a folder, beside those of sessions.
type lastSession struct {
	Last string `json:"last"`
}

// LastSession gives the session that was the last to report a turn in a folder,
// bare; "" where none did.
func (s *Store) LastSession(folder string) (string, error) {
	var last lastSession
	data, err := s.repo.ReadSide(folderFile(folder))
	if err != nil || data == nil {
		return "", err
	}
	if err := json.Unmarshal(data, &last); err != nil {
		s.log.Warn("which session was the last in a folder is not known", "folder", folder, "file", folderFile(folder), "error", err)
	}
	return last.Last, nil
}

// editSession changes what is known of a session.
func (s *Store) editSession(ctx context.Context, session string, edit func(*remembered)) error {
	return s.repo.EditSide(ctx, sessionFile(session), func(old []byte) ([]byte, error) {
		known := s.parseSession(session, old)
		edit(&known)
		data, err := json.Marshal(known)
		return append(data, '\n'), err
	})
}

// sessionFile names the file of a session: a hash, since a session's name may
// hold anything.
func sessionFile(session string) string {
	return "sessions/" + hashed(records.BareSession(session)) + ".json"
}

// folderFile names the file of a folder that sessions are at work in.
func folderFile(folder string) string { return "sessions/in-" + hashed(folder) + ".json" }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}
