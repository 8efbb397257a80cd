package smarthttp

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	// maxFetch bounds what a client may send to say what it has and wants.
	maxFetch = 16 << 20
	// maxPush bounds a push where Config does not.
	maxPush = 512 << 20
	// timeout is how long git may take where Config does not say.
	timeout = 10 * time.Minute
)

// Config says which repository is served, and to whom.
type Config struct {
	Dir string // the git directory
	// Authorize settles who asks. push says what it is about. env, as "NAME=value",
	// is added to what the hooks of a push find. The error may be an [Error];
	// any other is told to nobody.
	Authorize func(r *http.Request, push bool) (env []string, err error)
	// Settings are given to git for this one call, as "section.key=value". They
	// come last, and so stand.
	Settings []string
	// Agent is what git says of itself to clients, who know a host by it; "" is
	// git's own name.
	Agent   string
	Environ []string      // what git and the hooks of a push find, see repo.GitEnviron; nil is nothing
	MaxPush int64         // bytes of one push, unpacked from its transport; 0 is 512 MiB
	Timeout time.Duration // of one run of git; 0 is ten minutes
	Log     *slog.Logger  // nil logs nothing
}

// Error refuses a request: its status, and the line that git shows. With 401 git
// asks the person for a name and a password.
type Error struct {
	Status int
	Text   string
}

// Error gives the text.
func (e *Error) Error() string { return e.Text }

// Handler serves one repository. It is safe for concurrent use.
type Handler struct{ cfg Config }

// New makes a handler for requests whose path begins with that of the
// repository, whatever that is: only how it ends says what is asked for.
func New(cfg Config) *Handler {
	if cfg.MaxPush == 0 {
		cfg.MaxPush = maxPush
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = timeout
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Handler{cfg}
}

// ServeHTTP answers one request of git's.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	service, advertise := path.Base(r.URL.Path), false
	if strings.HasSuffix(r.URL.Path, "/info/refs") {
		service, advertise = r.URL.Query().Get("service"), true
	}
	if service != "git-upload-pack" && service != "git-receive-pack" {
		http.Error(w, "this is a git repository; only git's smart protocol is spoken here", http.StatusNotFound)
		return
	}
	method, kind := http.MethodPost, "application/x-"+service+"-request"
	if advertise {
		method = http.MethodGet
	}
	if r.Method != method {
		w.Header().Set("Allow", method)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	if !advertise && r.Header.Get("Content-Type") != kind {
		http.Error(w, "the content type must be "+kind, http.StatusUnsupportedMediaType)
		return
	}
	push := service == "git-receive-pack"
	env, err := h.cfg.Authorize(r, push)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	body, err := h.body(r, push)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnsupportedMediaType)
		return
	}
	if p := r.Header.Get("Git-Protocol"); protocol().MatchString(p) {
		env = append(env, "GIT_PROTOCOL="+p)
	}
	h.run(w, r, call{service: service, advertise: advertise, env: env, body: body})
}

// protocol is what git may say of its version: "version=2", more keys behind
// colons.
var protocol = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9=:.-]{1,64}$`) })

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var e *Error
	if !errors.As(err, &e) {
		h.cfg.Log.ErrorContext(r.Context(), "a git request was refused for a reason of our own", "error", err)
		e = &Error{http.StatusInternalServerError, "the host cannot say who you are"}
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="git-tasks", charset="UTF-8"`)
	}
	http.Error(w, e.Text, e.Status)
}

// body is what the client sent, unpacked, and cut where it becomes too much.
func (h *Handler) body(r *http.Request, push bool) (io.Reader, error) {
	limit := int64(maxFetch)
	if push {
		limit = h.cfg.MaxPush
	}
	switch r.Header.Get("Content-Encoding") {
	case "", "identity":
		return io.LimitReader(r.Body, limit), nil
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, errors.New("the body is not what its content encoding says")
		}
		return io.LimitReader(unpacked, limit), nil
	}
	return nil, errors.New("the content encoding must be gzip, or none")
}

// span is how long git may run for a request. A fetch ends with its client; a
// push does not, so that nothing is torn by who hangs up.
func (h *Handler) span(r *http.Request, push bool) (context.Context, context.CancelFunc) {
	ctx := r.Context()
	if push {
		ctx = context.WithoutCancel(ctx)
	}
	return context.WithTimeout(ctx, h.cfg.Timeout)
}
