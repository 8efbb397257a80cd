package ahp

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

const (
	maxFollowed = 64     // channels of one connection
	maxClients  = 10_000 // that may come back
)

// Config says what a server serves.
type Config struct {
	Store *tools.Store
	Hub   *channel.Hub // that follows the Store

	// Calls counts a request of a person ("" for nobody) from an address, and gives
	// the reason why it is one too many; nil counts none.
	Calls func(person, from string) (reason string)
}

// Server serves a list over the Agent Host Protocol. It is an http.Handler for one
// URL, which WebSockets are opened at.
type Server struct {
	store   *tools.Store
	hub     *channel.Hub
	calls   func(person, from string) (reason string)
	ctx     context.Context
	limit   int // of a client's queue
	methods map[string]method
	serving sync.WaitGroup

	rereading sync.Mutex // so that no report is taken in after a later one

	// All that follows is guarded by the hub's lock: see look.
	ledger   ledger
	conns    map[*conn]bool
	follows  map[string]map[*conn]bool // by channel
	clients  map[string]string         // who may come back, each with the person behind it
	sessions map[string]*session       // by the bare session
	desk     *channel.Desk
}

// New gives a server that serves until ctx ends. The error is one of reading the
// list.
func New(ctx context.Context, cfg Config) (*Server, error) {
	s := &Server{store: cfg.Store, hub: cfg.Hub, calls: cfg.Calls, ctx: ctx, limit: maxQueued, methods: allMethods(),
		conns: map[*conn]bool{}, follows: map[string]map[*conn]bool{}, clients: map[string]string{},
		sessions: map[string]*session{}, desk: channel.NewDesk()}
	s.hub.Tap(s.told)
	var err error
	s.look(func(book *records.Book) { err = s.findSessions(book) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// look calls f with the records as they are by the number that the ledger is at,
// while neither moves.
func (s *Server) look(f func(book *records.Book)) {
	s.hub.Look(func(_ repo.ID, book *records.Book) { f(book) })
}

// ServeHTTP takes the connection of one client over, until it ends. A token that
// is nobody's is answered with 401.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serving.Add(1) // before it is the server's no longer
	defer s.serving.Done()
	st := s.store.Settings()
	person := r.Header.Get("Git-Tasks-As")
	if len(st.Users) > 0 {
		person = ""
		if len(r.Header["Authorization"]) > 0 {
			var ok bool
			if person, ok = st.Person(tools.Bearer(r)); !ok {
				s.store.Log().Warn("a token was refused", "door", "ahp", "from", r.RemoteAddr)
				w.Header().Set("WWW-Authenticate", `Bearer realm="tasks"`)
				http.Error(w, "The token is not known here.", tools.Unauthenticated.Status())
				return
			}
		}
	}
	ws, err := newSocket(w, r)
	if err != nil {
		return // it was answered
	}
	from, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		from = r.RemoteAddr
	}
	s.serve(ws, person, from)
}

// serve serves a client until it ends.
func (s *Server) serve(w wire, person, from string) {
	c := &conn{server: s, wire: w, from: from, out: newQueue(s.limit), follows: map[string]bool{}}
	s.look(func(*records.Book) {
		s.conns[c] = true
		c.signIn(person)
	})
	c.run(s.ctx)
	var left []string
	s.look(func(*records.Book) {
		c.leaveAll()
		delete(s.conns, c)
		left = s.forgetPeer(c)
	})
	s.leaveSessions(left)
}

// Wait returns when every client is gone; call it once ctx has ended and no more
// can come.
func (s *Server) Wait() { s.serving.Wait() }

// Judge ends the connections of those whose standing in the settings is not what
// it was when they signed in: whoever still may connects again.
func (s *Server) Judge() {
	s.look(func(*records.Book) {
		for c := range s.conns {
			if c.standing != s.standing(c.person) {
				c.out.end(closePolicy, "what you may do here has changed: sign in again")
			}
		}
	})
}

// standing is what a person may do, as one text.
func (s *Server) standing(person string) string {
	st := s.store.Settings()
	if len(st.Users) == 0 {
		return "all"
	}
	return person + " " + st.Standing(person)
}

// told takes in what the hub tells.
func (s *Server) told(one channel.Told) {
	if one.Err != nil {
		s.startAnew()
		return
	}
	for _, a := range one.Actions {
		if data, err := a.MarshalJSON(); err == nil { // it was encoded before
			s.publish(channel.Scheme+a.On, data)
		}
	}
	if err := s.moved(one.Move); err != nil {
		s.store.Log().Error("what a commit means to sessions could not be read", "door", "ahp", "commit", one.Move.Commit, "error", err)
	}
}

// startAnew ends every connection: what they should have been told is not known.
func (s *Server) startAnew() {
	s.ledger.forget()
	for c := range s.conns {
		c.out.end(closeTryAgain, "the list could not be read: reconnect")
	}
}

// publish numbers an action and sends it to all who follow its channel.
func (s *Server) publish(channel string, action []byte) {
	t := s.ledger.add(channel, action)
	for c := range s.follows[channel] {
		if channel != rootURI || c.reads {
			c.out.tell(t)
		}
	}
}

// act publishes an action of a session, a chat or the root.
func (s *Server) act(channel string, a action) {
	if data, err := json.Marshal(a); err == nil { // it has nothing that could not be
		s.publish(channel, data)
	}
}

// note tells all who follow the root, and may read sessions.
func (s *Server) note(method string, n rootNote) {
	n.Channel = rootURI
	t, err := encode(noted(method, n))
	if err != nil {
		return // it has nothing that could not be
	}
	for c := range s.follows[rootURI] {
		if c.reads {
			c.out.tell(t)
		}
	}
}
