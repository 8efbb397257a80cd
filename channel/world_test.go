package channel_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/channel"
	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

const branch = "refs/heads/main"

// full says that every test runs whole.
var full = os.Getenv("GIT_TASKS_TEST_FULL") == "1"

func TestMain(m *testing.M) {
	flag.Parse()
	if !full {
		flag.Set("rapid.checks", "5") // there is such a flag where rapid is linked
	}
	os.Exit(m.Run())
}

// fataler is a test, or a run of one.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// world is a list that tools change, and eve beside them.
type world struct {
	dir   string
	store *tools.Store
	clock *toolstest.Clock
	eve   *repo.Repo // commits as another program does
	told  repo.ID    // the last commit that actions were asked of
}

// newWorld gives one whose list is checked when the test ends.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := newLawless(t)
	t.Cleanup(func() { toolstest.Check(t, w.store) })
	return w
}

// newLawless gives one in which eve may take stamps out, break files or rewind the
// branch, which a check would name.
func newLawless(t testing.TB) *world {
	t.Helper()
	dir, clock := repotest.New(t), toolstest.NewClock()
	return &world{dir: dir, store: toolstest.Again(t, tools.Config{Path: dir, Now: clock.Now}), clock: clock,
		eve: repotest.Open(t, dir, repo.Options{Committer: repo.Person{Name: "eve", Mail: "eve@example.org"}})}
}

// call calls a tool as ana.
func (w *world) call(t fataler, tool, input string) tools.Answer {
	t.Helper()
	ana, err := w.store.Caller(tools.Who{Person: "ana", Folder: "/srv/work"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tools.Call(context.Background(), w.store, ana, tool, json.RawMessage(input))
	if err != nil {
		t.Fatalf("%s %s: %v", tool, input, err)
	}
	return answer
}

// commit commits files as eve; merge, where it is not zero, is its second parent.
func (w *world) commit(t fataler, merge repo.ID, files ...repo.File) repo.ID {
	t.Helper()
	receipt, err := w.eve.Update(context.Background(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
		return []repo.Proposal{{Author: repo.Person{Name: "eve", Mail: "eve@example.org"},
			Message: repo.Message{Subject: "by hand"}, Files: files, Merge: merge}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return receipt.Commits[0]
}

// task is a task's file, in a plan where one is named.
func task(id, title, plan string) repo.File {
	text := "---\nid: " + id + "\ntitle: " + title + "\nstatus: todo\n"
	if plan != "" {
		text += "plan: " + plan + "\n"
	}
	return repo.File{Path: records.PathOf(id), Data: []byte(text + "---\n")}
}

// plan is a plan's file.
func plan(id, title string) repo.File {
	return repo.File{Path: records.PathOf(id), Data: []byte("---\nid: " + id + "\nscope:\n  kind: bot\n  bot: b\ntitle: " + title + "\nstatus: active\n---\n")}
}

// broken is a file that is no record, gone one that is not there.
func broken(id string) repo.File {
	return repo.File{Path: records.PathOf(id), Data: []byte("<<<<<<< HEAD\n")}
}
func gone(id string) repo.File { return repo.File{Path: records.PathOf(id)} }

// since gives the actions of every commit since the last time, a string for each
// commit that has any: "p1 taskAdded t1, p1 set".
func (w *world) since(t fataler) []string {
	t.Helper()
	feed, err := w.store.Feed(w.told)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for m, err := range feed.Moves() {
		if err != nil {
			t.Fatal(err)
		}
		actions, err := channel.Actions(m)
		if err != nil {
			t.Fatal(err)
		}
		if len(actions) > 0 {
			all = append(all, short(actions))
		}
	}
	w.told, _ = feed.At()
	return all
}

// short says what actions are.
func short(actions []channel.Action) string {
	said := make([]string, len(actions))
	for i, a := range actions {
		said[i] = a.On + " " + strings.TrimPrefix(string(a.Type), "x-ahpd-plans/")
		switch {
		case a.Task != nil:
			said[i] += " " + a.Task.ID
		case a.TaskID != "":
			said[i] += " " + a.TaskID
		}
	}
	return strings.Join(said, ", ")
}

// document gives a value as it is sent.
func document(t fataler, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
