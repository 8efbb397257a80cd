package ahp

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// session is one that was reported, or that a record names.
type session struct {
	uri, title        string // the title is "" where none was said
	created, modified time.Time
	ended             bool
	recorded          bool           // a record names it, or did
	own               map[string]any // what its host has put into its _meta
	peer              *conn          // the connection that reports it, nil for none
	turns             []chatTurn     // that are over, the last of them
	active            *chatTurn
	started           time.Time     // of the active one
	read              tools.Session // the report of another program that was taken in last
	hooked            string        // the turn that a hook reported, "" for none
}

// name is what the session is called.
func (one *session) name() string {
	if one.title != "" {
		return one.title
	}
	return "Session " + records.BareSession(one.uri)
}

func (one *session) status() int {
	if one.active != nil {
		return busy
	}
	return idle
}

// chatURI is the address of the session's one chat.
func (one *session) chatURI() string {
	return chatScheme + base64.RawURLEncoding.EncodeToString([]byte(one.uri))
}

// sessionOf gives the address of the session that a chat is of, and whether the
// channel is a chat's: what undoes chatURI.
func sessionOf(channel string) (uri string, ok bool) {
	encoded, ok := strings.CutPrefix(channel, chatScheme)
	data, err := base64.RawURLEncoding.DecodeString(encoded)
	return string(data), ok && err == nil
}

// meta is the whole _meta, with an open count that is nil where no task belongs to
// the session.
func (one *session) meta(open *channel.Open) meta {
	all := meta{}
	maps.Copy(all, one.own)
	delete(all, channel.MetaKey)
	if open != nil {
		all[channel.MetaKey] = open
	}
	return all
}

func (one *session) chatSummary() chatSummary {
	return chatSummary{one.chatURI(), one.name(), one.status(), stamp(one.modified)}
}

// chat is the state of the chat. What it holds is not changed afterwards.
func (one *session) chat() chatState {
	state := chatState{chatSummary: one.chatSummary(), Turns: append([]chatTurn{}, one.turns...)}
	if one.active != nil {
		now := *one.active
		now.ResponseParts = append([]part{}, now.ResponseParts...)
		state.ActiveTurn = &now
	}
	return state
}

func (one *session) state(book *records.Book) (any, error) {
	open, err := channel.OpenOf(book, one.uri)
	if err != nil {
		return nil, err
	}
	return sessionState{provider, one.name(), one.status(), ready, []struct{}{}, []chatSummary{one.chatSummary()}, one.meta(open)}, nil
}

func (one *session) row(open *channel.Open) summary {
	return summary{one.uri, provider, one.name(), one.status(), stamp(one.created), stamp(one.modified), one.meta(open)}
}

func stamp(t time.Time) string { return t.UTC().Format(timeForm) }

// findSessions fills the table from what was reported and what the records name.
func (s *Server) findSessions(book *records.Book) error {
	tasks, err := book.Tasks()
	if err != nil {
		return err
	}
	for t := range tasks {
		s.named(t.Session, t.Stamps())
	}
	plans, err := book.Plans()
	if err != nil {
		return err
	}
	for p := range plans {
		if p.Scope.Kind == records.SessionScope {
			s.named(p.Scope.Session, p.Stamps())
		}
	}
	for _, one := range s.sessions {
		if one.created.IsZero() { // by records without a stamp
			one.created, one.modified = s.store.Now(), s.store.Now()
		}
	}
	reports, err := s.store.Sessions()
	for _, r := range reports {
		if !r.Ended || s.sessions[records.BareSession(r.Session)] != nil {
			s.takeTurn(s.reported(r), r)
		}
	}
	return err
}

// named notes that a record with stamps names a session.
func (s *Server) named(name string, stamps func(func(string, *records.Stamp) bool)) {
	bare := records.BareSession(name)
	if bare == "" {
		return
	}
	one := s.sessions[bare]
	if one == nil {
		one = &session{uri: tools.SessionURI(bare)}
		s.sessions[bare] = one
	}
	one.recorded = true
	for _, st := range stamps {
		at, ok := st.Time()
		if !ok {
			continue
		}
		if one.created.IsZero() || at.Before(one.created) {
			one.created = at
		}
		if at.After(one.modified) {
			one.modified = at
		}
	}
}

// reported takes in a report, and gives its session.
func (s *Server) reported(r tools.Session) *session {
	bare := records.BareSession(r.Session)
	one := s.sessions[bare]
	if one == nil {
		one = &session{uri: tools.SessionURI(bare), created: r.Reported, modified: r.Reported}
		s.sessions[bare] = one
	}
	one.ended, one.read = r.Ended, tools.Session{}
	if r.Title != "" {
		one.title = r.Title
	}
	return one
}

// learn takes in a report, with the session's own keys of its _meta where they are
// not nil, and tells of what it changes.
func (s *Server) learn(book *records.Book, r tools.Session, own map[string]any) *session {
	before := session{ended: true} // as good as none
	if one := s.sessions[records.BareSession(r.Session)]; one != nil {
		before = *one
	}
	one := s.reported(r)
	if own != nil {
		one.own = own
	}
	s.tellReport(book, one, before)
	if own != nil && !before.ended {
		if open, err := channel.OpenOf(book, one.uri); err == nil {
			s.tellMeta(one, open)
		}
	}
	s.release(one)
	return one
}

// release lets go of what was said of a session, or none, that is over and that
// nobody follows; and of all of it where no record names it: its report brings it
// back.
func (s *Server) release(one *session) {
	if one == nil || !one.ended || s.follows[one.uri] != nil || s.follows[one.chatURI()] != nil {
		return
	}
	one.own, one.turns = nil, nil
	if !one.recorded {
		delete(s.sessions, records.BareSession(one.uri))
	}
}

// left lets go of the session of a channel that nobody follows any more.
func (s *Server) left(channel string) {
	uri := channel
	if session, ok := sessionOf(channel); ok {
		uri = session
	}
	s.release(s.sessions[records.BareSession(uri)])
}

// known gives the session of an address, nil where there is none.
func (s *Server) known(book *records.Book, uri string) *session {
	bare := records.BareSession(uri)
	if one := s.sessions[bare]; one != nil || bare == "" {
		return one.at(uri)
	}
	if r, err := s.store.Session(bare); err == nil && r.Session != "" {
		r.Reported = s.store.Now()
		one := s.learn(book, r, nil)
		s.takeTurn(one, r)
		return one.at(uri)
	}
	return nil
}

// at gives the session where this is its address.
func (one *session) at(uri string) *session {
	if one == nil || one.uri != uri {
		return nil
	}
	return one
}

// appeared tells of a session that is new, or is there again.
func (s *Server) appeared(book *records.Book, one *session) {
	open, err := channel.OpenOf(book, one.uri)
	if err != nil || one.ended {
		return // whoever follows the list is told of the error
	}
	row := one.row(open)
	s.note(sessionAdded, rootNote{Summary: &row})
	s.countSessions()
}

func (s *Server) countSessions() {
	n := s.active()
	s.act(rootURI, action{Type: "root/activeSessionsChanged", ActiveSessions: &n})
}

func (s *Server) active() (n int) {
	for _, one := range s.sessions {
		if !one.ended {
			n++
		}
	}
	return n
}

func (s *Server) rootState(c *conn) rootState {
	state := rootState{Agents: []struct{}{}}
	if c.reads {
		n := s.active()
		state.ActiveSessions = &n
	}
	return state
}

// moved takes in what a commit means to sessions.
func (s *Server) moved(m tools.Move) error {
	calls, counts, err := s.desk.Moved(m)
	if err != nil {
		return err
	}
	for _, call := range calls {
		s.draw(call)
	}
	for _, count := range counts {
		one := s.sessions[count.Session]
		if one == nil {
			now := s.store.Now() // a commit may have any date
			one = &session{uri: tools.SessionURI(count.Session), created: now, modified: now}
			s.sessions[count.Session] = one
			if r, err := s.store.Session(count.Session); err == nil {
				one.title, one.ended = r.Title, r.Ended
			}
			one.recorded = true
			s.appeared(m.Book, one)
			continue
		}
		one.recorded = true
		s.tellMeta(one, count.Open)
	}
	return nil
}

// tellMeta tells of the whole _meta of a session.
func (s *Server) tellMeta(one *session, open *channel.Open) {
	all := one.meta(open)
	s.act(one.uri, action{Type: "session/metaChanged", Meta: &all})
	if !one.ended {
		s.note(rowChanged, rootNote{Session: one.uri, Changes: &rowChanges{Meta: &all}})
	}
	if one.peer != nil {
		one.peer.toldPeer(metaNoted, metaNote{rootURI, one.uri, all})
	}
}

// listSessions gives a page of the rows, those that changed last first.
func (c *conn) listSessions(r *request, _ string, reply func(any)) (err error) {
	var p listParams
	if err := r.into(&p); err != nil {
		return err
	}
	if p.Limit < 0 {
		return badParams("limit must be a positive number")
	}
	if p.Limit == 0 {
		p.Limit = sessionRows
	}
	if err := c.may("session:read"); err != nil {
		return err
	}
	s := c.server
	if err := s.Reread(); err != nil {
		return err
	}
	s.look(func(book *records.Book) {
		var result listResult
		if result, err = s.page(book, min(p.Limit, maxSessions), p.Cursor); err == nil {
			reply(result)
		}
	})
	return err
}

// page gives the rows behind a cursor, which is the place of the row before.
func (s *Server) page(book *records.Book, limit int, cursor string) (listResult, error) {
	rows := listResult{Items: []summary{}}
	after, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || cursor != "" && len(after) <= len(timeForm) {
		return rows, badParams("cursor must be the nextCursor of a page before")
	}
	type place struct {
		at      string // sorts the session among all, the later ones higher
		session *session
	}
	var places []place
	for _, one := range s.sessions {
		at := stamp(one.modified) + " " + one.uri
		if !one.ended && (cursor == "" || at < string(after)) {
			places = append(places, place{at, one})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(b.at, a.at) })
	for i, p := range places {
		if i == limit {
			rows.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(places[i-1].at))
			break
		}
		open, err := channel.OpenOf(book, p.session.uri)
		if err != nil {
			return rows, err
		}
		rows.Items = append(rows.Items, p.session.row(open))
	}
	return rows, nil
}
