package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/inbox"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/sweep"
)

// stopWait is how long a host that is told to stop waits for its clients.
const stopWait = 900 * time.Millisecond

// Config says what a host serves, and where.
type Config struct {
	Store  *tools.Store
	Listen string   // HOST:PORT; port 0 is a free one
	Names  []string // that this machine is reached by, where others may reach it

	// Runtime is the folder for a socket whose name beside the repository would be
	// too long for the system; "" is none.
	Runtime string

	// Hooks is the folder of the scripts that a push by HTTP goes through; with ""
	// there is no git by HTTP.
	Hooks string

	// Environ is what git and the hooks find of a push by HTTP.
	Environ []string

	// Inbox is the folder whose files become tasks; "" is none.
	Inbox string

	// Thrift says that the process is this host alone, and has its garbage collector
	// hold the memory that the host takes near what the list needs.
	Thrift bool

	// Notify is the socket that systemd listens on, from NOTIFY_SOCKET; "" is none.
	Notify string

	// Settings reads SettingsFile again. Reload asks for that, as a signal does, and so
	// does a process that has changed the file and calls [Reload]. A nil Reload never
	// asks.
	Settings     func() (*tools.Settings, error)
	SettingsFile string
	Reload       <-chan os.Signal

	// Ready is told once, when the host answers, with its address: http://HOST:PORT
	// and the port that it got. An error of it ends the host.
	Ready func(address string) error
}

// Run is a host, until ctx ends; then it stops and gives nil. The error is a
// tools.Error: invalid where Listen cannot be taken, conflict where another host
// serves the list or the port is taken.
func Run(ctx context.Context, cfg Config) error {
	at, err := parseAddress(cfg.Listen)
	if err != nil {
		return err
	}
	if !at.local() && len(cfg.Store.Settings().Users) == 0 {
		return refused("--listen " + cfg.Listen + " lets others in, and the settings have no users: " +
			"name who may come in under users, or listen on " + DefaultListen)
	}
	box, err := openInbox(cfg)
	if err != nil {
		return err
	}
	c, err := takeHostLock(ctx, cfg.Store.Side())
	if err != nil {
		return err
	}
	defer c.release()
	listener, err := net.Listen("tcp", at.String())
	if err != nil {
		return &tools.Error{Code: tools.Conflict, Message: fmt.Sprintf("cannot listen on %s: %v; --listen %s takes a free port",
			at, cause(err), net.JoinHostPort(at.host, "0")), Err: err}
	}
	defer listener.Close()
	h := &host{Config: cfg, at: at, inbox: box, address: reachedAt(at, listener, cfg.Names), health: &health{store: cfg.Store, inbox: box, started: cfg.Store.Now().UTC()}}
	if err := c.say(Holder{PID: os.Getpid(), Start: h.health.started, Address: h.address, Version: tools.Version()}); err != nil {
		return err
	}
	return h.serve(ctx, listener)
}

func openInbox(cfg Config) (*inbox.Inbox, error) {
	if cfg.Inbox == "" {
		return nil, nil
	}
	return inbox.Open(cfg.Store, cfg.Inbox)
}

// reachedAt is the address that clients are told. One that stands for all of this
// machine's is no use to them: its name is, or else what this machine itself
// reaches it by.
func reachedAt(at address, listener net.Listener, names []string) string {
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return "http://" + listener.Addr().String()
	}
	if at.every() {
		host = "127.0.0.1"
		if len(names) > 0 {
			host = names[0]
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}

// cause is the reason of a network error, without what it repeats of the call.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// host is a host that listens.
type host struct {
	Config
	at       address
	address  string
	health   *health
	limits   *limits
	pushers  pushers
	reading  sync.Mutex // held while the settings are read again
	channels *channels
	inbox    *inbox.Inbox // nil for none
}

// serve answers until ctx ends.
func (h *host) serve(ctx context.Context, listener net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	server := newServer(h.routes(ctx), h.Store.Log())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	beside.Go(func() { sweep.Run(ctx, h.Store, h.health.passed) })
	beside.Go(func() { h.Store.KeepClaims(ctx) })
	beside.Go(func() { h.reload(ctx) })
	if h.inbox != nil {
		beside.Go(func() { h.inbox.Run(ctx) })
	}
	if h.Thrift {
		beside.Go(func() { newCollector().collect(ctx) })
	}
	path := socketPath(h.Store.Side(), h.Runtime)
	if socket, err := listenSocket(path); err != nil {
		h.Store.Log().Warn("there is no socket; commands open the list themselves", "error", err)
	} else {
		beside.Go(func() { h.answerSocket(ctx, socket) })
	}
	h.Store.Log().Info("serving", "address", h.address)
	if h.Ready != nil {
		if err := h.Ready(h.address); err != nil {
			server.Close()
			return err
		}
	}
	h.notify(isReady + h.address)
	select {
	case err := <-ended:
		return fmt.Errorf("serving %s: %w", h.address, err)
	case <-ctx.Done():
	}
	h.Store.Log().Info("stopping")
	h.notify(isStopping)
	wait, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	if server.Shutdown(wait) != nil {
		server.Close() // whoever is left has had the time
	}
	h.channels.stop(wait)
	return nil
}

// routes are what is answered, and what stands before it.
func (h *host) routes(ctx context.Context) http.Handler {
	mux := http.NewServeMux()
	h.limits = newLimits(mcpserver.Handler(ctx, h.Store), h.Store, time.Now)
	mux.Handle("/mcp", h.signedIn(h.limits))
	h.channels = &channels{ctx: ctx, store: h.Store, calls: h.limits.calls}
	mux.Handle("/ahp", h.signedIn(h.limits.connections(h.channels)))
	if h.Hooks != "" {
		mux.Handle("/records.git", http.NotFoundHandler()) // else it is redirected, query and all
		mux.Handle("/records.git/", steady(h.gitDoor()))
	}
	mux.Handle("GET /healthz", h.health)
	mux.HandleFunc("GET /{$}", nothing)
	return &guard{next: paced(exact(mux)), names: h.names(), log: h.Store.Log()}
}

// nothing tells a person who opens the host's address where its doors are.
func nothing(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "This is a host of git-tasks. /mcp speaks the Model Context Protocol, /ahp the Agent Host Protocol;\n"+
		"/records.git is the list for git, /healthz says how the host is. Nothing is here.", tools.NotFound.Status())
}

// signedIn lets in whoever is on this machine, and from elsewhere users alone: on
// an address that others reach, nobody is a stranger who may read and write.
func (h *host) signedIn(next http.Handler) http.Handler {
	if h.at.local() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header["Authorization"]) == 0 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="tasks"`)
			http.Error(w, "This host lets in its users alone: send your token as Authorization: Bearer TOKEN.", tools.Unauthenticated.Status())
			return
		}
		next.ServeHTTP(w, r) // which refuses a token that it does not know
	})
}

// exact keeps from a ServeMux what it would redirect: it would say the query back,
// and a client may have put its token there.
func exact(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path.Clean(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// newServer is the listener's server: HTTP/1 alone, whose streams
// ResponseController can pace one by one.
func newServer(routes http.Handler, log *slog.Logger) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:           routes,
		Protocols:         protocols,
		ReadHeaderTimeout: headerWait,
		ReadTimeout:       bodyWait,
		WriteTimeout:      partWait,
		IdleTimeout:       idleWait,
		MaxHeaderBytes:    maxHeader,
		// OPTIONS * too is for the routes, and what stands before them.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// names are those by which others reach the host, none where nobody does. An
// address that stands for all of this machine's is no name of it.
func (h *host) names() []string {
	if h.at.local() {
		return nil
	}
	if h.at.every() {
		return h.Names
	}
	return append([]string{h.at.host}, h.Names...)
}
