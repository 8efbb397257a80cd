package channel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/tools"
)

// drawn is a host that writes down what it is told.
type drawn struct {
	offers map[string]channel.Offer
	owners map[string]string
	said   []string
}

func (d *drawn) RegisterTool(o channel.Offer) { d.offers[o.Name] = o }

func (d *drawn) Session(session string) (owner, title string) { return d.owners[session], "" }

func (d *drawn) ReportMeta(session, key string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	d.said = append(d.said, fmt.Sprintf("%s %s %s", session, key, data))
}

func (d *drawn) DrawCall(c channel.Call) {
	d.said = append(d.said, fmt.Sprintf("%s %s %s %s: %s", c.Session, c.Turn, c.ID, c.State, strings.Join(c.Lines, ", ")))
}

// TestCase98TodoCall plays the cases of the call and of the open count, 98 to 106,
// through a host.
func TestCase98TodoCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	host := &drawn{offers: map[string]channel.Offer{}}
	p := channel.Attach(newHub(t, w), host)
	call := func(tool, input string) func() {
		return func() {
			_, err := host.offers[tool].Run(t.Context(), tools.Who{Person: "ana", Session: "one"}, json.RawMessage(input))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"Case105 no tasks, no key", call("plan_create", `{"title":"Mine","scope":{"kind":"session","session":"one"}}`), nil},
		{"Case101 a turn without a change", func() { p.StartTurn("one", "a"); p.EndTurn("ahp-session:/one", "a") }, nil},
		{"a turn", func() { p.StartTurn("ahp-session:/one", "b") }, nil},
		{"Case98 its first change", call("task_add", `{"title":"A","plan":"p1"}`),
			[]string{"one b tasks-b open: - [ ] A", `one ahpd.tasks {"open":1}`}},
		{"Case98 its second", call("task_add", `{"title":"B"}`),
			[]string{"one b tasks-b changed: - [ ] A, - [ ] B", `one ahpd.tasks {"open":2}`}},
		{"Case104 a title", call("task_set", `{"task":"t2","title":"B2"}`), []string{"one b tasks-b changed: - [ ] A, - [ ] B2"}},
		{"Case103 one done", call("task_set", `{"task":"t1","status":"done"}`),
			[]string{"one b tasks-b changed: - [x] A, - [ ] B2", `one ahpd.tasks {"open":1}`}},
		{"Case99 the end", func() { p.EndTurn("one", "b") }, []string{"one b tasks-b done: - [x] A, - [ ] B2"}},
		{"twice", func() { p.EndTurn("one", "b") }, nil},
		{"Case106 review is open", call("task_set", `{"task":"t2","status":"review"}`), nil},
		{"Case106 and so is blocked", call("task_set", `{"task":"t2","status":"blocked"}`), nil},
		{"Case100 dropped is not ticked", func() {
			p.StartTurn("one", "c")
			call("task_set", `{"task":"t2","status":"dropped"}`)()
		}, []string{`one ahpd.tasks {"open":1}`, "one c tasks-c open: - [x] A, - [ ] B2", `one ahpd.tasks {"open":0}`}},
		{"the same turn again", func() { p.StartTurn("one", "c") }, []string{`one ahpd.tasks {"open":0}`}},
		{"another turn ends it", func() { p.StartTurn("one", "d") },
			[]string{"one c tasks-c done: - [x] A, - [ ] B2", `one ahpd.tasks {"open":0}`}},
		{"a commit of another program", func() { w.commit(t, repo.ID{}, task("t7", `"\e]0;x\a"`, "p1")); p.EndTurn("one", "d") },
			[]string{`one d tasks-d open: - [x] A, - [ ] B2, - [ ] \x1b]0;x\x07`, `one ahpd.tasks {"open":1}`,
				`one d tasks-d done: - [x] A, - [ ] B2, - [ ] \x1b]0;x\x07`}},
		{"all of it goes", func() { w.commit(t, repo.ID{}, gone("t1"), gone("t2"), gone("t7")); p.EndTurn("", "") }, []string{"one ahpd.tasks null"}},
	} {
		host.said = nil
		step.do()
		if !slices.Equal(host.said, step.want) {
			t.Errorf("%s:\n got %q\nwant %q", step.name, host.said, step.want)
		}
	}
}

// TestHostSaysWhoseASessionIs: the owner that a host names is whose the calls are.
func TestHostSaysWhoseASessionIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	host := &drawn{offers: map[string]channel.Offer{}, owners: map[string]string{"one": "user:ana"}}
	channel.Attach(newHub(t, w), host)
	if len(host.offers) != len(tools.All()) {
		t.Errorf("it was offered %d tools", len(host.offers))
	}
	for session, want := range map[string]string{"one": "ana", "two": "host", "": "host"} {
		_, err := host.offers["task_add"].Run(context.Background(), tools.Who{Session: session}, json.RawMessage(`{"title":"A"}`))
		if err != nil {
			t.Fatal(err)
		}
		history, err := w.store.History("")
		if err != nil {
			t.Fatal(err)
		}
		if got := history[0].By; got != want {
			t.Errorf("a call in session %q is by %q, want %q", session, got, want)
		}
	}
}
