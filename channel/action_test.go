package channel_test

import (
	"slices"
	"testing"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestActions: what each sort of commit comes to, on which channels and in which
// order.
func TestActions(t *testing.T) {
	t.Parallel()
	w := newLawless(t)
	call := func(tool, input string) func() { return func() { w.call(t, tool, input) } }
	put := func(files ...repo.File) func() { return func() { w.commit(t, repo.ID{}, files...) } }
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"a plan", call("plan_create", `{"title":"One"}`), []string{"p1 set"}},
		{"another", call("plan_create", `{"title":"Two"}`), []string{"p2 set"}},
		{"Case109 an add", call("task_add", `{"title":"A","plan":"p1"}`), []string{"p1 taskAdded t1"}},
		{"Case109 a note", call("task_set", `{"task":"t1","note":"half way"}`), []string{"p1 taskSet t1"}},
		{"Case109 a plan's title", call("plan_set", `{"plan":"p1","title":"Uno"}`), []string{"p1 set"}},
		{"Case110 a move", call("task_set", `{"task":"t1","plan":"p2"}`), []string{"p1 taskRemoved t1, p2 taskAdded t1"}},
		{"Case111 to none", call("task_set", `{"task":"t1","plan":""}`), []string{"p2 taskRemoved t1"}},
		{"of no plan", call("task_set", `{"task":"t1","note":"alone"}`), nil},
		{"none to one", call("task_set", `{"task":"t1","plan":"p1"}`), []string{"p1 taskAdded t1"}},
		{"Case112 a hand edit", put(task("t1", "B", "p1")), []string{"p1 taskSet t1"}},
		{"nothing new", put(repo.File{Path: "README.md", Data: []byte("x")}), nil},
		{"A9 conflict markers", put(broken("t1")), []string{"p1 taskRemoved t1"}},
		{"A9 mended", put(task("t1", "B", "p1")), []string{"p1 taskAdded t1"}},
		{"broken and moved", func() {
			put(broken("t1"))()
			put(task("t1", "B", "p2"))()
		}, []string{"p1 taskRemoved t1", "p2 taskAdded t1"}},
		{"several at once", put(task("t10", "J", "p1"), task("t9", "I", "p1"), task("t1", "B", "p1"), plan("p1", "Un"), plan("p2", "Deux")),
			[]string{"p2 taskRemoved t1, p1 set, p2 set, p1 taskAdded t1, p1 taskAdded t9, p1 taskAdded t10"}},
		{"a plan that cannot be read", put(broken("p1")), []string{"p1 taskRemoved t1, p1 taskRemoved t9, p1 taskRemoved t10"}},
		{"its tasks meanwhile", put(task("t9", "changed", "p1"), gone("t10")), nil},
		{"one that leaves it", put(task("t1", "B", "p2")), []string{"p2 taskAdded t1"}},
		{"and is mended", put(plan("p1", "Un")), []string{"p1 set, p1 taskAdded t9"}},
		{"removed, with a task that moves", put(gone("p1"), task("t9", "I", "p2")), []string{"p1 taskRemoved t9, p2 taskAdded t9"}},
		{"Case113 a sweep", put(gone("p2"), gone("t1"), gone("t9")), []string{"p2 taskRemoved t1, p2 taskRemoved t9"}},
		{"a task of no plan that there is", put(task("t11", "K", "p7"), task("t12", "L", "elsewhere")), nil},
		{"its plan", put(plan("p7", "Sept")), []string{"p7 set, p7 taskAdded t11"}},
	} {
		w.since(t)
		step.do()
		if got := w.since(t); !slices.Equal(got, step.want) {
			t.Errorf("%s: %q, want %q", step.name, got, step.want)
		}
	}
}

// TestActionsOfMerge: a merge says what it did to the branch, against its first
// parent.
func TestActionsOfMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base := w.commit(t, repo.ID{}, plan("p1", "One"), task("t1", "A", "p1"))
	side := w.commit(t, repo.ID{}, task("t1", "side", "p1"), task("t2", "B", "p1"))
	repotest.Git(t, w.dir, "update-ref", branch, base.String())
	w.commit(t, repo.ID{}, task("t3", "C", "p1"))
	w.since(t)
	w.commit(t, side, task("t1", "merged", "p1"), task("t2", "B", "p1"))
	if got := w.since(t); !slices.Equal(got, []string{"p1 taskSet t1, p1 taskAdded t2"}) {
		t.Errorf("the merge came to %q", got)
	}
}

// TestActionsOfLineEnds: line ends are \n on the channel, so a commit that
// changes those alone is nothing to a client.
func TestActionsOfLineEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := func(end string) repo.File {
		return repo.File{Path: records.PathOf("t1"), Data: []byte("---" + end + "id: t1" + end + `title: 'a\r\n'` + end + "status: todo" + end +
			"plan: p1" + end + "---" + end + end + "one" + end + `\r two` + end)}
	}
	states := func() string {
		book, _, err := w.store.Book()
		if err != nil {
			t.Fatal(err)
		}
		state, err := channel.Snapshot(book, "p1")
		if err != nil {
			t.Fatal(err)
		}
		return document(t, state)
	}
	w.commit(t, repo.ID{}, plan("p1", "One"), file("\r\n"))
	w.since(t)
	before := states()
	w.commit(t, repo.ID{}, file("\n"))
	if got := w.since(t); got != nil {
		t.Errorf("other line ends came to %q", got)
	}
	if after := states(); after != before {
		t.Errorf("the state is %s, and was %s", after, before)
	}
	const want = `{"plan":{"id":"p1","scope":{"kind":"bot","bot":"b"},"title":"One","status":"active"},"tasks":[` +
		`{"id":"t1","title":"a\\r\\n","status":"todo","plan":"p1","body":"one\n\\r two"}]}`
	if before != want {
		t.Errorf("the state is\n%s\nwant\n%s", before, want)
	}
}

// TestWire: what an action and a state look like.
func TestWire(t *testing.T) {
	t.Parallel()
	one, a := &records.Plan{ID: "p1", Title: "One", Goal: "All\r\nof it"}, &records.Task{ID: "t1", Title: "A", Plan: "p1"}
	for _, c := range []struct {
		value any
		want  string
	}{
		{channel.Action{On: "p1", Type: channel.TaskAdded, Task: a}, `{"type":"x-ahpd-plans/taskAdded","task":{"id":"t1","title":"A","plan":"p1"}}`},
		{channel.Action{On: "p1", Type: channel.TaskSet, Task: a}, `{"type":"x-ahpd-plans/taskSet","task":{"id":"t1","title":"A","plan":"p1"}}`},
		{channel.Action{On: "p1", Type: channel.TaskRemoved, TaskID: "t1"}, `{"type":"x-ahpd-plans/taskRemoved","taskId":"t1"}`},
		{channel.Action{On: "p1", Type: channel.PlanSet, Plan: one},
			`{"type":"x-ahpd-plans/set","plan":{"id":"p1","scope":{"kind":""},"title":"One","goal":"All\nof it"}}`},
		{channel.State{Plan: one}, `{"plan":{"id":"p1","scope":{"kind":""},"title":"One","goal":"All\nof it"},"tasks":[]}`},
	} {
		if got := document(t, c.value); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
