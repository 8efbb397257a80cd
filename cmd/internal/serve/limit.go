package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
)

const (
	callsPerSecond = 100  // of one user
	streamsOfUser  = 16   // that one user holds open
	streamsOfAll   = 1024 // where there is no user directory
	gitOfUser      = 16   // fetches and pushes of one user that run at once, each a process of git's
	gitOfAll       = 64   // where there is no user directory
	maxCounters    = 4096 // kept of those who have no token
)

// limits counts the calls and the streams of each user. Where there is no user
// directory only streams are counted: whoever can call is on this machine.
type limits struct {
	next  http.Handler
	store *tools.Store
	now   func() time.Time

	mu    sync.Mutex
	users map[string]*counter
	open  map[*stream]bool

	queued atomic.Int64 // bytes that wait for the clients of all streams
}

// stream is one that is held open, and under what.
type stream struct {
	request  *http.Request
	standing string
	end      context.CancelFunc
}

func newLimits(next http.Handler, s *tools.Store, now func() time.Time) *limits {
	return &limits{next: next, store: s, now: now, users: map[string]*counter{}, open: map[*stream]bool{}}
}

type counter struct {
	calls   bucket
	streams int
	git     int // runs of git
}

func (l *limits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	release := l.letIn(w, r, mcpserver.IsStream(r))
	if release == nil {
		return
	}
	defer release()
	if !mcpserver.IsStream(r) {
		l.next.ServeHTTP(w, r)
		return
	}
	ctx, end := context.WithCancel(r.Context())
	defer end()
	r = r.WithContext(ctx)
	defer l.hold(r, end)()
	q := newQueue(w, end, &l.queued)
	defer q.finish()
	l.next.ServeHTTP(q, r)
}

// letIn counts a request, and gives nil where it was one too many, which it was
// told.
func (l *limits) letIn(w http.ResponseWriter, r *http.Request, stream bool) (release func()) {
	name, atMost := l.who(r), streamsOfUser
	if name == "" {
		atMost = streamsOfAll
	}
	reason, release := l.enter(name, stream, atMost)
	if reason != "" {
		l.store.Log().Warn("a request was refused", "because", reason, "from", r.RemoteAddr)
		tooMany(w, reason)
		return nil
	}
	return release
}

// connections counts connections that last, as streams are. What comes on one is
// for calls to count.
func (l *limits) connections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if release := l.letIn(w, r, true); release != nil {
			defer release()
			next.ServeHTTP(w, r)
		}
	})
}

// calls counts a call of a person, "" for nobody, that no request of its own
// brings, and gives the reason why it is one too many.
func (l *limits) calls(person, from string) (reason string) {
	name := "user " + person
	switch {
	case len(l.store.Settings().Users) == 0:
		name = ""
	case person == "":
		name = "from " + from
	}
	reason, _ = l.enter(name, false, 0)
	return reason
}

func tooMany(w http.ResponseWriter, reason string) {
	w.Header().Set("Retry-After", "1")
	w.Header().Set("Connection", "close")
	http.Error(w, "Too many requests: "+reason+". Try again in a second.", tools.Busy.Status())
}

// hold keeps a stream among those that judge looks at. What it stands on is asked while
// judge is not: of settings that change meanwhile either that one or judge knows.
func (l *limits) hold(r *http.Request, end context.CancelFunc) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &stream{r, l.standing(r), end}
	l.open[s] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.open, s)
	}
}

// judge ends the streams of those whose standing is not what it was when they were
// opened: whoever still may opens another.
func (l *limits) judge() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.open {
		if l.standing(s.request) != s.standing {
			s.end()
		}
	}
}

// standing is what whoever made a request may do at this moment, as one text.
func (l *limits) standing(r *http.Request) string {
	st := l.store.Settings()
	if len(st.Users) == 0 {
		return "all"
	}
	person, ok := st.Person(tools.Bearer(r))
	if !ok {
		return ""
	}
	return person + " " + st.Standing(person)
}

// who names whose calls a request is counted with: the user of its token, else
// its address, so that guessing tokens is counted too.
func (l *limits) who(r *http.Request) string {
	st := l.store.Settings()
	if len(st.Users) == 0 {
		return ""
	}
	if person, ok := st.Person(tools.Bearer(r)); ok {
		return "user " + person
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return "from " + host
}

// enterGit counts a run of git for a request, or gives the reason why it is one too
// many.
func (l *limits) enterGit(r *http.Request) (reason string, release func()) {
	name, atMost := l.who(r), gitOfUser
	if name == "" {
		atMost = gitOfAll
	}
	if reason, _ := l.enter(name, false, 0); reason != "" {
		return reason, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counter(name)
	if c.git >= atMost {
		return fmt.Sprintf("at most %d fetches and pushes may run at once", atMost), nil
	}
	c.git++
	return "", func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.git--
	}
}

// counter gives that of a name. The lock is held.
func (l *limits) counter(name string) *counter {
	c := l.users[name]
	if c == nil {
		l.forget()
		c = &counter{}
		l.users[name] = c
	}
	return c
}

// enter counts a request, or gives the reason why it is one too many.
func (l *limits) enter(name string, stream bool, streams int) (reason string, release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counter(name)
	switch {
	case name != "" && !c.calls.take(l.now(), callsPerSecond):
		return fmt.Sprintf("one user may call %d times a second", callsPerSecond), nil
	case stream && c.streams >= streams:
		return fmt.Sprintf("at most %d streams may be open at once", streams), nil
	case !stream:
		return "", func() {}
	}
	c.streams++
	return "", func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.streams--
	}
}

// forget makes room among the counters: one that is full and holds nothing
// counts as a new one does.
func (l *limits) forget() {
	if len(l.users) < maxCounters {
		return
	}
	for name, c := range l.users {
		if c.streams+c.git == 0 && c.calls.full(l.now()) {
			delete(l.users, name)
		}
	}
}
