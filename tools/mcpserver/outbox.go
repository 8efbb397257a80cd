package mcpserver

import (
	"io"
	"net"
	"net/http"

	"github.com/git-tasks/git-tasks/tools"
)

const maxName = 100 // bytes of a name that a client gives itself

// blockSize is how much of an answer goes out at once. Whoever stands before the
// handler may give each block a time of its own to be taken.
const blockSize = 64 << 10

// outbox is a ResponseWriter that takes an answer whole, so that what made it, and
// the copies that were made on the way, can go before the client reads.
type outbox struct {
	http.ResponseWriter
	blocks [][]byte
	length int
}

// Write takes a part of the answer, and never waits.
func (o *outbox) Write(part []byte) (int, error) {
	o.length += len(part)
	for rest := part; len(rest) > 0; {
		n := min(len(rest), blockSize)
		o.blocks = append(o.blocks, append(make([]byte, 0, n), rest[:n]...))
		rest = rest[n:]
	}
	return len(part), nil
}

// FlushError is asked by http.ResponseController; what is here goes out in the end.
func (o *outbox) FlushError() error { return nil }

// send sends the answer, and lets go of it block by block.
func (o *outbox) send(h *hold) {
	for len(o.blocks) > 0 {
		block := o.blocks[0]
		o.blocks[0], o.blocks = nil, o.blocks[1:]
		if _, err := o.ResponseWriter.Write(block); err != nil {
			return // nobody takes it
		}
		o.length -= len(block)
		h.written(o.length)
	}
}

// admit counts a request as its user's, and hands it on with an outbox for its
// answer. A stream has none: it is written to as long as its client reads.
func (h *web) admit(w http.ResponseWriter, r *http.Request, name string, next http.Handler) {
	hold, err := h.room.enter(name, IsStream(r))
	if err != nil {
		h.store.Log().Warn("a request was refused", "door", "mcp", "because", err, "from", r.RemoteAddr)
		busy(w, err)
		return
	}
	defer hold.leave()
	defer h.holds.keep(hold, r.Header)()
	if hold.stream {
		next.ServeHTTP(w, r)
		return
	}
	out := &outbox{ResponseWriter: w}
	next.ServeHTTP(out, r)
	r.Body = http.NoBody // what was read of it can go
	hold.written(out.length)
	out.send(hold)
}

// busy refuses a request that is too much at once.
func busy(w http.ResponseWriter, err error) {
	e := tools.AsError(err)
	w.Header().Set("Retry-After", "1")
	w.Header().Set("Connection", "close") // its body is not read
	http.Error(w, e.Message, e.Code.Status())
}

// IsStream reports whether an answer lasts as long as its client wants.
func IsStream(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// nameOf names whose request one is that has no user: where there are no users who
// it says it is, else where it comes from.
func nameOf(st *tools.Settings, r *http.Request) string {
	if len(st.Users) == 0 {
		as := r.Header.Get(headerAs)
		return "as " + as[:min(len(as), maxName)]
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return "from " + host
}

// arriving is a body that is counted as it comes.
type arriving struct {
	io.Reader
	hold *hold
	n    int
}

// Read reads on, unless what came is more than fits.
func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	a.n += n
	if full := a.hold.arrived(a.n); full != nil {
		return n, full
	}
	return n, err
}
