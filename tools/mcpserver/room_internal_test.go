package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// unread is the ResponseWriter of a client that takes nothing until it is told to.
type unread struct {
	*httptest.ResponseRecorder
	settled chan<- struct{} // told when the answer comes, or is small and taken
	take    <-chan struct{}
	once    sync.Once
}

func (u *unread) Write(part []byte) (int, error) {
	if len(part) > blockSize {
		return 0, errors.New("a part is larger than a client has time for")
	}
	if len(part) == blockSize {
		u.once.Do(func() { u.settled <- struct{}{} })
		<-u.take
	}
	return u.ResponseRecorder.Write(part)
}

// big is a list whose answer is large: some tasks with a body of 100 KB each.
func big(t *testing.T, tasks int) *tools.Store {
	t.Helper()
	dir := repotest.New(t)
	plan := records.Plan{ID: "p1", Title: "P", Status: records.Draft, Scope: records.Scope{Kind: records.FolderScope, Folder: "/srv"}}
	files := []repo.File{{Path: records.PathOf("p1"), Data: plan.Encode()}}
	for i := range tasks {
		id := fmt.Sprintf("t%d", i+1)
		task := records.Task{ID: id, Title: "A", Status: records.Todo, Plan: "p1", Body: strings.Repeat("x", 100_000)}
		files = append(files, repo.File{Path: records.PathOf(id), Data: task.Encode()})
	}
	repotest.Foreign(t, dir, "refs/heads/main", "mia", "by hand", files...)
	return toolstest.Open(t, tools.Config{Path: dir})
}

// asked is a request of a client of 2026-07-28.
func asked(t *testing.T, as, method, name, params string) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}}}`))
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		headerAs: as, "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name, headerHold: "1"} { // the last one says nothing
		r.Header.Set(name, value)
	}
	return r
}

func askedList(t *testing.T, as string) *http.Request {
	return asked(t, as, "tools/call", "task_list", `"name":"task_list","arguments":{}`)
}

func askedPlan(t *testing.T, as string) *http.Request {
	return asked(t, as, "resources/read", planScheme+"p1", `"uri":"`+planScheme+`p1"`)
}

func askedAdd(t *testing.T, as, body string) *http.Request {
	return asked(t, as, "tools/call", "task_add", `"name":"task_add","arguments":{"title":"B","body":"`+body+`"}`)
}

// crowd is clients of one handler that take nothing.
type crowd struct {
	h       *web
	settled chan struct{}
	take    chan struct{}
	open    sync.WaitGroup
	answers []*unread
}

// ask has one client more ask, and returns when it is answered or its answer waits.
func (c *crowd) ask(r *http.Request) *unread {
	u := &unread{ResponseRecorder: httptest.NewRecorder(), settled: c.settled, take: c.take}
	c.answers = append(c.answers, u)
	c.open.Go(func() {
		c.h.ServeHTTP(u, r)
		u.once.Do(func() { c.settled <- struct{}{} })
	})
	<-c.settled
	return u
}

// answeredWhole reports whether more came than what goes out at once.
func answeredWhole(said string) bool {
	return len(said) >= blockSize || strings.HasSuffix(said, "\n\n")
}

// TestP28UnreadAnswers: what the host holds for clients that ask for much and read
// nothing is bounded, for each and in all; the next one is told what to do, and
// whoever asks for little is answered.
func TestP28UnreadAnswers(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := Handler(ctx, big(t, 5)).(*web)
	h.room.ofUser, h.room.ofAll = bytesOfUser/10, bytesOfAll/10 // as are the tasks
	c := &crowd{h: h, settled: make(chan struct{}), take: make(chan struct{})}
	for i := range 3 { // of 500 KB each
		u, last := c.ask([]*http.Request{askedList(t, "ana"), askedPlan(t, "ana")}[i%2]), i >= 1
		if said := u.Body.String(); last && !strings.Contains(said, " KiB of what you sent and asked for are under way; read the answers first") || !last && answeredWhole(said) {
			t.Fatalf("the answer %d of ana begins %.300q", i+1, said)
		}
	}
	if own := h.room.users["as ana"].bytes; own > h.room.ofUser {
		t.Errorf("the host holds %d bytes for ana, want %d at most", own, h.room.ofUser)
	}
	refused := 0
	for i := range 16 {
		if said := c.ask(askedList(t, fmt.Sprintf("user %d", i))).Body.String(); strings.Contains(said, `"code":"busy"`) && strings.Contains(said, "KiB are under way to all clients") {
			refused++
		} else if answeredWhole(said) {
			t.Errorf("user %d is told %.300q", i, said)
		}
	}
	if most := h.room.most; refused == 0 || refused == 16 || most > h.room.ofAll || most < h.room.ofAll-600<<10 {
		t.Errorf("the host held %d bytes at most, want %d; %d of 16 users were refused", most, h.room.ofAll, refused)
	}
	for _, as := range []string{"ana", "bob"} {
		if said := c.ask(askedAdd(t, as, "small")).Body.String(); !strings.Contains(said, "todo medium B") {
			t.Errorf("%s, who asks for little, is told %.300q", as, said)
		}
	}
	if u := c.ask(askedAdd(t, "eve", strings.Repeat("x", 1<<20))); u.Code != http.StatusTooManyRequests || !strings.HasPrefix(u.Body.String(), "busy: ") {
		t.Errorf("a large body of eve is answered %d %.300q", u.Code, u.Body)
	}
	close(c.take)
	c.open.Wait()
	if got := c.answers[0].Body.String(); strings.Count(got, "xxxxxxxxxx") < 50_000 || !strings.HasSuffix(got, "}}\n\n") {
		t.Errorf("the first answer has %d bytes, and ends %q", len(got), got[max(0, len(got)-20):])
	}
	if h.room.bytes != 0 || h.room.calls != 0 || len(h.room.users) != 0 || len(h.room.turns) != 0 {
		t.Errorf("when all is read there are %d bytes, %d calls, %d turns, %v under way", h.room.bytes, h.room.calls, len(h.room.turns), h.room.users)
	}
}

// TestP28CallsUnderWay: one user has so many calls under way, and all together;
// streams are not among them.
func TestP28CallsUnderWay(t *testing.T) {
	t.Parallel()
	r := newRoom()
	var holds []*hold
	enter := func(name string, stream bool) error {
		h, err := r.enter(name, stream)
		if err == nil {
			holds = append(holds, h)
		}
		return err
	}
	for user := range callsOfAll / callsOfUser {
		for range callsOfUser {
			if err := enter(fmt.Sprint(user), false); err != nil {
				t.Fatal(err)
			}
		}
		if err := enter(fmt.Sprint(user), false); err == nil || tools.AsError(err).Code != tools.Busy {
			t.Fatalf("one call more of a user: %v", err)
		}
	}
	if err := enter("ana", false); err == nil || err.Error() != "busy: 1024 calls are under way; ask again in a moment." {
		t.Errorf("one call more of all: %v", err)
	}
	if err := enter("ana", true); err != nil {
		t.Errorf("a stream: %v", err)
	}
	for _, h := range holds {
		h.leave()
	}
	if len(r.users) != 0 || r.calls != 0 {
		t.Errorf("%d calls and %v are left", r.calls, r.users)
	}
}

// TestTurns: the answers of one user are made one after the other, and another's
// meanwhile; whoever waits too long, or goes, waits no more; a call whose request has
// gone lets go of its turn when it is over.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom()
		enter := func(name string) *hold {
			h, err := r.enter(name, false)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		first, second, other := enter("ana"), enter("ana"), enter("bob")
		for _, h := range []*hold{first, first, other} { // a turn that one has is no second one
			if err := h.myTurn(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := second.myTurn(t.Context()); err == nil || tools.AsError(err).Code != tools.Busy || time.Since(began) != turnWait {
			t.Errorf("whoever waits too long: %v after %v", err, time.Since(began))
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		if err := second.myTurn(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("whoever goes: %v", err)
		}
		first.leave() // the request has gone, and with it the turn
		second.leave()
		late := enter("ana")
		late.written(0)
		if err := late.myTurn(t.Context()); err != nil { // a call that is carried out all the same
			t.Fatal(err)
		}
		late.called()
		late.leave()
		other.leave()
		if len(r.users)+len(r.turns) != 0 {
			t.Errorf("%v and %d turns are left", r.users, len(r.turns))
		}
	})
}

// TestPatientRoom: who is alone is refused nothing, and has one answer made at a time,
// as long as it takes until that is written.
func TestPatientRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRoom()
		r.patient = true
		var holds []*hold
		for range 3 * callsOfUser {
			h, err := r.enter("", false)
			if err != nil {
				t.Fatal(err)
			}
			holds = append(holds, h)
		}
		if err := holds[0].myTurn(t.Context()); err != nil {
			t.Fatal(err)
		}
		var errs []error
		went := make(chan error)
		for _, h := range holds[1:] {
			go func() {
				err := errors.Join(h.myTurn(t.Context()), h.made(2*bytesOfAll))
				h.called()
				h.leave()
				went <- err
			}()
		}
		<-time.After(time.Hour)
		select {
		case err := <-went:
			t.Errorf("another one had its turn: %v", err)
		default:
		}
		holds[0].leave()
		for range holds[1:] {
			errs = append(errs, <-went)
		}
		if err := errors.Join(errs...); err != nil || len(r.users)+len(r.turns) != 0 || r.bytes != 0 {
			t.Errorf("%v; %v, %d turns and %d bytes are left", err, r.users, len(r.turns), r.bytes)
		}
	})
}

// TestUntakenAnswerIsGivenUp: an answer whose client is cut off counts no more.
func TestUntakenAnswerIsGivenUp(t *testing.T) {
	t.Parallel()
	r := newRoom()
	h, err := r.enter("ana", false)
	if err != nil {
		t.Fatal(err)
	}
	c := &cutOff{}
	o := &outbox{ResponseWriter: c}
	o.Write(make([]byte, 1<<20))
	if h.written(o.length); r.bytes != 1<<20 {
		t.Errorf("%d bytes count before the client is cut off", r.bytes)
	}
	o.send()
	if h.leave(); r.bytes != 0 || c.tried != 1 {
		t.Errorf("%d bytes count, and %d blocks were tried", r.bytes, c.tried)
	}
}

// cutOff is the ResponseWriter of a client that had its time.
type cutOff struct {
	http.ResponseWriter
	tried int
}

func (c *cutOff) Write([]byte) (int, error) {
	c.tried++
	return 0, os.ErrDeadlineExceeded
}

// TestStandIns: values take the places of their names, in whatever order, and all
// else stays; a name that does not come is let be.
func TestStandIns(t *testing.T) {
	t.Parallel()
	o := &outbox{ResponseWriter: httptest.NewRecorder(), standIns: []standIn{
		{[]byte(`"B"`), []byte(`{"x":"\"A\""}`)}, {[]byte(`"A"`), []byte(strings.Repeat("a", 2*blockSize))}, {[]byte(`"C"`), nil}}}
	for _, part := range []string{`{"a":"A","b":"B","B`, `C":"A"}`} {
		if n, err := io.WriteString(o, part); n != len(part) || err != nil {
			t.Errorf("%d of %d bytes were taken, %v", n, len(part), err)
		}
	}
	long := strings.Repeat("a", 2*blockSize)
	want := `{"a":` + long + `,"b":{"x":"\"A\""},"BC":` + long + `}`
	if got := string(bytes.Join(o.blocks, nil)); got != want || o.length != len(want) {
		t.Errorf("%d bytes, want %d: %.300s", o.length, len(want), got)
	}
	for _, block := range o.blocks {
		if len(block) > blockSize {
			t.Errorf("a block has %d bytes", len(block))
		}
	}
}

// TestEncoded: an answer is encoded as encoding/json does it.
func TestEncoded(t *testing.T) {
	t.Parallel()
	task, plan := &records.Task{ID: "t1", Title: "<A> & \u2028", Body: "x\ny"}, &records.Plan{ID: "p1", Title: "P"}
	for _, a := range []tools.Answer{{Records: []any{}}, {Records: []any{task}, Commit: strings.Repeat("0a", 20)}, {Text: "x", Records: []any{plan, task, task}}} {
		want, err := json.Marshal(a)
		got, gotErr := encoded(a)
		if err != nil || gotErr != nil || string(got) != string(want) {
			t.Errorf("%s, %v, want %s, %v", got, gotErr, want, err)
		}
	}
}
