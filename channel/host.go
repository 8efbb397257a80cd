package channel

import (
	"context"
	"encoding/json"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/translate"
)

// Host is what a list needs of the program that it is built into, which runs
// sessions of agents. ReportMeta and DrawCall are called one at a time, in the
// order of the commits, while nobody else is told of anything: they must wait for
// nobody, and must not call the [Hub] or the [Plugin].
type Host interface {
	// RegisterTool offers a tool to every session.
	RegisterTool(Offer)
	// Session says whose a session is and what it is called; a field that is not
	// known is empty. It is asked before each call of a tool.
	Session(session string) (owner, title string)
	// ReportMeta puts a value under a key of the session's _meta, and takes the key
	// away where the value is nil.
	ReportMeta(session, key string, value any)
	// DrawCall draws the one todo list call of a turn, as it is now.
	DrawCall(Call)
}

// Offer is a tool as a host offers it.
type Offer struct {
	*tools.Tool
	// Run answers one call, once the host was told what it changed. The error is a
	// tools.Error, in the words for an agent.
	Run func(ctx context.Context, who tools.Who, input json.RawMessage) (tools.Answer, error)
}

// Plugin is a list that is built into a host. It is safe for concurrent use.
type Plugin struct {
	store *tools.Store
	hub   *Hub
	host  Host
	desk  *Desk // guarded by the hub's lock
}

// Attach builds the list of a hub into a host: it registers every tool, and from
// then on reports the open count of each session whenever it moves.
func Attach(h *Hub, host Host) *Plugin {
	p := &Plugin{store: h.store, hub: h, host: host, desk: NewDesk()}
	for _, t := range tools.All() {
		host.RegisterTool(Offer{t, p.runner(t.Name)})
	}
	h.Tap(p.told)
	return p
}

// StartTurn says that a turn of a session starts, and reports whether its todo
// list call is drawn here, so that nobody else draws one: it is.
func (p *Plugin) StartTurn(session, turn string) (drawn bool) {
	p.hub.Look(func(_ repo.ID, book *records.Book) {
		p.draw(p.desk.Start(session, turn))
		if open, err := OpenOf(book, session); err == nil && open != nil {
			p.host.ReportMeta(records.BareSession(session), MetaKey, open)
		}
	})
	return true
}

// EndTurn says that a turn ends: its call is drawn as it is in the end, where it
// had one. The host says the end of the turn to others after that.
func (p *Plugin) EndTurn(session, turn string) {
	p.hub.Look(func(repo.ID, *records.Book) { p.draw(p.desk.End(session, turn)) })
}

// PlanUpdate takes what the harness of a session says of its own list, and returns
// once the host was told what came of it. It is done by the owner of the session.
// The errors are those of [tools.Store.PlanUpdate].
func (p *Plugin) PlanUpdate(ctx context.Context, u translate.Update) (tools.Planned, error) {
	if err := p.know(ctx, u.Session); err != nil {
		return tools.Planned{}, err
	}
	caller, err := p.store.Caller(tools.Who{Session: u.Session})
	if err != nil {
		return tools.Planned{}, err
	}
	planned, err := p.store.PlanUpdate(ctx, caller, u)
	p.hub.Look(func(repo.ID, *records.Book) {})
	return planned, err
}

func (p *Plugin) draw(c *Call) {
	if c != nil {
		p.host.DrawCall(*c)
	}
}

// told is called by the hub.
func (p *Plugin) told(one Told) {
	calls, counts, err := p.desk.Moved(one.Move)
	if err != nil {
		p.store.Log().Error("what a commit means to sessions could not be read", "door", "host", "commit", one.Move.Commit, "error", err)
		return
	}
	for _, c := range calls {
		p.host.DrawCall(c)
	}
	for _, c := range counts {
		if c.Open == nil {
			p.host.ReportMeta(c.Session, MetaKey, nil)
		} else {
			p.host.ReportMeta(c.Session, MetaKey, c.Open)
		}
	}
}

// runner gives what answers the calls of a tool.
func (p *Plugin) runner(tool string) func(context.Context, tools.Who, json.RawMessage) (tools.Answer, error) {
	return func(ctx context.Context, who tools.Who, input json.RawMessage) (tools.Answer, error) {
		if err := p.know(ctx, who.Session); err != nil {
			return tools.Answer{}, err
		}
		caller, err := p.store.Caller(who)
		if err != nil {
			return tools.Answer{}, err
		}
		answer, err := tools.Call(ctx, p.store, caller, tool, input)
		p.hub.Look(func(repo.ID, *records.Book) {}) // so that it is drawn before it is answered
		return answer, err
	}
}

// know remembers what the host says of a session, where that is news.
func (p *Plugin) know(ctx context.Context, session string) error {
	if records.BareSession(session) == "" {
		return nil
	}
	known, err := p.store.Session(session)
	if err != nil {
		return err
	}
	owner, title := p.host.Session(session)
	if (owner == "" || owner == known.Owner) && (title == "" || title == known.Title) {
		return nil
	}
	return p.store.DescribeSession(ctx, tools.Session{Session: session, Owner: owner, Title: title})
}
