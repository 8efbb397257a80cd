package serve

import (
	"context"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// tellUpdate takes what a harness says of its list.
func (h *host) tellUpdate(ctx context.Context, c tools.Caller, updates []translate.Update) (said told) {
	planned, err := h.Store.PlanUpdate(ctx, c, updates...)
	if err != nil {
		said = undone(ctx, err)
	}
	if !said.Withdrawn {
		said.Planned = &planned
	}
	return said
}

// PlanUpdate hands what a harness says of its list to the host that serves it, as
// Call does a call. Where ok is false the host took nothing, or said nothing of it:
// whoever asks does it itself, and what was taken is no news then.
func PlanUpdate(ctx context.Context, s *tools.Store, who tools.Who, runtime string, updates []translate.Update) (planned tools.Planned, ok bool, err error) {
	said, there, err := askHost(ctx, s, who, runtime, asked{Updates: updates})
	switch {
	case !there:
		return planned, false, nil
	case ctx.Err() != nil:
		return planned, true, ctx.Err()
	case err != nil || said.Planned == nil && said.Error == nil:
		return planned, false, nil
	case said.Planned != nil:
		planned = *said.Planned
	}
	return planned, true, said.refused()
}
