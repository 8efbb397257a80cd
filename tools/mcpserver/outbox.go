package mcpserver

import (
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"

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
	blocks   [][]byte
	length   int
	standIns []standIn
}

// standIn is a name that stands in an answer for a value, which takes its place in
// the outbox: the SDK, and JSON in it, would copy a large one five times over.
type standIn struct{ name, value []byte }

// Write takes a part of the answer, and never waits.
func (o *outbox) Write(part []byte) (int, error) {
	for rest := part; len(rest) > 0; {
		at, found := len(rest), standIn{}
		for _, one := range o.standIns {
			if i := bytes.Index(rest[:at], one.name); i >= 0 {
				at, found = i, one
			}
		}
		o.put(bytes.Clone(rest[:at]))
		o.put(found.value)
		rest = rest[at+len(found.name):]
	}
	return len(part), nil
}

// put takes what nobody changes any more.
func (o *outbox) put(data []byte) {
	o.length += len(data)
	o.blocks = slices.AppendSeq(o.blocks, slices.Chunk(data, blockSize))
}

// standFor gives names that stand for JSON values in the answer to a request, nil
// where that goes another way, or nowhere any more.
func (h *hold) standFor(values ...[]byte) (names []string) {
	if h == nil {
		return nil
	}
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.out == nil || h.over {
		return nil
	}
	for _, value := range values {
		name := rand.Text() // which nothing that stands in a record can be
		names = append(names, name)
		h.out.standIns = append(h.out.standIns, standIn{[]byte(strconv.Quote(name)), value})
	}
	return names
}

// FlushError is asked by http.ResponseController; what is here goes out in the end.
func (o *outbox) FlushError() error { return nil }

// send sends the answer, a block at a time.
func (o *outbox) send() {
	for _, block := range o.blocks {
		if _, err := o.ResponseWriter.Write(block); err != nil {
			return // nobody takes it
		}
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
	hold.out = out
	next.ServeHTTP(out, r)
	r.Body = http.NoBody // what was read of it can go
	hold.written(out.length)
	out.send()
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
