package tools

import (
	"context"
	"path"
	"slices"
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
	// Committer is whom a commit names so where that is neither its author nor
	// git-tasks: the one may have pushed what is the other's. Neither is proven.
	Committer string
}

// History gives the commits that touched a record, newest first, and the whole
// list's for an id of "". It is what the branch was, step by step: along first
// parents, so that what a merge brought is the merge's doing. A file that lies
// elsewhere counts from the commit on that brought the record there or from
// there to its place. An id that no commit ever touched has none.
//
// In a list that was rolled up the time grows with the record's own history.
func (s *Store) History(id string) ([]Event, error) {
	tip, err := s.tip()
	if err != nil {
		return nil, AsError(err)
	}
	commits, err := s.quickHistory(tip, id)
	if err != nil || len(commits) == 0 { // without git, and of what has no place, nothing else tells
		commits, err = walkHistory(tip, id)
	}
	if err != nil {
		return nil, AsError(err)
	}
	events := make([]Event, len(commits))
	for i, c := range commits {
		events[i] = eventOf(c)
	}
	return events, nil
}

// quickHistory asks for the files of a record: the one at its place, and all of
// that name that its commits touched as well.
func (s *Store) quickHistory(tip *repo.Snapshot, id string) ([]repo.Commit, error) {
	place := records.PathOf(id)
	if place == "" {
		return nil, nil
	}
	for paths := []string{place}; ; {
		commits, err := s.repo.LogOf(context.Background(), tip, paths...)
		if err != nil {
			return nil, err
		}
		asked := len(paths)
		for _, c := range commits {
			touched, err := tip.Touched(c)
			if err != nil {
				return nil, err
			}
			for _, p := range touched {
				if isFileOf(p, id) && !slices.Contains(paths, p) {
					paths = append(paths, p)
				}
			}
		}
		if len(paths) == asked {
			return commits, nil
		}
	}
}

// walkHistory looks at every commit.
func walkHistory(tip *repo.Snapshot, id string) (commits []repo.Commit, err error) {
	for c, err := range tip.Log() {
		if err != nil {
			return nil, err
		}
		if id != "" {
			paths, err := tip.Touched(c)
			if err != nil {
				return nil, err
			}
			if !names(paths, id) {
				continue
			}
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// names reports whether any path is a file of the record.
func names(paths []string, id string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return isFileOf(p, id) })
}

// isFileOf reports whether a path is a file of the record.
func isFileOf(p, id string) bool { return path.Base(p) == id+".md" }

// idOfFile gives what the name of a record's file spells: its id, or a draft's name.
func idOfFile(p string) string { return strings.TrimSuffix(path.Base(p), ".md") }

func eventOf(c repo.Commit) Event {
	tool, _ := c.Trailer("Tool")
	session, _ := c.Trailer(sessionTrailer)
	e := Event{Commit: c.ID.String(), By: c.Author.Name, At: c.AuthorTime, What: c.Subject(), Tool: tool, Session: session}
	if c.Committer.Name != c.Author.Name && c.Committer.Name != committer {
		e.Committer = c.Committer.Name
	}
	return e
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
	tip, err := s.tip()
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
