package ahp

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// What is remembered of others' words is small: it is sent to everybody.
const (
	maxName = 1 << 10
	maxMeta = 16 << 10
	maxOpen = 256 // sessions of one connection
)

func mustBeName(field string) string {
	return fmt.Sprintf("%s must be a non-empty string of at most %d bytes.", field, maxName)
}

// toldPeer tells the host of a session.
func (c *conn) toldPeer(method string, params any) {
	if t, err := encode(noted(method, params)); err == nil { // it has nothing that could not be
		c.out.tell(t)
	}
}

// forgetPeer lets go of a connection that is gone, and gives the sessions that nobody
// speaks for any more.
func (s *Server) forgetPeer(c *conn) (left []string) {
	for _, one := range s.sessions {
		if one.peer == c {
			one.peer = nil
			if !one.ended {
				left = append(left, one.uri)
			}
		}
	}
	return left
}

// leaveSessions says that this process hears of some sessions no more. One that ends
// itself need not.
func (s *Server) leaveSessions(left []string) {
	for _, session := range left {
		if err := s.store.LeaveSession(s.ctx, session); err != nil && s.ctx.Err() == nil {
			s.store.Log().Warn("that a session is not heard of any more could not be noted", "session", session, "error", err)
		}
	}
}

// own gives the refusal of what is said of another's session, where there is a user
// directory: whoever signed in speaks for themselves, since calls of nobody's in a
// session bear its owner's name.
func (c *conn) own(session, owner string) error {
	s := c.server
	if len(s.store.Settings().Users) == 0 {
		return nil
	}
	known, err := s.store.Session(session)
	if err != nil {
		return err
	}
	bare, whose := records.BareSession(session), known.Person()
	s.look(func(*records.Book) {
		if one := s.sessions[bare]; whose == "" && one != nil && one.peer != nil {
			whose = one.peer.person
		}
	})
	switch named := (tools.Session{Owner: owner}).Person(); {
	case whose != "" && whose != c.person:
		return badParams(fmt.Sprintf("session must be one of your own, and %s is %s's.", bare, whose))
	case named != "" && named != c.person:
		return badParams(fmt.Sprintf("owner must be %s, who signed in.", c.person))
	}
	return nil
}

// hasRoom refuses a connection that reports a session more than it may have open.
func (c *conn) hasRoom(name string) (err error) {
	c.server.look(func(*records.Book) {
		n := 0
		for bare, one := range c.server.sessions {
			if one.peer == c && !one.ended && bare != records.BareSession(name) {
				n++
			}
		}
		if n >= maxOpen {
			err = &tools.Error{Code: tools.Busy, Message: fmt.Sprintf(
				"One connection reports at most %d sessions that have not ended: end one first.", maxOpen)}
		}
	})
	return err
}

// reportSession takes in what a host says of a session of its own.
func (c *conn) reportSession(r *request, _ string, _ func(any)) error {
	var p sessionParams
	if err := r.into(&p); err != nil {
		return err
	}
	meta := 0
	if p.Meta != nil {
		data, err := json.Marshal(*p.Meta)
		if meta = len(data); err != nil {
			return err
		}
	}
	switch {
	case records.BareSession(p.Session) == "" || len(p.Session) > maxName:
		return badParams(mustBeName("session"))
	case max(len(p.Title), len(p.Owner), len(p.Bot)) > maxName:
		return badParams(fmt.Sprintf("title, owner and bot must have at most %d bytes.", maxName))
	case meta > maxMeta:
		return badParams(fmt.Sprintf("meta must have at most %d bytes.", maxMeta))
	}
	if err := c.may("session:write"); err != nil {
		return err
	}
	if err := c.own(p.Session, p.Owner); err != nil {
		return err
	}
	if err := c.hasRoom(p.Session); !p.Ended && err != nil {
		return err
	}
	s := c.server
	report := tools.Session{Session: p.Session, Title: p.Title, Owner: p.Owner, Bot: p.Bot, Ended: p.Ended}
	if err := s.store.ReportSession(s.ctx, report); err != nil {
		return err
	}
	if !p.Ended { // this process hears it when the connection ends
		if err := s.store.WatchSession(s.ctx, p.Session, os.Getpid()); err != nil {
			return err
		}
	}
	report.Reported = s.store.Now()
	s.look(func(book *records.Book) {
		var own map[string]any
		if p.Meta != nil {
			own = *p.Meta
		}
		s.learn(book, report, own).peer = c
	})
	return nil
}

// tellReport tells of what a report changed of a session, which was another one
// before.
func (s *Server) tellReport(book *records.Book, one *session, before session) {
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
}

// reportTurn takes in that a turn of a host starts or ends.
func (c *conn) reportTurn(r *request, _ string, reply func(any)) (err error) {
	var p turnParams
	if err := r.into(&p); err != nil {
		return err
	}
	switch {
	case records.BareSession(p.Session) == "" || len(p.Session) > maxName:
		return badParams(mustBeName("session"))
	case p.TurnID == "" || len(p.TurnID) > maxName:
		return badParams(mustBeName("turnId"))
	case p.State != "started" && p.State != "ended":
		return badParams("state must be started or ended.")
	}
	if err := c.may("session:write"); err != nil {
		return err
	}
	if err := c.own(p.Session, ""); err != nil {
		return err
	}
	if err := c.hasRoom(p.Session); err != nil {
		return err
	}
	s := c.server
	s.look(func(book *records.Book) {
		one := s.sessions[records.BareSession(p.Session)]
		if one == nil {
			one = s.learn(book, tools.Session{Session: p.Session, Reported: s.store.Now()}, nil)
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
	case records.BareSession(p.Session) == "" || len(p.Session) > maxName:
		return badParams(mustBeName("session"))
	case p.Tool == "" || len(p.Tool) > maxName:
		return badParams(mustBeName("tool"))
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
