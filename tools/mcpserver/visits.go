package mcpserver

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

const (
	sessionsOfUser = 64   // that one user has; the least used of more is closed
	sessionsOfAll  = 1024 // where there is no user directory, and of all together

	// maxFollowed is how many plans one session, or one stream, follows.
	maxFollowed = 64

	headerID = "Mcp-Session-Id"
)

// visits is what is known of the sessions of the older era. The SDK keeps as many
// as are opened, an hour each, and never asks again what their user may do.
type visits struct {
	server *mcp.Server
	store  *tools.Store

	mu       sync.Mutex
	open     map[string]*visit // by the id of the session
	turn     int               // counts requests, to tell which came last
	settings *tools.Settings   // that all of them were last judged by
}

// errTooMany refuses to follow more plans.
var errTooMany = &tools.Error{Code: tools.Busy, Message: "at most 64 plans can be followed at once; end one of them first."}

type visit struct {
	id, person, standing string
	last                 int // the turn of its last request
	running              int // requests that are being answered, streams among them
	plans                map[string]bool
}

// serve hands a request on to the sessions, and keeps count of them.
func (v *visits) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	v.judge()
	id := r.Header.Get(headerID)
	if id == "" {
		next.ServeHTTP(w, r)
		v.opened(w.Header().Get(headerID), personOf(r.Context()))
		return
	}
	v.count(id, 1)
	defer v.count(id, -1)
	next.ServeHTTP(w, r)
}

func (v *visits) count(id string, running int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known := v.open[id]; known != nil {
		v.turn++
		known.last, known.running = v.turn, known.running+running
	}
}

// opened notes a new session, and closes the least used one where there are too
// many now: a client whose session has gone opens another.
func (v *visits) opened(id, person string) {
	if id == "" {
		return
	}
	live := map[string]bool{}
	for s := range v.server.Sessions() {
		live[s.ID()] = true
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for known := range v.open {
		if !live[known] {
			delete(v.open, known)
		}
	}
	if !live[id] {
		return // it was opened and ended in one request
	}
	v.turn++
	st := v.store.Settings()
	v.open[id] = &visit{id: id, person: person, standing: st.Standing(person), last: v.turn, plans: map[string]bool{}}
	if len(st.Users) > 0 {
		v.closeOver(sessionsOfUser, func(known *visit) bool { return known.person == person })
	}
	v.closeOver(sessionsOfAll, func(*visit) bool { return true })
}

// closeOver closes the least used of some sessions that are more than most.
func (v *visits) closeOver(most int, of func(*visit) bool) {
	var all []*visit
	for _, known := range v.open {
		if of(known) {
			all = append(all, known)
		}
	}
	if len(all) <= most {
		return
	}
	slices.SortFunc(all, func(a, b *visit) int {
		return cmp.Or(cmp.Compare(min(a.running, 1), min(b.running, 1)), cmp.Compare(a.last, b.last))
	})
	for _, known := range all[:len(all)-most] {
		v.close(known)
	}
}

func (v *visits) close(known *visit) {
	delete(v.open, known.id)
	for s := range v.server.Sessions() {
		if s.ID() == known.id {
			go s.Close() // waits for what it is answering
		}
	}
}

// judge closes the sessions of those whose standing is not what it was when they
// were opened. It is asked before anybody is told or answered anything.
func (v *visits) judge() {
	st := v.store.Settings()
	v.mu.Lock()
	defer v.mu.Unlock()
	if st == v.settings {
		return
	}
	v.settings = st
	for _, known := range v.open {
		if st.Standing(known.person) != known.standing || known.person == "" && len(st.Users) > 0 {
			v.close(known)
		}
	}
}

// follow notes that a session follows a plan, or refuses where it follows too many.
func (v *visits) follow(session, uri string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	known := v.open[session]
	if known == nil || known.plans[uri] {
		return nil
	}
	if len(known.plans) >= maxFollowed {
		return errTooMany
	}
	known.plans[uri] = true
	return nil
}

func (v *visits) unfollow(session, uri string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if known := v.open[session]; known != nil {
		delete(known.plans, uri)
	}
}

func personOf(ctx context.Context) string {
	person, _ := ctx.Value(personKey{}).(string)
	return person
}
