package records

import (
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

// keptFS is a tree that keeps what is worked out of its folders by their content, as
// a repository does by the id of a tree.
type keptFS struct {
	fstest.MapFS
	seed  maphash.Seed
	kept  map[uint64][]byte
	reads *atomic.Int64 // folders are read side by side
}

func (k keptFS) content(dir string) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, name := range slices.Sorted(maps.Keys(k.MapFS)) {
		if below, ok := strings.CutPrefix(name, dir+"/"); ok {
			fmt.Fprintf(&h, "%q %v %q", below, k.MapFS[name].Mode, k.MapFS[name].Data)
		}
	}
	return h.Sum64()
}

func (k keptFS) Kept(dir string) []byte       { return k.kept[k.content(dir)] }
func (k keptFS) Keep(dir string, data []byte) { k.kept[k.content(dir)] = data }

func (k keptFS) ReadFile(name string) ([]byte, error) {
	k.reads.Add(1)
	return k.MapFS.ReadFile(name)
}

// anyPlanned gives a task of one of some plans, perhaps under, or waiting for, others.
func anyPlanned(rnd *rand.Rand, n, tasks int) *Task {
	t := &Task{ID: formatID(TaskKind, n), Title: "x", Status: []Status{Todo, Doing, Done}[rnd.IntN(3)], Plan: fmt.Sprintf("p%d", 1+n/40)}
	some := func() string { return formatID(TaskKind, 1+rnd.IntN(tasks)) }
	switch rnd.IntN(12) {
	case 0:
		t.Plan = fmt.Sprintf("p%d", 1+rnd.IntN(40))
	case 1:
		t.Parent = formatID(TaskKind, max(1, n-rnd.IntN(5)))
	case 2:
		t.Rank = string("abnz"[rnd.IntN(4)])
	case 3, 4:
		t.BlockedBy = []string{some(), some()}
	}
	return t
}

// mess puts something into the tree that has to be reported, and gives its path.
func mess(rnd *rand.Rand, kind int, tree fstest.MapFS, tasks int) string {
	n := 1 + rnd.IntN(tasks)
	home := PathOf(formatID(TaskKind, n))
	file, text, mode := home, "no frontmatter", fs.FileMode(0o644)
	switch kind {
	case 4:
		file = "tasks/.highest"
	case 5: // a folder that is known, at another place
		for name, f := range maps.Clone(tree) {
			if below, ok := strings.CutPrefix(name, "tasks/1/"); ok {
				tree["tasks/50/"+below] = f
			}
		}
		return "tasks/50"
	case 0:
		file, text = "tasks/draft.md", "---\ntitle: x\nstatus: todo\n---\n"
	case 1: // a file that another one of its number may hold the id of
		file, text = "tasks/9/"+path.Base(home), string(anyPlanned(rnd, n, tasks).Encode())
	case 2:
		mode, text = 0o755, string(tree[home].Data)
	case 3:
		file = "plans/odd.txt"
	}
	tree[file] = &fstest.MapFile{Data: []byte(text), Mode: mode}
	return file
}

// TestSelectOfPlanByDigests: what a new Book answers of a plan is what one answers
// that has read the whole tree, whatever changed since the digests were made; and in
// a tree that is as it was it reads the folders of that plan alone.
func TestSelectOfPlanByDigests(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	const tasks = 1200
	least := tasks
	tree := keptFS{fstest.MapFS{}, maphash.MakeSeed(), map[uint64][]byte{}, new(atomic.Int64)}
	put := func(r Record) {
		id, _ := r.Name()
		tree.MapFS[PathOf(id)] = &fstest.MapFile{Data: r.Encode(), Mode: 0o644}
	}
	for n := range tasks {
		put(anyPlanned(rnd, n+1, tasks))
	}
	for n := range 35 {
		put(&Plan{ID: formatID(PlanKind, n+1), Title: "x", Status: Active, Scope: Scope{Kind: FolderScope, Folder: "/x"}})
	}
	for round := range 40 {
		switch rnd.IntN(3) {
		case 0:
			if _, err := NewBook(tree).Tasks(); err != nil {
				t.Fatal(err)
			}
		case 1:
			for range 1 + rnd.IntN(3) {
				put(anyPlanned(rnd, 1+rnd.IntN(tasks), tasks))
			}
		case 2:
			delete(tree.MapFS, PathOf(formatID(TaskKind, 1+rnd.IntN(tasks))))
		}
		least = min(least, samePlanAnswers(t, rnd, tree, fmt.Sprintf("round %d", round)))
	}
	if least > tasks/4 {
		t.Errorf("%d of %d files were read at the least for the tasks of a plan", least, tasks)
	}
	for kind := range 14 { // in a tree that is known, and in one that is not
		if kind < 7 {
			if _, err := NewBook(tree).Tasks(); err != nil {
				t.Fatal(err)
			}
		}
		was := maps.Clone(tree.MapFS)
		file := mess(rnd, kind%7, tree.MapFS, tasks)
		samePlanAnswers(t, rnd, tree, "with "+file)
		clear(tree.MapFS)
		maps.Copy(tree.MapFS, was)
	}
}

// samePlanAnswers asks two Books of a plan, and gives how many files the one read that
// goes by digests.
func samePlanAnswers(t *testing.T, rnd *rand.Rand, tree keptFS, when string) (reads int) {
	t.Helper()
	f, after, limit := Filter{Plan: fmt.Sprintf("p%d", 1+rnd.IntN(41))}, 0, rnd.IntN(3)*7
	if ready := true; rnd.IntN(3) == 0 {
		f.Ready = &ready
	}
	if rnd.IntN(5) == 0 {
		after = rnd.IntN(1200)
	}
	answer := func(b *Book) string {
		page, left, err := b.Select(f, after, limit)
		var lines []string
		for _, l := range page {
			lines = append(lines, fmt.Sprint(l.Depth, l.OpenBlockers, l.Line()))
		}
		plan, perr := b.Plan(f.Plan)
		return fmt.Sprintln(strings.Join(lines, "\n"), left, err, plan, perr, b.Drafts(), b.Faults())
	}
	tree.reads.Store(0)
	fresh := NewBook(tree)
	got, want := answer(fresh), answer(NewBook(tree.MapFS))
	reads = int(tree.reads.Load())
	if got != want {
		t.Fatalf("%s: %+v after %d: a Book by digests answers\n%s\nand one of the whole tree\n%s", when, f, after, got, want)
	}
	f.Plan = fmt.Sprintf("p%d", 1+rnd.IntN(41))
	if got, want := answer(fresh), answer(NewBook(tree.MapFS)); got != want {
		t.Fatalf("%s: of %s as well a Book answers\n%s\nwant\n%s", when, f.Plan, got, want)
	}
	want = answer(NewBook(tree.MapFS))
	// Once more, of the tree that the Book has read a part of.
	next := fresh.Advance(tree, nil)
	if again := answer(next); again != want || !reflect.DeepEqual(next.Faults(), fresh.Faults()) {
		t.Fatalf("%s: the Book moved on answers\n%s\nwant\n%s", when, again, want)
	}
	if !next.Loaded() {
		t.Fatalf("%s: a Book that moved on and was asked of a plan again has not read the whole tree", when)
	}
	return reads
}
