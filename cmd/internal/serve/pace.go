package serve

import (
	"io"
	"net/http"
	"time"
)

const (
	headerWait = 5 * time.Second  // for the header of a request
	bodyWait   = 30 * time.Second // for the rest of it
	partWait   = 30 * time.Second // for a part of an answer to be taken
	idleWait   = 2 * time.Minute  // for the next request of a connection
	maxHeader  = 64 << 10
)

// paced lifts the server's deadlines from what may take long, and sets others
// part by part: a body must have come in time, and each part of an answer must
// be taken in time, however long the whole lasts.
func paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.Body == nil || r.Body == http.NoBody {
			c.SetReadDeadline(time.Time{})
		} else {
			r.Body = &body{r.Body, c}
		}
		p := &part{w, c}
		next.ServeHTTP(p, r)
		p.due() // for the end of the answer
	})
}

// steady gives each part of a body its own time, for bodies that may be large: who
// sends nothing for half a minute is still cut off.
func steady(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &partBody{r.Body, http.NewResponseController(w)}
		}
		next.ServeHTTP(w, r)
	})
}

type partBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *partBody) Read(p []byte) (int, error) {
	b.conn.SetReadDeadline(time.Now().Add(bodyWait))
	return b.ReadCloser.Read(p)
}

// body ends the deadline of the server where the request ends: whoever waits for
// an answer sends nothing.
type body struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}

// part is a ResponseWriter that gives each part of an answer its own time.
type part struct {
	http.ResponseWriter
	conn *http.ResponseController
}

func (p *part) due() { p.conn.SetWriteDeadline(time.Now().Add(partWait)) }

// Write sends a part of the answer.
func (p *part) Write(data []byte) (int, error) {
	p.due()
	return p.ResponseWriter.Write(data)
}

// FlushError hands on what was written; http.ResponseController calls it.
func (p *part) FlushError() error {
	p.due()
	return p.conn.Flush()
}

// Unwrap gives the ResponseWriter to http.ResponseController.
func (p *part) Unwrap() http.ResponseWriter { return p.ResponseWriter }
