package records_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// tree is a tree as a test writes it: text by path.
type tree map[string]string

func (t tree) fs() fs.FS {
	m := fstest.MapFS{}
	for path, text := range t {
		m[path] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return m
}

func (t tree) book() *records.Book { return records.NewBook(t.fs()) }

// with is the tree after some files changed.
func (t tree) with(files []records.File) tree {
	next := maps.Clone(t)
	for _, f := range files {
		if f.Data == nil {
			delete(next, f.Path)
		} else {
			next[f.Path] = string(f.Data)
		}
	}
	return next
}

// taskFile is a small task file; more are further frontmatter lines.
func taskFile(id, status string, more ...string) string {
	return "---\nid: " + id + "\ntitle: Task " + id + "\nstatus: " + status + "\n" +
		strings.Join(append(more, "---\n"), "\n")
}

func planFile(id, status string) string {
	return "---\nid: " + id + "\nscope:\n  kind: folder\n  folder: /srv\ntitle: Plan " + id +
		"\nstatus: " + status + "\n---\n"
}

var noon = time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

// desk is a Book under edits, with the tree they make beside it: every outcome
// must read from disk the way it reads from memory, and pass the gate.
type desk struct {
	t     *testing.T
	tree  tree
	book  *records.Book
	rules records.Rules
	mark  records.Mark
}

func newDesk(t *testing.T, files tree) *desk {
	t.Helper()
	return &desk{t: t, tree: files, book: files.book(), mark: records.Mark{By: "ana", In: "ahp-session:/one", At: noon}}
}

// do makes an edit that must be taken.
func (d *desk) do(e records.Edit) records.Outcome {
	d.t.Helper()
	o, err := d.book.Apply(e, d.mark, d.rules)
	if err != nil {
		d.t.Fatalf("%#v: %v", e, err)
	}
	paths := pathsOf(o.Files)
	faults, err := records.CheckRestore(d.book, o.Book, paths, restoredBy(o))
	if err != nil || len(faults) > 0 {
		d.t.Fatalf("%#v: the gate says %v, %v", e, faults, err)
	}
	d.tree = d.tree.with(o.Files)
	for _, id := range o.IDs {
		if fromDisk, inMemory := show(d.t, d.tree.book(), id), show(d.t, o.Book, id); fromDisk != inMemory {
			d.t.Fatalf("%#v: %s reads %q from disk, %q from memory", e, id, fromDisk, inMemory)
		}
	}
	d.book = o.Book.Advance(d.tree.fs(), nil)
	return o
}

// restoredBy gives the ids that an edit may take again.
func restoredBy(o records.Outcome) []string {
	if o.What == "restore" {
		return o.IDs
	}
	return nil
}

// refused makes an edit that must be refused in exactly these words.
func (d *desk) refused(e records.Edit, kind records.RefusalKind, text string) {
	d.t.Helper()
	o, err := d.book.Apply(e, d.mark, d.rules)
	var r *records.Refusal
	if !errors.As(err, &r) {
		d.t.Fatalf("%#v: want a refusal, got %v, %v", e, o, err)
	}
	if r.Kind != kind || r.Text != text || kind != records.Conflict && !strings.HasPrefix(text, r.Field+" ") {
		d.t.Errorf("%#v: refused with %d %q %q, want %d %q", e, r.Kind, r.Field, r.Text, kind, text)
	}
	if len(o.Files) > 0 || o.Book != nil {
		d.t.Errorf("%#v: a refusal came with an outcome", e)
	}
}

func (d *desk) task(id string) *records.Task {
	d.t.Helper()
	task, err := d.book.Task(id)
	if err != nil || task == nil {
		d.t.Fatalf("task %s: %v, %v", id, task, err)
	}
	return task
}

func (d *desk) plan(id string) *records.Plan {
	d.t.Helper()
	plan, err := d.book.Plan(id)
	if err != nil || plan == nil {
		d.t.Fatalf("plan %s: %v, %v", id, plan, err)
	}
	return plan
}

// set is a SetTask of one status.
func set(id, status string) records.SetTask {
	return records.SetTask{Task: id, Fields: records.Fields{Status: &status}}
}

// add is an AddTask with a title.
func add(title string) records.AddTask {
	return records.AddTask{Fields: records.Fields{Title: &title}}
}

func show(t *testing.T, b *records.Book, id string) string {
	t.Helper()
	task, err := b.Task(id)
	if err != nil {
		t.Fatal(err)
	}
	if task != nil {
		return string(task.Encode())
	}
	plan, err := b.Plan(id)
	if err != nil {
		t.Fatal(err)
	}
	if plan != nil {
		return string(plan.Encode())
	}
	return ""
}

func pathsOf(files []records.File) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

// taskIDs is the ids of the task list in its order.
func taskIDs(t *testing.T, b *records.Book) []string {
	t.Helper()
	tasks, err := b.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for task := range tasks {
		ids = append(ids, task.ID)
	}
	return ids
}

func texts(faults []records.Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.String())
	}
	return out
}

func warningsOf(t fataler, b *records.Book) []records.Fault {
	_, warnings, err := b.Check()
	if err != nil {
		t.Fatal(err)
	}
	return warnings
}

func wantList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// wantFault looks for the one fault of a path and what it must mention.
func wantFault(t *testing.T, faults []records.Fault, path, mention string) {
	t.Helper()
	for _, f := range faults {
		if f.Path == path && (strings.Contains(f.Reason, mention) || strings.Contains(f.Mend, mention)) {
			return
		}
	}
	t.Errorf("no fault of %s mentions %q in %q", path, mention, faults)
}
