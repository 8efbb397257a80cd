package ahp_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/channel/ahp"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

var update = flag.Bool("update", false, "write what the server says into the transcripts")

// TestTranscripts plays every transcript against a server, over pairs. A transcript
// is what clients and the server say to each other, message by message as it stands
// on the wire; the name before a message is the client's, who connects with the
// first one:
//
//	-- wire --
//	a> a message of client a; then the test waits until the server is at rest
//	a< a message to it, or that it was closed
//	! something that happens: see [transcript.happens]
//	-- settings.json --
//	-- files/t7.md --
//	-- problems --
//	what a check says of the list in the end; without it the list is sound
//
// In a client's message «3×[» stands for [[[; in a server's, VERSION for that of
// the build, COMMIT for the id of a commit.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	toolstest.Transcripts(t, "testdata/*.txtar", *update, func(t *testing.T, file []byte) []byte {
		a := txtar.Parse(file)
		i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "wire" })
		var problems []string
		synctest.Test(t, func(t *testing.T) {
			var wire string
			wire, problems = play(t, a, string(a.Files[i].Data))
			a.Files[i].Data = []byte(wire)
		})
		a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "problems" })
		if len(problems) > 0 {
			text := commitName.ReplaceAllString(strings.Join(problems, "\n")+"\n", "$1 COMMIT")
			a.Files = append(a.Files, txtar.File{Name: "problems", Data: []byte(text)})
		}
		return txtar.Format(a)
	})
}

// transcript is one that is being played.
type transcript struct {
	t       *testing.T
	dir     string
	files   map[string][]byte
	clock   *toolstest.Clock
	store   *tools.Store
	moved   chan struct{}
	server  *ahp.Server
	stop    context.CancelFunc
	over    func()            // ends all of it, once
	person  map[string]string // of the clients that connect as somebody
	clients map[string]*pair
}

var spoken = regexp.MustCompile(`^([a-z]+)([<>]) ?(.*)$`)

// play gives the wire as it was in fact, and what a check says of the list then.
func play(t *testing.T, a *txtar.Archive, wire string) (was string, problems []string) {
	p := newTranscript(t, a.Files)
	defer p.over()
	var b strings.Builder
	for line := range strings.Lines(wire) {
		m := spoken.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		what, happens := strings.CutPrefix(line, "! ")
		switch {
		case m != nil && m[2] == "<":
			continue
		case m != nil:
			b.WriteString(line)
			p.client(m[1]).send([]byte(expanded(m[3])))
		case happens:
			b.WriteString(line)
			p.happens(strings.TrimSpace(what))
		default:
			b.WriteString(line)
			continue
		}
		b.WriteString(p.answers())
	}
	p.over()
	b.WriteString(p.answers())
	return b.String(), toolstest.Problems(t, p.store)
}

// newTranscript gives one whose host is started.
func newTranscript(t *testing.T, files []txtar.File) *transcript {
	t.Helper()
	p := &transcript{t: t, dir: repotest.New(t), files: map[string][]byte{}, clock: toolstest.NewClock(),
		person: map[string]string{}, clients: map[string]*pair{}}
	for _, f := range files {
		p.files[f.Name] = f.Data
	}
	p.store = toolstest.Again(t, tools.Config{Path: p.dir, Now: p.clock.Now, Settings: p.settings("settings.json")})
	p.start()
	p.over = sync.OnceFunc(func() {
		p.end()
		synctest.Wait()
	})
	return p
}

// end ends the host, and returns when its clients are gone.
func (p *transcript) end() {
	p.stop()
	p.server.Wait()
	close(p.moved)
}

// settings reads those of a file of the archive, nil where there is none.
func (p *transcript) settings(name string) *tools.Settings {
	if data, ok := p.files[name]; ok {
		return toolstest.Settings(p.t, data)
	}
	return nil
}

// start starts a host on the list.
func (p *transcript) start() {
	p.moved = make(chan struct{}, 1)
	hub, err := channel.NewHub(p.store, p.moved)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	if p.server, err = ahp.New(ctx, ahp.Config{Store: p.store, Hub: hub}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *transcript) client(name string) *pair {
	if p.clients[name] == nil {
		one := newPair()
		p.clients[name] = one
		go p.server.Serve(one, p.person[name])
	}
	return p.clients[name]
}

var (
	callOf  = regexp.MustCompile(`^(?:(\d+) times )?([a-z]+) calls ([a-z_]+) (\{.*\})$`)
	commits = regexp.MustCompile(`^([a-z]+) commits (.+)$`)
	reports = regexp.MustCompile(`^another process says that ([a-z]+) (ended|is called (.+))$`)
	does    = regexp.MustCompile(`^([a-z]+) (drops|stops reading|reads on|answers no ping|comes back|connects as ([a-z]+))$`)
)

// happens brings about what no message of a client can.
func (p *transcript) happens(what string) {
	call, commit, client := callOf.FindStringSubmatch(what), commits.FindStringSubmatch(what), does.FindStringSubmatch(what)
	report := reports.FindStringSubmatch(what)
	switch {
	case report != nil:
		known := tools.Session{Session: report[1], Title: report[3], Ended: report[2] == "ended"}
		if err := p.store.ReportSession(context.Background(), known); err != nil {
			p.t.Fatal(err)
		}
	case call != nil:
		n, _ := strconv.Atoi(call[1])
		for range max(n, 1) {
			p.call(call[2], call[3], call[4])
		}
	case commit != nil:
		p.commit(commit[1], strings.Fields(commit[2]))
	case client != nil:
		p.does(client[1], client[2], client[3])
	case what == "a minute passes":
		p.clock.Pass(time.Minute)
		<-time.After(time.Minute)
	case what == "claims that are over are taken back":
		if _, err := p.store.Reclaim(context.Background()); err != nil {
			p.t.Fatal(err)
		}
	case what == "little may wait for a client":
		p.server.SetLimit(2000)
	case what == "the settings change":
		p.store.Use(p.settings("new.json"))
		p.server.Judge()
	case what == "the host stops":
		p.stop()
	case what == "the host starts again":
		p.end()
		p.start()
	default:
		p.t.Fatalf("nobody knows how to make happen: %s", what)
	}
	p.moves()
}

// moves has the server look at the branch.
func (p *transcript) moves() {
	select {
	case p.moved <- struct{}{}:
	default:
	}
}

func (p *transcript) call(as, tool, input string) {
	caller, err := p.store.Caller(tools.Who{Person: as, Folder: "/srv/work"})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := tools.Call(context.Background(), p.store, caller, tool, json.RawMessage(input)); err != nil {
		p.t.Fatalf("%s %s: %v", tool, input, err)
	}
	p.moves()
	synctest.Wait()
}

// commit commits files of the archive by their ids: "t7", or "-t7" for its end.
func (p *transcript) commit(as string, ids []string) {
	var files []repo.File
	for _, id := range ids {
		bare, gone := strings.CutPrefix(id, "-")
		name, _, _ := strings.Cut(bare, "-") // one of several files of a record
		file := repo.File{Path: records.PathOf(name), Data: p.files["files/"+id+".md"]}
		if gone {
			file.Data = nil
		} else if file.Data == nil {
			p.t.Fatalf("there is no files/%s.md", id)
		}
		files = append(files, file)
	}
	repotest.Foreign(p.t, p.dir, "refs/heads/main", as, "by hand", files...)
}

func (p *transcript) does(client, what, as string) {
	switch {
	case as != "":
		p.person[client] = as
	case what == "drops":
		p.clients[client].drop()
	case what == "comes back":
		delete(p.clients, client)
	case what == "stops reading":
		<-p.client(client).reads
	case what == "reads on":
		p.clients[client].reads <- struct{}{}
	case what == "answers no ping":
		close(p.client(client).silent)
	}
}

// answers gives what the clients were sent once nothing moves any more.
func (p *transcript) answers() string {
	synctest.Wait()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.clients)) {
		for _, said := range p.clients[name].heard() {
			said = strings.ReplaceAll(said, `"version":`+strconv.Quote(tools.Version())+`}`, `"version":"VERSION"}`)
			said = commitID.ReplaceAllString(said, `"commit":"COMMIT"`)
			fmt.Fprintf(&b, "%s< %s\n", name, said)
		}
	}
	return b.String()
}

var (
	commitID   = regexp.MustCompile(`"commit":"[0-9a-f]{40}"`)
	commitName = regexp.MustCompile(`(commit|revert) [0-9a-f]{10}`)
)

var repeated = regexp.MustCompile(`«(\d+)×([^»]+)»`)

// expanded is a client's message as it goes out.
func expanded(line string) string {
	if line == "«no text»" {
		return "\x00"
	}
	return repeated.ReplaceAllStringFunc(line, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat(m[2], n)
	})
}
