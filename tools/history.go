package tools

import (
	"path"
	"time"

	"github.com/git-tasks/git-tasks/repo"
)

// Event is one commit of the list's history.
type Event struct {
	Commit  string // its id
	By      string // its author
	At      time.Time
	What    string // its subject
	Tool    string // what made it, "" for a foreign commit
	Session string // "" for none
}

// History gives the commits that touched a record, newest first, and the whole
// list's for an id of "". It is what the branch was, step by step: along first
// parents, so that what a merge brought is the merge's doing. An id that no
// commit ever touched has none.
func (s *Store) History(id string) ([]Event, error) {
	tip, err := s.repo.Tip()
	if err != nil {
		return nil, AsError(err)
	}
	var events []Event
	for c, err := range tip.Log() {
		if err != nil {
			return nil, AsError(err)
		}
		if id != "" {
			paths, err := tip.Touched(c)
			if err != nil {
				return nil, AsError(err)
			}
			if !names(paths, id) {
				continue
			}
		}
		events = append(events, eventOf(c))
	}
	return events, nil
}

// names reports whether any path is a file of the record.
func names(paths []string, id string) bool {
	for _, p := range paths {
		if path.Base(p) == id+".md" {
			return true
		}
	}
	return false
}

func eventOf(c repo.Commit) Event {
	tool, _ := c.Trailer("Tool")
	session, _ := c.Trailer("Session")
	return Event{Commit: c.ID.String(), By: c.Author.Name, At: c.AuthorTime, What: c.Subject(), Tool: tool, Session: session}
}
