package serve

import (
	"context"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// pushAsked is what the hooks of a push ask the host: to land it, or only whose
// it is.
type pushAsked struct {
	Secret string `json:"secret,omitempty"` // that the host gave the push, if it came by HTTP
	Ref    string `json:"ref,omitempty"`    // "" asks for the pusher alone
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
}

// errUnknownPush refuses a push that says it came by HTTP, and of which the host
// knows nothing.
var errUnknownPush = &tools.Error{Code: tools.Denied, Message: "the host does not know this push any more: push again"}

// tellPush answers the hooks of a push.
func (h *host) tellPush(ctx context.Context, p pushAsked) told {
	l := tools.Landing{Ref: p.Ref}
	if p.Secret != "" {
		var ok bool
		if l.Pusher, ok = h.pushers.find(p.Secret); !ok {
			return refusal(errUnknownPush)
		}
	}
	if p.Ref == "" {
		return told{Pusher: l.Pusher}
	}
	var err error
	if l.Old, err = repo.ParseID(p.Old); err == nil {
		l.New, err = repo.ParseID(p.New)
	}
	if err != nil {
		return refusal(err)
	}
	landed, err := h.Store.Land(ctx, l)
	if err != nil {
		return undone(ctx, err)
	}
	return told{Commit: landed.Commit.String(), Said: landed.Said}
}

// askPush asks the host of a list about a push; ok is false where no host of this
// version answers.
func askPush(ctx context.Context, s *tools.Store, runtime string, p pushAsked) (said told, ok bool) {
	said, there, err := askHost(ctx, s, tools.Who{}, runtime, asked{Push: &p})
	return said, there && err == nil
}

// Pusher gives the person whose push a secret of the host's stands for; "" for a
// push that came without one, whose commits say whose it is.
func Pusher(ctx context.Context, s *tools.Store, runtime, secret string) (string, error) {
	if secret == "" {
		return "", nil
	}
	said, ok := askPush(ctx, s, runtime, pushAsked{Secret: secret})
	switch {
	case !ok:
		return "", errUnknownPush
	case said.Error != nil:
		return "", said.Error
	}
	return said.Pusher, nil
}

// Land puts a push on the branch: in the host where one serves the list, so that
// one process writes, else in this process. Where the host goes away in the middle
// this process goes on: both look at the branch under its lock, and one of the two
// finds the push landed. A push that came by HTTP is landed by the host alone,
// which knows whose it is.
func Land(ctx context.Context, s *tools.Store, runtime, secret string, l tools.Landing) (tools.Landed, error) {
	said, ok := askPush(ctx, s, runtime, pushAsked{Secret: secret, Ref: l.Ref, Old: l.Old.String(), New: l.New.String()})
	switch {
	case ok && said.Error != nil:
		return tools.Landed{}, said.Error
	case ok && !said.Withdrawn:
		commit, err := repo.ParseID(said.Commit)
		return tools.Landed{Commit: commit, Said: said.Said}, err
	case secret != "":
		return tools.Landed{}, errUnknownPush
	}
	return s.Land(ctx, l)
}
