package serve

import (
	"context"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// reviseAsked is a file of a record as a person wrote it.
type reviseAsked struct {
	Path string `json:"path"`
	At   string `json:"at"` // the commit it was read at
	Text []byte `json:"text"`
}

// tellRevise puts a person's file on the branch.
func (h *host) tellRevise(ctx context.Context, c tools.Caller, r reviseAsked) told {
	at, err := repo.ParseID(r.At)
	if err != nil {
		return refusal(err)
	}
	landed, err := h.Store.Revise(ctx, c, at, records.File{Path: r.Path, Data: r.Text})
	if err != nil {
		return undone(ctx, err)
	}
	return told{Commit: landed.Commit.String(), Said: landed.Said}
}

// Revise puts a file that was read at a commit on the branch, as a person wrote it:
// through the host that serves the list, where one of this version does. Where ok is
// false that said nothing of it, and whoever asks does it itself: what the host did
// before it went away is there already then.
func Revise(ctx context.Context, s *tools.Store, who tools.Who, runtime string, at repo.ID, file records.File) (landed tools.Landed, ok bool, err error) {
	said, there, err := askHost(ctx, s, who, runtime, asked{Revise: &reviseAsked{Path: file.Path, At: at.String(), Text: file.Data}})
	switch {
	case !there:
		return landed, false, nil
	case ctx.Err() != nil:
		return landed, true, ctx.Err()
	case err != nil || said.Withdrawn:
		return landed, false, nil
	case said.Error != nil:
		return landed, true, said.Error
	}
	landed.Said = said.Said
	landed.Commit, err = repo.ParseID(said.Commit)
	return landed, true, err
}
