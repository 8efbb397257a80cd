package ahp

import "github.com/git-tasks/git-tasks/channel"

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
