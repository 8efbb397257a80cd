package ahp

import (
	"encoding/json"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// maxTurns is how many turns that are over a chat shows.
const maxTurns = 100

const notNeeded = "not-needed" // AHP: what confirmed is where nobody was asked

// startTurn starts a turn of a session; another one that is under way ends.
func (s *Server) startTurn(one *session, id string) {
	if one.active != nil {
		if one.active.ID == id {
			return
		}
		s.endTurn(one, one.active.ID)
	}
	s.desk.Start(one.uri, id)
	now := s.store.Now()
	one.started, one.modified = now, now
	one.active = &chatTurn{ID: id, StartedAt: stamp(now), Message: message{Origin: kind{"user"}}, ResponseParts: []part{}}
	s.act(one.chatURI(), action{Type: "chat/turnStarted", TurnID: id, StartedAt: one.active.StartedAt, Message: &one.active.Message})
	s.tellStatus(one)
}

// endTurn ends a turn, once its call is complete: the end of a turn would cancel
// it.
func (s *Server) endTurn(one *session, id string) {
	if one.active == nil || one.active.ID != id {
		return
	}
	if call := s.desk.End(one.uri, id); call != nil {
		s.draw(*call)
	}
	now := s.store.Now()
	took := max(0, now.Sub(one.started).Milliseconds())
	over := *one.active
	over.Duration, over.State = &took, "complete"
	one.active, one.modified = nil, now
	one.turns = append(one.turns, over)
	if len(one.turns) > maxTurns {
		one.turns = append([]chatTurn{}, one.turns[1:]...)
	}
	s.act(one.chatURI(), action{Type: "chat/turnComplete", TurnID: id, Duration: &took})
	s.tellStatus(one)
}

// tellStatus tells whether a turn of a session is under way.
func (s *Server) tellStatus(one *session) {
	at := stamp(one.modified)
	s.act(one.uri, action{Type: "session/chatUpdated", Chat: one.chatURI(), Changes: &chatChanges{Status: one.status(), ModifiedAt: at}})
	if !one.ended {
		s.note(rowChanged, rootNote{Session: one.uri, Changes: &rowChanges{Status: one.status(), ModifiedAt: at}})
	}
}

// draw draws the todo list call on the chat of its session, and has the host of
// the session draw it on its own.
func (s *Server) draw(call channel.Call) {
	one := s.sessions[call.Session]
	if one == nil || one.active == nil || one.active.ID != call.Turn {
		return // the turn would not have been started here
	}
	content := []textBlock{}
	for _, line := range call.Lines {
		content = append(content, textBlock{"text", line})
	}
	act := func(kind string, a action) {
		a.Type, a.TurnID, a.ToolCallID = "chat/"+kind, call.Turn, call.ID
		s.act(one.chatURI(), a)
	}
	drawn := toolCall{Status: "running", ToolCallID: call.ID, ToolName: channel.CallTool, DisplayName: channel.CallName,
		InvocationMessage: channel.CallName, Confirmed: notNeeded, Content: content}
	switch call.State {
	case channel.CallOpen:
		act("toolCallStart", action{ToolName: channel.CallTool, DisplayName: channel.CallName})
		act("toolCallReady", action{InvocationMessage: channel.CallName, Confirmed: notNeeded})
		act("toolCallContentChanged", action{Content: &content})
	case channel.CallChanged:
		act("toolCallContentChanged", action{Content: &content})
	case channel.CallDone:
		drawn.Status, drawn.Success, drawn.PastTenseMessage = "completed", true, channel.CallName
		act("toolCallComplete", action{Result: &callResult{true, channel.CallName, content}})
	}
	one.active.ResponseParts = []part{{"toolCall", drawn}}
	if one.peer != nil {
		one.peer.toldPeer(todoNoted, todoNote{rootURI, one.uri, call.Turn, call.State, call.Lines})
	}
}

// toldPeer tells the host of a session.
func (c *conn) toldPeer(method string, params any) {
	if data, err := json.Marshal(noted(method, params)); err == nil { // it has nothing that could not be
		c.out.tell(data)
	}
}

// forgetPeer lets go of a connection that is gone.
func (s *Server) forgetPeer(c *conn) {
	for _, one := range s.sessions {
		if one.peer == c {
			one.peer = nil
		}
	}
}

// reportSession takes in what a host says of a session of its own.
func (c *conn) reportSession(r *request, _ string, _ func(any)) error {
	var p sessionParams
	if err := r.into(&p); err != nil {
		return err
	}
	if err := c.may("session:write"); err != nil {
		return err
	}
	s := c.server
	report := tools.Session{Session: p.Session, Title: p.Title, Owner: p.Owner, Ended: p.Ended}
	if err := s.store.ReportSession(s.ctx, report); err != nil {
		return err
	}
	report.Reported = s.store.Now()
	s.look(func(book *records.Book) {
		before, known := session{ended: true}, false
		if one := s.sessions[records.BareSession(p.Session)]; one != nil {
			before, known = *one, true
		}
		one := s.reported(report)
		one.peer = c
		if p.Meta != nil {
			one.own = *p.Meta
		}
		s.tellReport(book, one, before, known && p.Meta != nil)
	})
	return nil
}

// tellReport tells of what a report changed of a session, which was another one
// before.
func (s *Server) tellReport(book *records.Book, one *session, before session, meta bool) {
	if one.ended {
		if one.active != nil {
			s.endTurn(one, one.active.ID)
		}
		if !before.ended {
			s.note(sessionGone, rootNote{Session: one.uri})
			s.countSessions()
		}
		return
	}
	if before.ended {
		s.appeared(book, one)
		return
	}
	if name := one.name(); name != before.name() {
		s.act(one.uri, action{Type: "session/titleChanged", Title: name})
		s.act(one.uri, action{Type: "session/chatUpdated", Chat: one.chatURI(), Changes: &chatChanges{Title: name}})
		s.note(rowChanged, rootNote{Session: one.uri, Changes: &rowChanges{Title: name}})
	}
	if open, err := channel.OpenOf(book, one.uri); err == nil && meta {
		s.tellMeta(one, open)
	}
}

// reportTurn takes in that a turn of a host starts or ends.
func (c *conn) reportTurn(r *request, _ string, reply func(any)) (err error) {
	var p turnParams
	if err := r.into(&p); err != nil {
		return err
	}
	switch {
	case records.BareSession(p.Session) == "":
		return badParams("session must be a non-empty string.")
	case p.TurnID == "":
		return badParams("turnId must be a non-empty string.")
	case p.State != "started" && p.State != "ended":
		return badParams("state must be started or ended.")
	}
	if err := c.may("session:write"); err != nil {
		return err
	}
	s := c.server
	s.look(func(book *records.Book) {
		one := s.sessions[records.BareSession(p.Session)]
		if one == nil {
			one = s.reported(tools.Session{Session: p.Session, Reported: s.store.Now()})
			s.appeared(book, one)
		}
		one.peer = c
		if p.State == "started" {
			s.startTurn(one, p.TurnID)
		} else {
			s.endTurn(one, p.TurnID)
		}
		reply(turnResult{true})
	})
	return nil
}

// planUpdate takes what the harness of a session says of its own list. Where there
// is a user directory it is said by who signed in, whatever by says.
func (c *conn) planUpdate(r *request, _ string, reply func(any)) error {
	var p planUpdateParams
	if err := r.into(&p); err != nil {
		return err
	}
	switch {
	case records.BareSession(p.Session) == "":
		return badParams("session must be a non-empty string.")
	case p.Tool == "":
		return badParams("tool must be a non-empty string.")
	case (p.List == nil) == (p.Change == nil):
		return badParams("one of list and change must be there.")
	}
	if err := c.may("session:write"); err != nil {
		return err
	}
	s := c.server
	who := tools.Who{Person: c.person, Session: p.Session}
	if len(s.store.Settings().Users) == 0 && p.By != "" {
		who.Person = p.By
	}
	caller, err := s.store.Caller(who)
	if err != nil {
		return err
	}
	planned, err := s.store.PlanUpdate(s.ctx, caller, p.Update)
	if err != nil {
		return err
	}
	s.look(func(*records.Book) { reply(planned) }) // once all are told
	return nil
}
