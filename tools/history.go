package tools

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/records"
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

// leastDigits is how much of a commit's id must be given.
const leastDigits = 4

// FindCommit gives the commit of an id, or of the beginning of one that the
// branch came by step by step. A whole id may be of any commit that the
// repository still has; forty zeros are the time before the first one. The
// error is Invalid where there is none, or more than one.
func (s *Store) FindCommit(id string) (repo.ID, error) {
	if whole, err := repo.ParseID(id); err == nil {
		if _, err := s.repo.At(whole); err != nil {
			return repo.ID{}, noCommit(id)
		}
		return whole, nil
	}
	if len(id) < leastDigits {
		return repo.ID{}, &Error{Code: Invalid, Message: "a commit must be named by " + strconv.Itoa(leastDigits) + " digits or more"}
	}
	tip, err := s.repo.Tip()
	if err != nil {
		return repo.ID{}, AsError(err)
	}
	var found []repo.ID
	for c, err := range tip.Log() {
		if err != nil {
			return repo.ID{}, AsError(err)
		}
		if strings.HasPrefix(c.ID.String(), id) {
			found = append(found, c.ID)
		}
	}
	switch len(found) {
	case 0:
		return repo.ID{}, noCommit(id)
	case 1:
		return found[0], nil
	}
	return repo.ID{}, &Error{Code: Invalid, Message: strconv.Itoa(len(found)) + " commits begin with " + id}
}

func noCommit(id string) error {
	return &Error{Code: Invalid, Message: "the list has no commit " + records.Visible(id)}
}
