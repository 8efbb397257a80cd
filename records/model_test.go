package records_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
)

// world is a repository as its door sees it: a tree that tools and strangers
// change in turn, the Book that follows it by changed files alone, and what the
// strangers did since the door last wrote.
type world struct {
	tree    tree
	book    *records.Book
	door    *records.Book // at the last commit of the door
	foreign []records.Foreign
	used    map[string]bool // every id that any file name ever spelled
}

// moves is how many changes one history of the model has.
func moves() int {
	if os.Getenv("GIT_TASKS_TEST_FULL") == "1" {
		return 150
	}
	return 15
}

// Whatever tools and strangers do, a Book that moved on by the changed files
// says what one made from scratch says, no id is ever minted twice, the gate
// finds nothing in our own moves, and the changes told add up to the tree.
func TestP12BookFollowsEveryHistory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{tree: tree{}, used: map[string]bool{}}
		w.book = w.tree.book()
		w.door = w.book
		listed(t, w.book)
		for range moves() {
			if rapid.IntRange(0, 2).Draw(t, "who") == 0 {
				w.stranger(t)
			} else {
				w.tool(t)
			}
		}
	})
}

// tool makes a call: first the follow-ups of what strangers did, then an edit.
func (w *world) tool(t *rapid.T) {
	ups, err := w.book.FollowUps(w.door, w.foreign)
	if err != nil {
		t.Fatal(err)
	}
	for _, up := range ups {
		w.write(t, records.Outcome{What: "add", IDs: up.IDs, Files: up.Files, Book: up.Book})
	}
	w.foreign, w.door = nil, w.book
	o, err := w.book.Apply(w.edit(t), records.Mark{By: "ana", At: noon}, records.Rules{})
	if err != nil {
		if _, refused := err.(*records.Refusal); !refused {
			t.Fatal(err)
		}
		return
	}
	w.write(t, o)
	w.door = w.book
}

// write is a commit of our own.
func (w *world) write(t *rapid.T, o records.Outcome) {
	paths := pathsOf(o.Files)
	faults, err := records.CheckRestore(w.book, o.Book, paths, restoredBy(o))
	if err != nil || len(faults) > 0 {
		t.Fatalf("the gate says %q, %v", texts(faults), err)
	}
	for _, id := range o.IDs {
		if o.What == "add" && w.used[id] {
			t.Fatalf("%s was minted although it was used", id)
		}
	}
	w.move(t, w.tree.with(o.Files), paths)
	same(t, "in memory", o.Book, w.book)
}

// move takes the tree to its next state and compares what all Books say of it.
func (w *world) move(t *rapid.T, next tree, paths []string) {
	old := w.book
	w.tree, w.book = next, w.book.Advance(next.fs(), paths)
	for path := range next {
		if id := idOf(path); id != "" {
			w.used[id] = true
		}
	}
	scratch := next.book()
	same(t, "by advance", w.book, scratch)
	lazy := next.book()
	for _, id := range []string{"t1", "t2", "t3", "t150", "p1", "p2"} {
		if a, b := point(t, lazy, id), point(t, scratch, id); a != b {
			t.Fatalf("%s read alone says %q, in the whole %q", id, a, b)
		}
	}
	replay(t, old, w.book, paths)
}

// idOf is the id that a path's file name spells.
func idOf(path string) string {
	id := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	if k, _, ok := records.ParseID(id); !ok || !strings.HasPrefix(path, k.Dir()+"/") {
		return ""
	}
	return id
}

// edit is any edit a tool could make, sound or not.
func (w *world) edit(t *rapid.T) records.Edit {
	id := rapid.SampledFrom([]string{"t1", "t2", "t3", "t4", "t5", "t6", "t150", "t9999"}).Draw(t, "id")
	text := rapid.SampledFrom(append([]string{"a", "b"}, hostile...)).Draw(t, "text")
	plan := rapid.SampledFrom([]string{"p1", "p2", ""}).Draw(t, "plan")
	status := rapid.SampledFrom([]string{"todo", "doing", "review", "done", "dropped"}).Draw(t, "status")
	switch rapid.IntRange(0, 10).Draw(t, "edit") {
	case 0, 1:
		return records.AddTask{Fields: records.Fields{Title: &text, Plan: &plan, Body: &text}}
	case 2:
		return records.AddPlan{Title: text, Scope: records.Scope{Kind: "session", Session: "one"}}
	case 3:
		return records.SetPlan{Plan: plan, Status: &status}
	case 4:
		return records.Approve{ID: rapid.SampledFrom([]string{id, plan}).Draw(t, "approved")}
	case 5:
		return records.ReviewTask{Task: id, Verdict: records.ChangesWanted}
	case 6:
		return records.Remove{IDs: []string{id}}
	case 7:
		return records.Restore{Files: []records.File{{Path: "tasks/web/" + id + ".md", Data: []byte(taskFile(id, "done"))}}}
	case 8:
		return records.SetTask{Task: id, Fields: records.Fields{BlockedBy: &[]string{"t1", "t2"}, Labels: &[]string{text}}}
	}
	return records.SetTask{Task: id, Fields: records.Fields{Status: &status, Note: &text, Plan: &plan}}
}

// stranger makes a commit that no gate saw.
func (w *world) stranger(t *rapid.T) {
	path := rapid.SampledFrom([]string{
		"tasks/t1.md", "tasks/t2.md", "tasks/t7.md", "tasks/t150.md", "tasks/1/t150.md", "tasks/web/t2.md", "tasks/a/t2.md",
		"plans/p1.md", "plans/web/p1.md", "tasks/x.md", "tasks/web/x.md", "plans/big.md", "tasks/notes.txt", "tasks/README.md",
		"tasks/.highest", "plans/.highest", "tasks/12/t1200.md", "README.md", "tasks/aux.md", "tasks/t77.md/t5.md",
	}).Draw(t, "path")
	id := idOf(path)
	body := "---\n"
	if id != "" {
		body += "id: " + id + "\n"
	}
	if strings.HasPrefix(path, "plans/") {
		body += "scope:\n  kind: session\n  session: one\nstatus: draft\ntitle: Theirs\n---\n"
	} else {
		body += "title: Theirs # x\nstatus: todo\nplan: big\nblockedBy:\n- x\n- t2\nsession: one\n---\n"
	}
	text := rapid.SampledFrom([]string{body, body + "\nmore\n", "broken", "", "gone", "---\nid: t2\ntitle: Two\nstatus: doing\n---\n",
		strings.Replace(body, "status: todo", "status: done", 1), "t3\n"}).Draw(t, "text")
	next := w.tree.with([]records.File{{Path: path, Data: []byte(text)}})
	if text == "gone" {
		delete(next, path)
	}
	if w.tree[path] == next[path] && (text != "" || maps.Equal(w.tree, next)) {
		return
	}
	author := rapid.SampledFrom([]string{"bob", "eve"}).Draw(t, "author")
	w.foreign = append(w.foreign, records.Foreign{Author: author, Paths: []string{path}, Mark: records.Mark{By: author, At: noon}, Tree: next.fs()})
	w.move(t, next, []string{path})
}

// fataler is what rapid.T and testing.T share here.
type fataler interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// listed is everything a Book says, read as a whole.
func listed(t fataler, b *records.Book) []string {
	var all []string
	tasks, err := b.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for task := range tasks {
		ready, err := b.Ready(task, false)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%s %v\n%s", task.Line(), ready, task.Encode()))
	}
	plans, err := b.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for plan := range plans {
		all = append(all, plan.Line()+"\n"+string(plan.Encode()))
		of, err := b.TasksOf(plan.ID)
		if err != nil {
			t.Fatal(err)
		}
		for task := range of {
			all = append(all, plan.ID+" has "+task.ID)
		}
	}
	open, some, err := b.OpenCount("one")
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, fmt.Sprint("open ", open, some), "faults")
	all = append(all, texts(b.Faults())...)
	all = append(all, "warnings")
	all = append(all, texts(warningsOf(t, b))...)
	all = append(all, "drafts")
	all = append(all, b.Drafts()...)
	for _, k := range []records.Kind{records.TaskKind, records.PlanKind} {
		n, err := b.Next(k)
		all = append(all, fmt.Sprint("next ", n, err))
	}
	return all
}

func same(t *rapid.T, how string, got, want *records.Book) {
	if a, b := listed(t, got), listed(t, want); !slices.Equal(a, b) {
		t.Fatalf("the Book %s says\n%s\nfrom scratch\n%s", how, strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

func point(t *rapid.T, b *records.Book, id string) string {
	data, path, err := b.Source(id)
	if err != nil {
		t.Fatal(err)
	}
	return path + "\n" + string(data)
}

// replay puts the changes on what the old Book held and must get the next one.
func replay(t *rapid.T, old, next *records.Book, paths []string) {
	changes, err := records.Changes(old, next, paths)
	if err != nil {
		t.Fatal(err)
	}
	held := heldBy(t, old)
	for _, c := range changes {
		switch {
		case c.After != nil:
			held[c.After.ID] = string(c.After.Encode())
		case c.PlanAfter != nil:
			held[c.PlanAfter.ID] = string(c.PlanAfter.Encode())
		case c.Before != nil:
			delete(held, c.Before.ID)
		case c.PlanBefore != nil:
			delete(held, c.PlanBefore.ID)
		default:
			t.Fatal("a change of nothing")
		}
		if before := c.Before; before != nil && c.After != nil && string(before.Encode()) == string(c.After.Encode()) {
			t.Fatalf("%s is told as changed and is the same", before.ID)
		}
	}
	if want := heldBy(t, next); !maps.Equal(held, want) {
		t.Fatalf("replayed to %q, want %q", held, want)
	}
}

func heldBy(t *rapid.T, b *records.Book) map[string]string {
	all := map[string]string{}
	tasks, err := b.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	for task := range tasks {
		all[task.ID] = string(task.Encode())
	}
	plans, err := b.Plans()
	if err != nil {
		t.Fatal(err)
	}
	for plan := range plans {
		all[plan.ID] = string(plan.Encode())
	}
	return all
}
