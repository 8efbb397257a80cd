package mcpserver

import (
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// planScheme is what the URI of a plan starts with; its id follows.
const planScheme = "x-ahpd-plans://"

// readPlans is the grant that a client needs to read plans and to follow them.
const readPlans = "session:read"

// offerPlans lets clients read plans as resources. They are offered by their
// form alone: their titles are data, and no client gets those before it asks.
func (h *web) offerPlans() {
	h.server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "plan", Title: "A plan", URITemplate: planScheme + "{id}", MIMEType: "application/json",
		Description: "A plan and the tasks that name it, as plan_show answers them: as JSON, and a line each.",
	}, h.readPlan)
	h.server.AddReceivingMiddleware(h.mayRead)
}

// mayRead asks whoever reads a resource, or follows one, for the grant. A
// subscription of the newer era has no handler that is told who asks.
func (h *web) mayRead(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "resources/read", "resources/subscribe", "subscriptions/listen":
			caller, err := h.caller(req.GetExtra(), req.GetParams().GetMeta())
			if err == nil {
				err = caller.May(readPlans)
			}
			if err != nil {
				return nil, failed(err)
			}
			if all, ok := req.GetParams().(*mcp.SubscriptionsListenParams); ok && all.Notifications != nil &&
				len(all.Notifications.ResourceSubscriptions) > maxFollowed {
				return nil, failed(errTooMany)
			}
		}
		return next(ctx, method, req)
	}
}

func (h *web) readPlan(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	if err := h.known(uri); err != nil {
		return nil, err
	}
	input, err := json.Marshal(struct {
		Plan string `json:"plan"`
	}{strings.TrimPrefix(uri, planScheme)})
	if err != nil {
		return nil, err
	}
	caller, err := h.caller(req.Extra, req.Params.Meta)
	if err != nil {
		return nil, err
	}
	hold := h.holds.of(req.Extra)
	defer hold.called()
	if err := hold.myTurn(ctx); err != nil {
		return nil, err
	}
	answer, err := tools.Call(ctx, h.store, caller, "plan_show", input)
	if err != nil {
		return nil, err
	}
	if err := hold.largeTurn(ctx, weight(answer)); err != nil {
		return nil, err
	}
	document, err := encoded(answer)
	if err != nil {
		return nil, err
	}
	if err := hold.made(len(document) + len(answer.Text)); err != nil {
		return nil, err
	}
	texts := []string{string(document), answer.Text}
	if len(document) > small {
		if texts, err = lightTexts(texts, hold); err != nil {
			return nil, err
		}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: uri, MIMEType: "application/json", Text: texts[0]},
		{URI: uri, MIMEType: "text/plain", Text: texts[1]},
	}}, nil
}

// known gives the refusal of a URI that is that of no plan.
func (h *web) known(uri string) error {
	id, ok := strings.CutPrefix(uri, planScheme)
	if !ok {
		return mcp.ResourceNotFoundError(uri)
	}
	book, _, err := h.store.Book()
	if err != nil {
		return err
	}
	plan, err := book.Plan(id)
	if err != nil {
		return err
	}
	if plan == nil || plan.ID != id {
		return mcp.ResourceNotFoundError(uri)
	}
	return nil
}

// subscriptions are the options that let clients follow plans.
func (h *web) subscriptions() mcp.ServerOptions {
	return mcp.ServerOptions{
		SubscribeHandler: func(_ context.Context, req *mcp.SubscribeRequest) error {
			if err := h.known(req.Params.URI); err != nil {
				return err
			}
			return h.visits.follow(req.Session.ID(), req.Params.URI)
		},
		UnsubscribeHandler: func(_ context.Context, req *mcp.UnsubscribeRequest) error {
			h.visits.unfollow(req.Session.ID(), req.Params.URI)
			return nil
		},
	}
}

// follow gives what happens to the list from now on.
func follow(ctx context.Context, s *tools.Store) (iter.Seq2[tools.Move, error], error) {
	_, now, err := s.Book()
	if err != nil {
		return nil, err
	}
	feed, err := s.Feed(now)
	if err != nil {
		return nil, err
	}
	return feed.Follow(ctx)
}

// tellUpdates tells those who follow a plan of each change to it or to a task
// that names it, or named it before. Of commits that come together they are told
// once.
func (h *web) tellUpdates(ctx context.Context) {
	defer close(h.told)
	if h.moves == nil {
		return
	}
	plans := map[string]bool{}
	for move, err := range h.moves {
		if err != nil {
			h.store.Log().Error("a move of the branch could not be read; the next one tells of it", "door", "mcp", "error", err)
		}
		plansOf(plans, move.Changes)
		if move.More {
			continue
		}
		h.visits.judge()
		for id := range plans {
			err := h.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: planScheme + id})
			if err != nil && ctx.Err() == nil {
				h.store.Log().Error("an update could not be told", "door", "mcp", "plan", id, "error", err)
			}
		}
		clear(plans)
	}
}

// plansOf adds the plans that changes are about.
func plansOf(plans map[string]bool, changes []records.Change) {
	for _, c := range changes {
		for _, p := range []*records.Plan{c.PlanBefore, c.PlanAfter} {
			if p != nil {
				plans[p.ID] = true
			}
		}
		for _, t := range []*records.Task{c.Before, c.After} {
			if t != nil && t.Plan != "" {
				plans[t.Plan] = true
			}
		}
	}
}
