package mcpserver_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/mcpserver"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

var update = flag.Bool("update", false, "write what the server says into the transcripts")

// TestTranscripts plays every transcript against Serve, over pipes. A
// transcript is what a client and the server say to each other, line by line as
// it stands on the wire, with the files that the list holds before:
//
//	-- wire --
//	> a line of the client; then the test waits until the server is at rest
//	< a line of the server
//	= what Serve returns in the end
//	! something that happens: see [transcript.happens]
//	-- tasks/t1.md --
//	-- settings.json --
//
// In a client's line «3×[» stands for [[[ and «\x00» for the byte; in a server's,
// VERSION for that of the build, TIP for the commit that the branch is at, EARLIER
// for one before it, LIST for the repository's folder and PROCESS for what tells
// processes apart.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	toolstest.Transcripts(t, "testdata/*.txtar", *update, func(t *testing.T, file []byte) []byte {
		a := txtar.Parse(file)
		wire := wireOf(t, a)
		synctest.Test(t, func(t *testing.T) { wire.Data = []byte(play(t, a)) })
		return txtar.Format(a)
	})
}

func wireOf(t *testing.T, a *txtar.Archive) *txtar.File {
	t.Helper()
	for i := range a.Files {
		if a.Files[i].Name == "wire" {
			return &a.Files[i]
		}
	}
	t.Fatal("there is no wire in it")
	return nil
}

// transcript is one that is being played.
type transcript struct {
	t      *testing.T
	dir    string
	store  *tools.Store
	who    tools.Who
	door   *door
	byHand bool // the list was begun by git, whose commits bear the time of day
	cancel context.CancelFunc
	in     io.WriteCloser // nil until the server is started
	ended  chan error
	reads  chan struct{} // holds one while the client reads

	mu   sync.Mutex
	said []string // by the server, not yet written down
}

// play gives the wire as it was in fact.
func play(t *testing.T, a *txtar.Archive) string {
	p := &transcript{t: t, dir: repotest.New(t), who: tools.Who{Person: "ana"}, door: newDoor()}
	wire := p.open(a)
	var b strings.Builder
	for line := range strings.Lines(wire) {
		switch {
		case strings.HasPrefix(line, "<"), strings.HasPrefix(line, "="):
			continue
		case strings.HasPrefix(line, ">"):
			b.WriteString(line)
			p.send(expanded(strings.TrimPrefix(strings.TrimSuffix(line[1:], "\n"), " ")))
		case strings.HasPrefix(line, "! "):
			b.WriteString(line)
			p.happens(strings.TrimSpace(line[2:]))
		default:
			b.WriteString(line)
			continue
		}
		b.WriteString(p.answers())
	}
	p.in.Close()
	synctest.Wait()
	b.WriteString(p.answers())
	fmt.Fprintf(&b, "= %v\n", <-p.ended)
	return b.String()
}

// open makes the list that the archive describes, and gives its wire.
func (p *transcript) open(a *txtar.Archive) (wire string) {
	cfg := tools.Config{Path: p.dir, Now: toolstest.NewClock().Now, Fault: p.door.fault}
	var files []repo.File
	for _, f := range a.Files {
		switch f.Name {
		case "wire":
			wire = string(f.Data)
		case "settings.json":
			cfg.Settings = toolstest.Settings(p.t, f.Data)
		default:
			files = append(files, repo.File{Path: f.Name, Data: f.Data})
		}
	}
	if p.byHand = len(files) > 0; p.byHand {
		repotest.Foreign(p.t, p.dir, "refs/heads/main", "mia", "by hand", files...)
	}
	p.store = toolstest.Open(p.t, cfg)
	return wire
}

// serve starts the server, as late as its first line.
func (p *transcript) serve() {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(p.t.Context())
	p.in, p.cancel, p.ended, p.reads = in, cancel, make(chan error, 1), make(chan struct{}, 1)
	p.reads <- struct{}{}
	p.t.Cleanup(cancel)
	go func() {
		p.ended <- mcpserver.Serve(ctx, p.store, mcpserver.Client{Who: p.who, Offered: tools.All()}, serverIn, serverOut)
	}()
	go func() {
		for lines := bufio.NewReader(out); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			<-p.reads
			p.reads <- struct{}{}
			p.mu.Lock()
			p.said = append(p.said, line)
			p.mu.Unlock()
		}
	}()
}

func (p *transcript) send(line string) {
	if p.in == nil {
		p.serve()
	}
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Errorf("sending %.80q: %v", line, err)
	}
}

// happens brings about what no line of the client can.
func (p *transcript) happens(what string) {
	switch name, whoever := strings.CutPrefix(what, "the process was started by "); {
	case whoever:
		p.who.Person, p.who.Session, _ = strings.Cut(name, " in session ")
	case what == "the next write is held up":
		p.door.shut.Store(true)
	case what == "it goes on":
		close(p.door.open)
	case what == "the disk fails":
		p.door.broken.Store(true)
	case what == "another program locks the branch":
		lock := filepath.Join(p.dir, "refs/heads/main.lock")
		if err := os.WriteFile(lock, nil, 0o644); err != nil {
			p.t.Error(err)
		}
		if err := os.Chtimes(lock, time.Now(), time.Now()); err != nil { // by the clock of the test
			p.t.Error(err)
		}
	case what == "it lets go":
		if err := os.Remove(filepath.Join(p.dir, "refs/heads/main.lock")); err != nil {
			p.t.Error(err)
		}
	case what == "too many others write": // a real wait for them is in the kernel, where no test's clock is
		p.door.busy.Store(true)
	case what == "they are done":
		p.door.busy.Store(false)
	case what == "a minute passes":
		<-time.After(time.Minute)
	case what == "the client stops reading":
		<-p.reads
	case what == "it reads on":
		p.reads <- struct{}{}
	case what == "the input ends":
		p.in.Close()
	case what == "the process is told to stop":
		p.cancel()
	default:
		p.t.Fatalf("nobody knows how to make happen: %s", what)
	}
}

// answers gives what the server has said once nothing moves any more.
func (p *transcript) answers() string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, line := range p.said {
		b.WriteString("< " + p.settled(line))
	}
	p.said = nil
	return b.String()
}

// settled puts words in place of what another run or machine would say
// otherwise.
func (p *transcript) settled(line string) string {
	_, tip, err := p.store.Book()
	if err != nil {
		p.t.Fatal(err)
	}
	if !tip.IsZero() {
		line = strings.ReplaceAll(line, tip.String(), "TIP")
	}
	line = commit.ReplaceAllString(line, `"commit":"EARLIER"`)
	if p.byHand {
		line = replaced.ReplaceAllString(line, `"replaced":"EARLIER"`)
	}
	line = strings.ReplaceAll(line, p.dir, "LIST")
	line = process.ReplaceAllString(line, "git-tasks.PROCESS.")
	return strings.ReplaceAll(line, `"version":`+strconv.Quote(tools.Version())+`}`, `"version":"VERSION"}`)
}

var (
	commit   = regexp.MustCompile(`"commit":"[0-9a-f]{40}"`)
	replaced = regexp.MustCompile(`"replaced":"[0-9a-f]{40}"`)
)

var process = regexp.MustCompile(`git-tasks\.\d+\.\d+\.`)

var short = regexp.MustCompile(`«(?:(\d+)×(.)|((?:\\x[0-9a-f]{2})+))»`)

// expanded is a client's line as it goes out.
func expanded(line string) string {
	return short.ReplaceAllStringFunc(line, func(s string) string {
		m := short.FindStringSubmatch(s)
		if m[3] == "" {
			n, _ := strconv.Atoi(m[1])
			return strings.Repeat(m[2], n)
		}
		raw, _ := strconv.Unquote(`"` + m[3] + `"`)
		return raw
	})
}

var errDisk = errors.New("the disk is on fire")
