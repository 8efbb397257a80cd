package tools_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// countedOnce is a list whose calls are made by whom is said, with a key.
type countedOnce struct {
	t     *testing.T
	dir   string
	clock *toolstest.Clock
	store *tools.Store
}

func newCountedOnce(t *testing.T) *countedOnce {
	t.Helper()
	c := &countedOnce{t: t, dir: repotest.New(t), clock: toolstest.NewClock()}
	c.store = toolstest.Open(t, tools.Config{Path: c.dir, Now: c.clock.Now})
	return c
}

func (c *countedOnce) call(who tools.Who, tool, input string) (tools.Answer, error) {
	c.t.Helper()
	caller, err := c.store.Caller(who)
	if err != nil {
		c.t.Fatal(err)
	}
	return tools.Call(c.t.Context(), c.store, caller, tool, json.RawMessage(input))
}

// gets makes a call that must be answered so, and gives its commit.
func (c *countedOnce) gets(who tools.Who, tool, input, want string) string {
	c.t.Helper()
	a, err := c.call(who, tool, input)
	if err != nil || a.Text != want {
		c.t.Fatalf("%s %s: %q, %v, want %q", tool, input, a.Text, err, want)
	}
	return a.Commit
}

func (c *countedOnce) refused(who tools.Who, tool, input, want string) {
	c.t.Helper()
	if a, err := c.call(who, tool, input); err == nil || err.Error() != want {
		c.t.Errorf("%s %s: %q, %v, want %q", tool, input, a.Text, err, want)
	}
}

var (
	inOne  = tools.Who{Person: "ana", Session: "one"}
	inTwo  = tools.Who{Person: "ana", Session: "two"}
	inNone = tools.Who{Person: "ana"}
)

func TestQueueCreateTwiceIsOneTask(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	const input = `{"title":"A","labels":["x"],"idempotencyKey":"k 1"}`
	first := c.gets(inOne, "task_add", input, "t1 todo medium A")
	for _, same := range []string{input, `{"idempotencyKey":"k 1", "labels" : ["x"],"note":null,"title":"\u0041","unknown":1}`} {
		if again := c.gets(inOne, "task_add", same, "t1 todo medium A"); again != first {
			t.Errorf("%s is answered with %s, want %s", same, again, first)
		}
	}
	// Whatever has changed since: the answer is the first.
	c.gets(inOne, "task_set", `{"task":"t1","title":"B"}`, "t1 todo medium B")
	c.gets(inOne, "task_add", input, "t1 todo medium A")
	c.gets(inOne, "task_remove", `{"task":"t1","idempotencyKey":"gone"}`, "t1 todo medium B")
	c.gets(inOne, "task_add", input, "t1 todo medium A")
	c.gets(inOne, "task_remove", `{"task":"t1","idempotencyKey":"gone"}`, "t1 todo medium B")
	// A restart keeps it, and so does a clone.
	c.store = toolstest.Again(t, tools.Config{Path: c.dir, Now: c.clock.Now})
	if again := c.gets(inOne, "task_add", input, "t1 todo medium A"); again != first {
		t.Errorf("after a restart it is %s", again)
	}
	const conflict = "conflict: idempotencyKey was used for another input."
	c.refused(inOne, "task_add", `{"title":"C","idempotencyKey":"k 1"}`, conflict)
	c.refused(inOne, "task_set", `{"task":"t1","idempotencyKey":"k 1"}`, conflict)
	// Another caller has keys of their own.
	c.gets(inTwo, "task_add", input, "t2 todo medium A")
	c.gets(inNone, "task_add", input, "t3 todo medium A")
	c.gets(tools.Who{Person: "bob"}, "task_add", input, "t4 todo medium A")
	c.gets(tools.Who{Person: "bob", Session: "one"}, "task_add", input, "t5 todo medium A")
	// However the session is spelled, and whatever of it a commit can say.
	c.gets(tools.Who{Person: "bob", Session: "ahp-session:///one"}, "task_add", input, "t5 todo medium A")
	for range 2 {
		c.gets(tools.Who{Person: "bob", Session: "a\tb \n"}, "task_add", input, "t6 todo medium A")
	}
	// A client of MCP that is started anew is in another session of its own.
	for range 2 {
		c.gets(tools.Who{Person: "bob", Session: c.store.OwnSession("mcp")}, "task_add", input, "t7 todo medium A")
	}
	c.gets(inNone, "task_add", input, "t3 todo medium A")
	c.clock.Pass(59 * time.Minute)
	c.gets(inNone, "task_add", input, "t3 todo medium A")
	c.clock.Pass(2 * time.Minute) // the window is over
	c.gets(inNone, "task_add", input, "t8 todo medium A")
}

func TestQueueRefusedCallsKeepNoKey(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	c.gets(inNone, "task_add", `{"title":"A"}`, "t1 todo medium A")
	const input = `{"title":"B","parent":"t2","idempotencyKey":"k"}`
	c.refused(inNone, "task_add", input, "Invalid task_add input: parent must match the id of a known task (see task_list).")
	c.gets(inNone, "task_add", `{"title":"C"}`, "t2 todo medium C")
	c.gets(inNone, "task_add", input, "t3 todo medium B")
	// Nor does one that changes nothing.
	c.gets(inNone, "task_set", `{"task":"t1","title":"A","idempotencyKey":"same"}`, "t1 todo medium A")
	c.gets(inNone, "task_set", `{"task":"t1","title":"D","idempotencyKey":"same"}`, "t1 todo medium D")
	for _, key := range []string{`""`, `" x"`, `"a\nb"`, `"` + strings.Repeat("x", 201) + `"`, `7`, `"\u202e"`} {
		c.refused(inNone, "task_add", `{"title":"E","idempotencyKey":`+key+`}`, "Invalid task_add input: idempotencyKey must be one line of at most 200 bytes.")
	}
}

func TestQueueClaimAgainGivesTheSameTask(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	c.gets(inNone, "task_add", `{"title":"A"}`, "t1 todo medium A")
	c.gets(inNone, "task_add", `{"title":"B"}`, "t2 todo medium B")
	const next = `{"next":true,"idempotencyKey":"k"}`
	first := c.gets(inOne, "task_claim", next, "t1 doing medium A")
	if again := c.gets(inOne, "task_claim", next, "t1 doing medium A"); again != first {
		t.Errorf("the second is %s", again)
	}
	c.gets(inTwo, "task_claim", next, "t2 doing medium B")
	c.gets(inNone, "task_claim", next, "No task is ready.")
}

// Many at once: one of them is made, and all get its answer.
func TestQueueSameCallAtOnce(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if a, err := c.call(inOne, "task_add", `{"title":"A","idempotencyKey":"k"}`); err != nil || a.Text != "t1 todo medium A" {
				t.Errorf("%q, %v", a.Text, err)
			}
		})
	}
	wg.Wait()
	c.gets(inOne, "task_list", `{}`, "t1 todo medium A")
}

func TestQueueAnswersNameTheCommitTheyReplace(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	last := c.gets(inOne, "task_add", `{"title":"A"}`, "t1 todo medium A")
	for _, call := range [][2]string{
		{"task_claim", `{"task":"t1","idempotencyKey":"k"}`}, {"task_release", `{"task":"t1"}`},
		{"task_set", `{"task":"t1","note":"x"}`}, {"task_remove", `{"task":"t1"}`},
	} {
		a, err := c.call(inOne, call[0], call[1])
		if err != nil || a.Replaced != last || a.Commit == "" {
			t.Fatalf("%s: %+v, %v, want %s replaced", call[0], a, err, last)
		}
		last = a.Commit
	}
	if a, err := c.call(inOne, "task_claim", `{"task":"t1","idempotencyKey":"k"}`); err != nil || a.Replaced == "" || a.Text != "t1 doing medium A" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestQueueIfCommit(t *testing.T) {
	t.Parallel()
	c := newCountedOnce(t)
	first := c.gets(inOne, "task_add", `{"title":"A"}`, "t1 todo medium A")
	c.gets(inOne, "task_add", `{"title":"B"}`, "t2 todo medium B")
	second := c.gets(inOne, "task_set", `{"task":"t1","note":"x","ifCommit":"`+first+`"}`, "t1 todo medium A")
	c.gets(inOne, "task_set", `{"task":"t2","note":"x"}`, "t2 todo medium B")
	c.refused(inOne, "task_set", `{"task":"t1","note":"y","ifCommit":"`+first+`"}`, "conflict: t1 changed in "+second+" after "+first+".")
	c.gets(inOne, "task_set", `{"task":"t1","note":"y","ifCommit":"`+second[:12]+`"}`, "t1 todo medium A")
	for _, bad := range []string{"nope", "../x", strings.Repeat("0", 39) + "1"} {
		c.refused(inOne, "task_set", `{"task":"t1","ifCommit":"`+bad+`"}`, "Invalid task_set input: ifCommit must be a commit of the list.")
	}
}
