package tools

import (
	"context"
	"slices"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
)

// reviseTool is what the Tool trailer says of a file that a person wrote.
const reviseTool = "edit"

// File gives the file of a record as the branch has it now, readable or not, and the
// commit it is of. Where nothing is named by the id, not even what cannot be read, its
// path is empty.
func (s *Store) File(id string) (records.File, repo.ID, error) {
	tip, err := s.tip()
	if err != nil {
		return records.File{}, repo.ID{}, AsError(err)
	}
	book, err := s.read.advance(tip, &s.growing)
	if err != nil {
		return records.File{}, repo.ID{}, AsError(err)
	}
	file, err := book.File(id)
	if err != nil {
		return records.File{}, repo.ID{}, AsError(err)
	}
	return file, tip.ID(), nil
}

// Revise puts a file of a record on the branch as a person wrote it, as [Store.Land]
// does a push of that one file from the commit at that it was read at: by the same
// gate, merged field by field where the branch has moved on, in one commit with the
// stamps that it needs, authored as the caller. Where the branch is so already there is
// none, and Landed.Commit is zero.
func (s *Store) Revise(ctx context.Context, c Caller, at repo.ID, file records.File) (Landed, error) {
	var landed Landed
	receipt, err := s.repo.Update(ctx, func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		if err := s.refuseGone(tip); err != nil {
			return nil, err
		}
		book, err := s.growing.advance(tip, &s.read)
		if err != nil {
			return nil, err
		}
		w := &landing{store: s, tip: tip, book: book, base: at, revised: &revised{c, file}}
		proposals, err := w.revise()
		landed.Said = w.said
		return proposals, err
	})
	if err != nil {
		return Landed{}, unwritten(asPush(err))
	}
	if n := len(receipt.Commits); n > 0 {
		landed.Commit = receipt.Commits[n-1]
	}
	return landed, nil
}

// revised is a file that a person wrote, and who.
type revised struct {
	caller Caller
	file   records.File
}

// revise judges what was written as it was made, and merges it into the branch.
func (w *landing) revise() ([]repo.Proposal, error) {
	file := w.revised.file
	base, err := w.store.repo.Base(w.tip, w.base)
	if err != nil {
		return nil, err
	}
	if base != w.base {
		return nil, w.refused(Conflict, "%s was read at commit %s, which the list has no more: its history was rewritten", file.Path, w.base.Short())
	}
	was, err := w.tip.At(w.base)
	if err != nil {
		return nil, err
	}
	if !isRecordFile(file.Path) || !readRecord(was, file.Path).there {
		return nil, w.refused(Invalid, "%s is no file of a record at commit %s", records.Visible(file.Path), w.base.Short())
	}
	w.pushed, err = was.With(repo.Proposal{Files: []repo.File{w.revised.write()}})
	if err != nil {
		return nil, err
	}
	if _, err := w.gate(); err != nil {
		return nil, err
	}
	return w.merge()
}

// write is the file as it is to be; an empty one stays a file.
func (r *revised) write() repo.File {
	return repo.File{Path: r.file.Path, Data: append([]byte{}, r.file.Data...)}
}

// commit is the one that a person's file becomes.
func (r *revised) commit(m records.TreeMerge, p repo.Proposal) repo.Proposal {
	p.Author, p.Files = r.caller.author(), files(m.Files)
	if len(m.Taken) > 0 { // the one file, which the branch has as it was read
		p.Files = append(p.Files, r.write())
	}
	p.Message.Trailers = trailers(reviseTool, r.caller.session)
	return p
}

// fold makes one commit of a person's file and what it needs in their name, since
// nobody has seen the one without the other. What it needs in the host's is behind it.
func (w *landing) fold(p repo.Proposal, book, known *records.Book, moves []foreignMove) ([]repo.Proposal, error) {
	needed, _, err := w.store.answerTo(book, known, moves)
	if err != nil {
		return nil, err
	}
	own := slices.IndexFunc(needed, func(n repo.Proposal) bool { return n.Author.Name == p.Author.Name })
	if own < 0 {
		return append([]repo.Proposal{p}, needed...), nil
	}
	n := needed[own]
	w.said = append(w.said, n.Message.Body...)
	p.At, p.Message.Subject = n.At, n.Message.Subject
	p.Message.Body = append(p.Message.Body, n.Message.Body...)
	p.Files = slices.DeleteFunc(p.Files, func(f repo.File) bool {
		return slices.ContainsFunc(n.Files, func(later repo.File) bool { return later.Path == f.Path })
	})
	p.Files = append(p.Files, n.Files...)
	return append([]repo.Proposal{p}, slices.Delete(needed, own, own+1)...), nil
}
