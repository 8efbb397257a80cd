package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-tasks/git-tasks/tools"
)

const (
	// maxBody is how many bytes one HTTP request may bring.
	maxBody = 4 << 20

	sessionTimeout = time.Hour              // of a client that opened with initialize and is not heard of
	lastAnswers    = 500 * time.Millisecond // for calls under way when the handler is to end
	handshakeless  = "2026-07-28"           // the first version of the protocol without initialize
)

// The headers and the keys of a call's _meta by which a client says who it is
// and what it works at; the key goes before the header.
const (
	headerAs      = "Git-Tasks-As"
	headerSession = "Git-Tasks-Session"
	headerFolder  = "Git-Tasks-Folder"
	headerAgent   = "Git-Tasks-Agent"
	metaSession   = "git-tasks/session"
	metaFolder    = "git-tasks/folder"
	metaAgent     = "git-tasks/agent"
)

// Handler serves the tools over streamable HTTP, in both eras of the protocol
// at one URL. Who is behind a call is settled anew for each: with a user
// directory the user of the bearer token, without one whoever the header
// Git-Tasks-As names; nobody where neither is said. A token that is nobody's is
// answered with 401.
//
// When ctx ends no more requests are taken; what is being carried out is
// answered, then all streams and sessions are closed.
func Handler(ctx context.Context, s *tools.Store) http.Handler {
	h := &web{store: s, ended: ctx.Done(), told: make(chan struct{}), room: newRoom()}
	var err error
	if h.moves, err = follow(ctx, s); err != nil {
		s.Log().Error("plans cannot be followed", "door", "mcp", "error", err)
	}
	d := &door{store: s, callerOf: h.caller, held: h.holds.of}
	h.server, h.calls = d.server(tools.All(), h.subscriptions()), plainCalls(d, tools.All())
	h.visits = &visits{server: h.server, store: s, open: map[string]*visit{}, settings: s.Settings()}
	h.offerPlans()
	go h.tellUpdates(ctx)
	log := warnings(s.Log())
	one := func(*http.Request) *mcp.Server { return h.server }
	h.sessions = mcp.NewStreamableHTTPHandler(one,
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, Logger: log})
	h.single = mcp.NewStreamableHTTPHandler(one,
		&mcp.StreamableHTTPOptions{Stateless: true, Logger: log, PropagateRequestCancellation: true})
	h.signedIn = auth.RequireBearerToken(verified, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(http.HandlerFunc(h.route))
	context.AfterFunc(ctx, h.end)
	return h
}

// web is the door for HTTP.
type web struct {
	store    *tools.Store
	server   *mcp.Server
	calls    map[string]toolCall          // by the names of the tools
	sessions http.Handler                 // of clients that open with initialize
	visits   *visits                      // what is known of them
	single   http.Handler                 // of clients that say all in each request
	signedIn http.Handler                 // for requests whose user is in their context
	moves    iter.Seq2[tools.Move, error] // of the list; nil where it cannot be watched
	told     chan struct{}                // closed when nobody is told of moves any more
	ended    <-chan struct{}
	running  sync.WaitGroup // requests that will be answered soon
	room     *room
	holds    holds
	gate     sync.RWMutex // held while a request is let in, or the door is shut
}

func (h *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	release, ok := h.enter(r)
	if !ok {
		w.Header().Set("Connection", "close")
		http.Error(w, "The host is stopping.", tools.Unreachable.Status())
		return
	}
	defer release()
	st := h.store.Settings()
	if len(st.Users) == 0 || len(r.Header["Authorization"]) == 0 {
		h.admit(w, r, nameOf(st, r), http.HandlerFunc(h.route))
		return
	}
	person, ok := st.Person(tools.Bearer(r))
	if !ok {
		h.store.Log().Warn("a token was refused", "door", "mcp", "from", r.RemoteAddr)
		w.Header().Set("WWW-Authenticate", `Bearer realm="tasks"`)
		http.Error(w, "The token is not known here.", tools.Unauthenticated.Status())
		return
	}
	h.admit(w, r.WithContext(context.WithValue(r.Context(), personKey{}, person)), "user "+person, h.signedIn)
}

// enter lets a request in unless the door is shut; release is called when it is
// answered. A stream is not waited for: its end is that of its client.
func (h *web) enter(r *http.Request) (release func(), ok bool) {
	h.gate.RLock()
	defer h.gate.RUnlock()
	select {
	case <-h.ended:
		return nil, false
	default:
	}
	if IsStream(r) {
		return func() {}, true
	}
	h.running.Add(1)
	return h.running.Done, true
}

// end closes every session once the calls under way are answered, or their time
// is up.
func (h *web) end() {
	h.gate.Lock() // whoever was let in before is counted now
	answered := make(chan struct{})
	go func() {
		h.running.Wait()
		close(answered)
	}()
	h.gate.Unlock()
	select {
	case <-answered:
	case <-time.After(lastAnswers):
	}
	<-h.told
	for session := range h.server.Sessions() {
		go session.Close()
	}
}

// route sends a request to the handler of its era. Only an old client has a
// session.
func (h *web) route(w http.ResponseWriter, r *http.Request) {
	hold := h.holds.of(&mcp.RequestExtra{Header: r.Header})
	body, ok := readBody(w, r, hold)
	if !ok || h.servePlain(w, r, body) || !heard(w, r, body) {
		return
	}
	if r.Header.Get(headerID) == "" && r.Header.Get("Mcp-Protocol-Version") >= handshakeless {
		h.single.ServeHTTP(w, r)
		return
	}
	h.visits.serve(w, r, h.sessions)
}

// readBody reads the body of a request whole, and leaves it there. It answers where
// that does not come, or is too much. A stream keeps its body, so that may be small
// alone.
func readBody(w http.ResponseWriter, r *http.Request, hold *hold) (body []byte, ok bool) {
	most, said := int64(maxBody), "A request may bring at most 4 MiB."
	if IsStream(r) {
		most, said = small, "A request for a stream may bring at most 64 KiB."
	}
	body, err := io.ReadAll(&arriving{Reader: http.MaxBytesReader(w, r.Body, most), hold: hold})
	if err == nil && len(body) > small {
		err = hold.myTurn(r.Context())
	}
	var tooLong *http.MaxBytesError
	var refusal *tools.Error
	switch {
	case errors.As(err, &tooLong):
		http.Error(w, said, http.StatusRequestEntityTooLarge)
		return nil, false
	case errors.As(err, &refusal):
		busy(w, refusal)
		return nil, false
	case err != nil:
		w.Header().Set("Connection", "close")
		http.Error(w, "The request did not come whole.", http.StatusRequestTimeout)
		return nil, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, true
}

// heard reports whether what a body says goes to the SDK. It answers in its place
// where there is something wrong with a message, and where it is what a client may
// say and the SDK would not hear.
func heard(w http.ResponseWriter, r *http.Request, body []byte) bool {
	body = bytes.TrimSpace(body)
	if r.Method != http.MethodPost || len(body) == 0 || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return true
	}
	m, f := judge(body)
	switch {
	case f != nil:
		answer(w, tools.Invalid.Status(), f)
		return false
	case m.unheard():
		w.WriteHeader(http.StatusAccepted)
		return false
	case m.unknown(r.Header.Get(headerID) != ""):
		status := http.StatusOK // the old era has no status for it
		if r.Header.Get("Mcp-Protocol-Version") >= handshakeless {
			status = tools.NotFound.Status()
		}
		answer(w, status, &fault{id: m.answerTo(), code: jsonrpc.CodeMethodNotFound, text: "there is no such method"})
		return false
	}
	return true
}

// answer answers with a fault.
func answer(w http.ResponseWriter, status int, f *fault) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(faultLine(f.id, f.code, f.text))
}

// personKey is where ServeHTTP leaves the user for the SDK, which binds a
// session to the one that opened it.
type personKey struct{}

func verified(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
	person, ok := ctx.Value(personKey{}).(string)
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: person}, nil
}

// caller is who is behind a request, by what came with it.
func (h *web) caller(extra *mcp.RequestExtra, meta mcp.Meta) (tools.Caller, error) {
	header := extra.Header
	who := tools.Who{Session: header.Get(headerSession), Folder: header.Get(headerFolder), Agent: header.Get(headerAgent)}
	if len(h.store.Settings().Users) == 0 {
		who.Person = header.Get(headerAs)
	} else if extra.TokenInfo != nil {
		who.Person = extra.TokenInfo.UserID
	}
	for key, into := range map[string]*string{metaSession: &who.Session, metaFolder: &who.Folder, metaAgent: &who.Agent} {
		if err := saidOf(meta, key, into); err != nil {
			return tools.Caller{}, err
		}
	}
	return h.store.Caller(who)
}

// saidOf reads a key of a call's _meta, where it is there.
func saidOf(meta mcp.Meta, key string, into *string) error {
	said, ok := meta[key]
	if !ok {
		return nil
	}
	text, ok := said.(string)
	if !ok {
		return &tools.Error{Code: tools.Invalid, Message: "_meta " + key + " must be a string."}
	}
	*into = text
	return nil
}
