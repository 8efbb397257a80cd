package tools

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

const followUpTool = "follow-up"

// foreignMove is a commit of another program, and whom its follow-up is for.
type foreignMove struct {
	records.Foreign
	person repo.Person
}

// followUps gives what the commits since the door's last one need: ids for
// drafts and the references to them, stamps, and .highest. book is the Book at tip;
// the Book after the follow-ups comes back.
func (s *Store) followUps(tip *repo.Snapshot, book *records.Book) ([]repo.Proposal, *records.Book, error) {
	moves, known, err := s.waiting(tip)
	if err != nil || len(moves) == 0 {
		return nil, book, err
	}
	keys, err := s.putKeysBack(tip)
	if err != nil {
		return nil, nil, err
	}
	proposals, book, err := s.answerTo(book, known, moves)
	return append(keys, proposals...), book, err
}

// waiting gives the commits of others that wait on the branch for a follow-up, and
// what the door wrote before them, nil where it never did.
func (s *Store) waiting(tip *repo.Snapshot) (moves []foreignMove, known *records.Book, err error) {
	foreign, last, err := s.foreignCommits(tip)
	if err != nil || len(foreign) == 0 {
		return nil, nil, err
	}
	for _, c := range foreign {
		move, err := s.moveOf(tip, c, s.authorOf(c))
		if err != nil {
			return nil, nil, err
		}
		moves = append(moves, move)
	}
	known, err = s.lastKnown(last, tip)
	return moves, known, err
}

// moveOf is what a commit did, as a person's, at the time that it is seen: its own is
// whatever whoever made it says.
func (s *Store) moveOf(tip *repo.Snapshot, c repo.Commit, person repo.Person) (foreignMove, error) {
	paths, err := s.ownPaths(tip, c)
	if err != nil {
		return foreignMove{}, err
	}
	after, err := s.repo.At(c.ID)
	if err != nil {
		return foreignMove{}, err
	}
	return foreignMove{records.Foreign{Author: person.Name, Paths: paths, Tree: after.FS(),
		Mark: records.Mark{By: person.Name, At: s.now()}}, person}, nil
}

// answerTo gives the follow-ups of moves that led to a Book, and the Book after
// them. known is what the door last wrote.
func (s *Store) answerTo(book, known *records.Book, moves []foreignMove) ([]repo.Proposal, *records.Book, error) {
	authors := map[string]repo.Person{"": s.HostCaller().author()}
	foreign := make([]records.Foreign, len(moves))
	for i, m := range moves {
		authors[m.person.Name], foreign[i] = m.person, m.Foreign
	}
	needed, err := book.FollowUps(known, foreign)
	if err != nil {
		return nil, nil, err
	}
	var proposals []repo.Proposal
	for _, f := range needed {
		at := f.At
		if at.IsZero() {
			at = s.now()
		}
		proposals = append(proposals, repo.Proposal{Author: authors[f.Author], At: at, Files: files(f.Files),
			Message: repo.Message{Subject: followUpSubject(f), Body: f.Notes, Trailers: trailers(followUpTool, "")}})
		book = f.Book
	}
	return proposals, book, nil
}

// foreignCommits gives what other programs put on top of the door's commits,
// parents first, with what a merge brought from a clone; and the door's last
// commit on the branch, zero where it never made one.
func (s *Store) foreignCommits(tip *repo.Snapshot) (foreign []repo.Commit, last repo.ID, err error) {
	for c, err := range tip.Log() {
		if err != nil {
			return nil, last, err
		}
		ours, err := s.ofTheDoor(tip, c)
		if err != nil {
			return nil, last, err
		}
		if ours {
			last = c.ID
			break
		}
	}
	if last == tip.ID() {
		return nil, last, nil
	}
	var failed error
	foreign, err = tip.History(func(c repo.Commit) bool {
		ours, err := s.ofTheDoor(tip, c)
		if err != nil {
			failed = err
		}
		return ours
	})
	return foreign, last, errors.Join(failed, err)
}

// ownPaths gives the files that a commit itself changed: those of a merge that
// are as in none of its parents.
func (s *Store) ownPaths(tip *repo.Snapshot, c repo.Commit) ([]string, error) {
	paths, err := tip.Touched(c)
	if err != nil || len(c.Parents) < 2 {
		return paths, err
	}
	merged, err := s.repo.At(c.ID)
	if err != nil {
		return nil, err
	}
	for _, p := range c.Parents[1:] {
		differ, err := merged.Changed(p)
		if err != nil {
			return nil, err
		}
		paths = slices.DeleteFunc(paths, func(path string) bool {
			_, found := slices.BinarySearch(differ, path)
			return !found
		})
	}
	return paths, nil
}

// authorOf is whom a follow-up is for: the author of the foreign commit, and
// the host where the commit names nobody.
func (s *Store) authorOf(c repo.Commit) repo.Person {
	name := repo.CleanName(c.Author.Name)
	if name == "" {
		return s.HostCaller().author()
	}
	return repo.Person{Name: name, Mail: c.Author.Mail}
}

// followUpSubject says what a follow-up is about: "t4 id: Title", "t1 doing: Title",
// "t1 stamps: Title", "t1, t4 id, doing".
func followUpSubject(f records.FollowUp) string {
	ids := slices.Concat(f.IDs, f.Marked)
	var what []string
	if len(f.IDs) > 0 {
		what = append(what, "id")
	}
	switch {
	case f.Moved != "":
		what = append(what, string(f.Moved))
	case len(f.Marked) > 0:
		what = append(what, "stamps")
	}
	title := ""
	switch len(ids) {
	case 0:
		var highest []string
		for _, file := range f.Files {
			highest = append(highest, strings.TrimSpace(string(file.Data)))
		}
		return "highest " + strings.Join(highest, ", ")
	case 1:
		if record, err := f.Book.Record(ids[0]); err == nil && record != nil {
			_, title = record.Name()
		}
	}
	return subjectOf(ids, strings.Join(what, ", "), title)
}
