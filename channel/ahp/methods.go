package ahp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
)

// method is what a client may send.
type method struct {
	do           func(c *conn, r *request, channel string, reply func(any)) error
	root         bool // is about the connection
	first        bool // may come before initialize
	notification bool // need not have an id
}

// allMethods gives them by name.
func allMethods() map[string]method {
	return map[string]method{
		"initialize":             {do: (*conn).initialize, root: true, first: true},
		"reconnect":              {do: (*conn).reconnect, root: true, first: true},
		"ping":                   {do: (*conn).pong, root: true, first: true},
		"authenticate":           {do: (*conn).authenticate, root: true},
		"listSessions":           {do: (*conn).listSessions, root: true},
		"subscribe":              {do: (*conn).subscribe},
		"unsubscribe":            {do: (*conn).unsubscribe, notification: true},
		"dispatchAction":         {do: (*conn).dispatch, notification: true},
		"x-git-tasks/session":    {do: (*conn).reportSession, root: true},
		"x-git-tasks/turn":       {do: (*conn).reportTurn, root: true},
		"x-git-tasks/planUpdate": {do: (*conn).planUpdate, root: true},
	}
}

func (c *conn) initialize(r *request, _ string, reply func(any)) error {
	var p initializeParams
	if err := r.into(&p); err != nil {
		return err
	}
	switch {
	case c.opened:
		return &fault{Code: codeInvalidRequest, Message: "the connection is initialized already"}
	case p.ClientID == "" || len(p.ClientID) > maxName:
		return badParams(mustBeName("clientId"))
	case len(p.InitialSubscriptions) > maxFollowed:
		return tooMany()
	}
	version, err := choose(p.ProtocolVersions)
	if err != nil {
		return err
	}
	c.server.look(func(book *records.Book) {
		c.open(p.ClientID)
		reply(initializeResult{version, c.server.ledger.seq, implementation{"git-tasks", tools.Version()}, c.followAll(book, p.InitialSubscriptions)})
	})
	return nil
}

// open makes the connection one of a client that may come back. It is called with
// the hub's lock held.
func (c *conn) open(client string) {
	s := c.server
	c.opened, c.clientID = true, client
	if _, known := s.clients[client]; !known && len(s.clients) >= maxClients {
		for other := range s.clients {
			delete(s.clients, other)
			break
		}
	}
	s.clients[client] = c.person
}

func (c *conn) reconnect(r *request, _ string, reply func(any)) (err error) {
	var p reconnectParams
	if err := r.into(&p); err != nil {
		return err
	}
	switch {
	case c.opened:
		return &fault{Code: codeInvalidRequest, Message: "the connection is initialized already"}
	case p.LastSeenServerSeq == nil:
		return badParams("lastSeenServerSeq must be a number")
	case len(p.Subscriptions) > maxFollowed:
		return tooMany()
	}
	s := c.server
	s.look(func(book *records.Book) {
		if person, known := s.clients[p.ClientID]; !known || person != c.person {
			err = &fault{Code: codeUnknownClient, Message: "there is no such client: initialize"}
			return
		}
		c.open(p.ClientID)
		missed, ok := s.ledger.since(*p.LastSeenServerSeq)
		snapshots := c.followAll(book, p.Subscriptions)
		if !ok {
			reply(snapshotResult{"snapshot", snapshots})
			return
		}
		result := replayResult{"replay", []json.RawMessage{}, []string{}}
		for _, uri := range p.Subscriptions {
			if !c.follows[normal(uri)] {
				result.Missing = append(result.Missing, uri)
			}
		}
		for _, e := range missed {
			if c.follows[e.channel] && (e.channel != rootURI || c.reads) {
				result.Actions = append(result.Actions, e.params)
			}
		}
		reply(result)
	})
	return err
}

func (c *conn) pong(_ *request, _ string, reply func(any)) error {
	reply(nil)
	return nil
}

// authenticate signs a user in by their token, or out with none.
func (c *conn) authenticate(r *request, _ string, _ func(any)) error {
	var p authenticateParams
	if err := r.into(&p); err != nil {
		return err
	}
	st := c.server.store.Settings()
	person, known := st.Person(p.Token)
	switch {
	case p.Resource != tasksResource:
		return badParams("resource must be " + tasksResource)
	case p.Token != "" && len(st.Users) == 0:
		return nil // nobody is asked for one here
	case p.Token != "" && !known:
		c.server.store.Log().Warn("a token was refused", "door", "ahp", "from", c.from)
		return &tools.Error{Code: tools.Unauthenticated, Message: "The token is not known here."}
	}
	c.server.look(func(*records.Book) {
		if p.Token == "" && len(st.Users) == 0 {
			return
		}
		c.leaveAllBut(rootURI)
		c.signIn(person)
		c.server.clients[c.clientID] = c.person
	})
	return nil
}

// signIn makes a person the one behind the connection. It is called with the hub's
// lock held.
func (c *conn) signIn(person string) {
	c.person, c.standing = person, c.server.standing(person)
	c.reads = c.may("session:read") == nil
}

// may gives the refusal where whoever is behind the connection lacks a grant.
func (c *conn) may(operation string) error {
	caller, err := c.server.store.Caller(tools.Who{Person: c.person})
	if err != nil {
		return err
	}
	return caller.May(operation)
}

// count counts a call, but for the first of all.
func (c *conn) count(r *request) error {
	if c.server.calls == nil || r.method == "ping" {
		return nil
	}
	if reason := c.server.calls(c.person, c.from); reason != "" {
		return &tools.Error{Code: tools.Busy, Message: "Too many requests: " + reason + ". Try again in a second."}
	}
	return nil
}

func (c *conn) subscribe(_ *request, uri string, reply func(any)) (err error) {
	c.server.look(func(book *records.Book) {
		var now snapshot
		if now, err = c.follow(book, uri); err == nil {
			reply(subscribeResult{now})
		}
	})
	return err
}

func (c *conn) unsubscribe(_ *request, uri string, _ func(any)) error {
	c.server.look(func(*records.Book) { c.leave(uri) })
	return nil
}

func tooMany() error {
	return &tools.Error{Code: tools.Busy, Message: "One connection follows at most " + strconv.Itoa(maxFollowed) + " channels."}
}

// normal gives a channel its one name.
func normal(uri string) string {
	if uri == "ahp-root:" {
		return rootURI
	}
	return uri
}

// follow has the connection told of a channel from now on, and gives its state. It
// is called with the hub's lock held, as the next ones are.
func (c *conn) follow(book *records.Book, uri string) (snapshot, error) {
	s, channel := c.server, normal(uri)
	if !c.follows[channel] && len(c.follows) >= maxFollowed {
		return snapshot{}, tooMany()
	}
	state, err := s.stateOf(c, book, channel)
	if err != nil {
		return snapshot{}, err
	}
	if state == nil {
		return snapshot{}, notFound(uri)
	}
	if s.follows[channel] == nil {
		s.follows[channel] = map[*conn]bool{}
	}
	s.follows[channel][c], c.follows[channel] = true, true
	return snapshot{channel, state, s.ledger.seq}, nil
}

// followAll follows what there is of channels, and leaves out what there is not.
func (c *conn) followAll(book *records.Book, uris []string) []snapshot {
	all := []snapshot{}
	for i, uri := range uris {
		if slices.Contains(uris[:i], uri) {
			continue
		}
		if one, err := c.follow(book, uri); err == nil {
			all = append(all, one)
		}
	}
	return all
}

func (c *conn) leave(channel string) {
	delete(c.follows, channel)
	followers := c.server.follows[channel]
	delete(followers, c)
	if len(followers) == 0 {
		delete(c.server.follows, channel)
		c.server.left(channel)
	}
}

func (c *conn) leaveAll() { c.leaveAllBut("") }

func (c *conn) leaveAllBut(channel string) {
	for other := range c.follows {
		if other != channel {
			c.leave(other)
		}
	}
}

// stateOf gives the state of a channel as a connection may see it, nil where there
// is no such channel.
func (s *Server) stateOf(c *conn, book *records.Book, uri string) (any, error) {
	if uri == rootURI {
		return s.rootState(c), nil
	}
	if err := c.may("session:read"); err != nil {
		return nil, err
	}
	if id, ok := strings.CutPrefix(uri, channel.Scheme); ok {
		state, err := channel.Snapshot(book, id)
		if err != nil || state == nil {
			return nil, err
		}
		return state, nil
	}
	if session, ok := sessionOf(uri); ok {
		if one := s.known(book, session); one != nil {
			return one.chat(), nil
		}
	} else if one := s.known(book, uri); one != nil {
		return one.state(book)
	}
	return nil, nil
}

// dispatch tells a client, and nobody else, that an action is not its to make.
func (c *conn) dispatch(r *request, uri string, _ func(any)) error {
	var p dispatchParams
	var a struct {
		Type string `json:"type"`
	}
	if err := r.into(&p); err != nil {
		return err
	}
	if json.Unmarshal(p.Action, &a) != nil || a.Type == "" {
		return badParams("action must have a type")
	}
	c.server.look(func(*records.Book) {
		c.out.answer(noted("action", envelope{uri, p.Action, c.server.ledger.seq, origin{c.clientID, p.ClientSeq}, a.Type + rejection}))
	})
	return nil
}
