package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestTranscriptsOverHTTP plays the transcripts of testdata/http against
// Handler. They have the form of those of [TestTranscripts], but for
//
//	! NAME: VALUE         a header of every request from now on
//	> POST {…}            a request; what it is answered with follows, whole
//	> POST as first {…}   a request that is left open, as is GET as updates
//	. first               the test waits for the next thing to come on it
//	< 200 text/…          its status, then each message, then "the end"
//	! first is dropped    the client closes its connection
//	! an update is told   the test waits until the server has written another one
//
// A request's Mcp-Method and Mcp-Name are set as its body has them. Nothing is
// read of what is left open until it is waited for: such a client is slow.
func TestTranscriptsOverHTTP(t *testing.T) {
	t.Parallel()
	toolstest.Transcripts(t, "testdata/http/*.txtar", *update, func(t *testing.T, file []byte) []byte {
		a := txtar.Parse(file)
		wireOf(t, a).Data = []byte(playHTTP(t, a))
		return txtar.Format(a)
	})
}

// webTranscript is one that is being played over HTTP.
type webTranscript struct {
	*transcript
	url     string
	header  http.Header
	session string
	open    map[string]*exchange
	over    sync.Map // by the number of an exchange: a channel that its end on the server closes
	sent    int
	updates chan struct{} // holds one for each update that the server has written
}

// telling is a ResponseWriter that counts the updates which the server writes.
type telling struct {
	http.ResponseWriter
	updates chan<- struct{}
}

func (w telling) Write(data []byte) (int, error) {
	n, err := w.ResponseWriter.Write(data)
	for range bytes.Count(data, []byte(`"notifications/resources/updated"`)) {
		w.updates <- struct{}{}
	}
	return n, err
}

// Unwrap lets an http.ResponseController flush what was written.
func (w telling) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// headerExchange numbers the requests of a transcript.
const headerExchange = "X-Exchange"

// exchange is a request that was left open.
type exchange struct {
	answered chan *http.Response
	drop     context.CancelFunc
	body     *bufio.Reader // once the status was told
	resp     *http.Response
	over     chan struct{} // closed when the server is through with it
}

func playHTTP(t *testing.T, a *txtar.Archive) string {
	p := &webTranscript{transcript: &transcript{t: t, dir: repotest.New(t), door: newDoor()},
		header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Git-Tasks-As": {"ana"}},
		open:   map[string]*exchange{}, updates: make(chan struct{}, 64)}
	wire := p.transcript.open(a)
	p.url = hostedBehind(t, p.store, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if over, ok := p.over.Load(r.Header.Get(headerExchange)); ok {
				defer close(over.(chan struct{}))
			}
			h.ServeHTTP(telling{w, p.updates}, r)
		})
	})
	var b strings.Builder
	for line := range strings.Lines(wire) {
		if strings.HasPrefix(line, "<") {
			continue
		}
		b.WriteString(line)
		line = strings.TrimSuffix(line, "\n")
		switch mark, rest, _ := strings.Cut(line, " "); mark {
		case ">":
			b.WriteString(p.request(rest))
		case ".":
			b.WriteString(p.next(p.open[rest]))
		case "!":
			p.occurs(rest)
		}
	}
	for _, x := range p.open {
		x.drop()
	}
	return b.String()
}

var setsHeader = regexp.MustCompile(`^([A-Z][A-Za-z-]+): ?(.*)$`)

// occurs brings about what no request can.
func (p *webTranscript) occurs(what string) {
	name, dropped := strings.CutSuffix(what, " is dropped")
	switch m := setsHeader.FindStringSubmatch(what); {
	case m != nil && m[2] == "":
		p.header.Del(m[1])
	case m != nil:
		p.header.Set(m[1], m[2])
	case dropped:
		p.open[name].drop()
		if p.open[name].resp != nil {
			<-p.open[name].over // the server has seen it, and lets another in
		} else {
			<-p.open[name].answered // or its error
		}
		delete(p.open, name)
	case what == "an update is told": // two that nobody waits between may be told as one
		<-p.updates
	case what == "the write has begun":
		<-p.door.held
	default:
		p.happens(what)
	}
}

// request sends one, and gives what it is answered with unless it is left open.
func (p *webTranscript) request(line string) string {
	method, rest, _ := strings.Cut(line, " ")
	name, body := "", rest
	if after, ok := strings.CutPrefix(rest, "as "); ok {
		name, body, _ = strings.Cut(after, " ")
	}
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	req, err := http.NewRequestWithContext(ctx, method, p.url, strings.NewReader(expanded(body)))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header = p.header.Clone()
	p.say(req.Header, body)
	x := &exchange{answered: make(chan *http.Response, 1), drop: cancel, over: make(chan struct{})}
	p.sent++
	number := strconv.Itoa(p.sent)
	p.over.Store(number, x.over)
	req.Header.Set(headerExchange, number)
	go func() {
		defer close(x.answered)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			x.answered <- resp
		}
	}()
	if name != "" {
		p.open[name] = x
		return ""
	}
	defer cancel()
	var b strings.Builder
	for {
		said := p.next(x)
		if said == "< the end\n" {
			return b.String()
		}
		b.WriteString(said)
	}
}

// say sets the headers that a client takes from what it sends.
func (p *webTranscript) say(h http.Header, body string) {
	if p.session != "" {
		h.Set("Mcp-Session-Id", p.session)
	}
	var said struct {
		Method string
		Params struct{ Name, URI string }
	}
	if h.Get("Mcp-Protocol-Version") < "2026" || json.Unmarshal([]byte(body), &said) != nil {
		return
	}
	h.Set("Mcp-Method", said.Method)
	if name := said.Params.Name + said.Params.URI; name != "" {
		h.Set("Mcp-Name", name)
	}
}

// next gives the next thing that comes on a request.
func (p *webTranscript) next(x *exchange) string {
	if x == nil {
		p.t.Fatal("a request of that name is not open")
	}
	if x.body == nil {
		x.resp = <-x.answered
		if x.resp == nil {
			return "< nothing\n"
		}
		x.body = bufio.NewReader(x.resp.Body)
		if id := x.resp.Header.Get("Mcp-Session-Id"); id != "" {
			p.session = id
		}
		return strings.TrimSuffix(fmt.Sprintf("< %d %s", x.resp.StatusCode, x.resp.Header.Get("Content-Type")), " ") + "\n"
	}
	events := strings.HasPrefix(x.resp.Header.Get("Content-Type"), "text/event-stream")
	for {
		line, err := x.body.ReadString('\n')
		data, isData := strings.CutPrefix(line, "data: ")
		if text := strings.TrimSpace(line); !events && text != "" {
			return "< " + p.settled(text) + "\n"
		}
		if events && isData {
			return "< " + p.settled(data)
		}
		if err != nil {
			x.resp.Body.Close()
			if errors.Is(err, io.EOF) {
				return "< the end\n"
			}
			return "< broken off\n"
		}
	}
}

func (p *webTranscript) settled(line string) string {
	if p.session != "" {
		line = strings.ReplaceAll(line, p.session, "SESSION")
	}
	return p.transcript.settled(line)
}
