package records_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/git-tasks/git-tasks/records"
)

func TestNextIsAboveEverythingEverUsed(t *testing.T) {
	t.Parallel()
	at := func(ids ...string) tree {
		files := tree{}
		for _, id := range ids {
			files[records.PathOf(id)] = taskFile(id, "todo")
		}
		return files
	}
	noted := func(files tree, highest string) tree {
		files["tasks/.highest"] = highest + "\n"
		return files
	}
	for name, c := range map[string]struct {
		files tree
		want  int
	}{
		"empty":                     {tree{}, 1},
		"flat":                      {at("t1", "t9", "t12"), 13},
		"the fold at a hundred":     {at("t99", "t100"), 101},
		"three digits beat two":     {at("t98", "t150"), 151},
		"four beat three":           {at("t999", "t1000"), 1001},
		"five beat four, same top":  {at("t199", "t9999", "t10005"), 10006},
		"six beat five":             {noted(at("t99999", "t100000"), "t100000"), 100001},
		"seven in folders of five":  {noted(at("t99999", "t999999", "t1000000"), "t1000000"), 1000001},
		"noted above the tree":      {noted(at("t5"), "t12"), 13},
		"noted below the tree":      {noted(at("t50"), "t12"), 51},
		"noted and nothing else":    {noted(tree{}, "t12"), 13},
		"long, all gone":            {noted(at("t7"), "t123456"), 123457},
		"long, lower ones left":     {noted(at("t7", "t99999"), "t100000"), 100001},
		"unreadable counts":         {tree{"tasks/t7.md": "broken"}, 8},
		"misplaced counts":          {tree{"tasks/web/t900.md": taskFile("t900", "todo")}, 901},
		"another collection's name": {tree{"tasks/p900.md": "x", "tasks/t1.md": taskFile("t1", "todo")}, 2},
		"broken .highest":           {tree{"tasks/.highest": "<<<<<<<\n", "tasks/t3.md": taskFile("t3", "todo")}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lazy, whole := c.files.book(), c.files.book()
			taskIDs(t, whole)
			for how, b := range map[string]*records.Book{"lazy": lazy, "whole": whole} {
				if n, err := b.Next(records.TaskKind); err != nil || n != c.want {
					t.Errorf("%s: next is %d, %v, want %d", how, n, err, c.want)
				}
			}
		})
	}
}

func TestNextEndsAtNineDigits(t *testing.T) {
	t.Parallel()
	b := tree{"tasks/.highest": "t999999999\n"}.book()
	if n, err := b.Next(records.TaskKind); err == nil {
		t.Errorf("next is %d", n)
	}
	if _, err := b.Apply(add("a"), records.Mark{}, records.Rules{}); err == nil {
		t.Error("an id beyond the last was minted")
	}
}

// counted counts the folders that were listed.
type counted struct {
	fstest.MapFS
	lists *atomic.Int64
}

func (c counted) ReadDir(name string) ([]fs.DirEntry, error) {
	c.lists.Add(1)
	return c.MapFS.ReadDir(name)
}

// A long list costs one folder to mint in: whoever mints the first number of a
// folder notes it in .highest.
func TestNextOfALongListListsFewFolders(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"tasks/.highest": {Data: []byte("t12300\n")}}
	for n := 1; n < 12345; n += 7 {
		id := fmt.Sprintf("t%d", n)
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo"))}
	}
	c := counted{files, new(atomic.Int64)}
	if n, err := records.NewBook(c).Next(records.TaskKind); err != nil || n != 12343 {
		t.Errorf("next is %d, %v", n, err)
	}
	if lists := c.lists.Load(); lists > 1 {
		t.Errorf("%d folders were listed", lists)
	}
	d := newDesk(t, tree{records.PathOf("t9998"): taskFile("t9998", "todo")})
	if o := d.do(add("a")); len(o.Files) != 1 {
		t.Errorf("t9999 writes %q", pathsOf(o.Files))
	}
	o := d.do(add("b"))
	wantList(t, "files of t10000", pathsOf(o.Files), "tasks/.highest", "tasks/1/00/t10000.md")
	if got := string(o.Files[0].Data); got != "t10000\n" {
		t.Errorf(".highest says %q", got)
	}
	for n := 10001; n < 10100; n++ {
		if o := d.do(add("c")); len(o.Files) != 1 {
			t.Fatalf("t%d writes %q", n, pathsOf(o.Files))
		}
	}
	if o := d.do(add("d")); len(o.Files) != 2 || o.IDs[0] != "t10100" {
		t.Errorf("t10100 writes %q", pathsOf(o.Files))
	}
}

// Wherever the highest number lies, a Book that read nothing and one that read
// everything mint the same id.
func TestNextLazyEqualsWhole(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		files := tree{}
		top := 0
		for range 1 + random.IntN(12) {
			n := 1 + random.IntN([]int{50, 500, 5000, 50000, 5000000, 500000000}[random.IntN(6)])
			id := fmt.Sprintf("t%d", n)
			files[records.PathOf(id)] = taskFile(id, "todo")
			top = max(top, n)
		}
		if top >= 10000 && random.IntN(3) > 0 {
			files["tasks/.highest"] = fmt.Sprintf("t%d\n", top-random.IntN(top%100+1))
		}
		if n, err := files.book().Next(records.TaskKind); err != nil || n != top+1 {
			t.Fatalf("next of %v is %d, %v, want %d", files, n, err, top+1)
		}
	}
}

// A tree that no follow-up has seen may hold a file where the next one would
// go: then every name is looked at, and nothing is overwritten.
func TestMintNeverLandsOnAFile(t *testing.T) {
	t.Parallel()
	files := tree{"tasks/.highest": "t12300\n"}
	for _, id := range []string{"t12399", "t12400", "t12401", "t13000"} {
		files[records.PathOf(id)] = taskFile(id, "todo")
	}
	d := newDesk(t, files)
	if o := d.do(add("a")); o.IDs[0] != "t13001" {
		t.Errorf("minted %s", o.IDs)
	}
}

// A Book that was never read as a whole, moved on from tree to tree, mints what
// one that reads each tree anew does.
func TestNextIsCarried(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		files, top := tree{}, []int{0, 90, 9_990, 12_345}[round%4]
		if top > 0 {
			files[records.PathOf(fmt.Sprintf("t%d", top))] = taskFile(fmt.Sprintf("t%d", top), "todo")
			files["tasks/.highest"] = fmt.Sprintf("t%d\n", top)
		}
		book := files.book()
		for step := range 40 {
			n := max(1, top+2-random.IntN(6))
			path := records.PathOf(fmt.Sprintf("t%d", n))
			paths := []string{path, "tasks/.highest"}[:1+random.IntN(2)]
			next := maps.Clone(files)
			switch random.IntN(4) {
			case 0:
				delete(next, path)
			case 1:
				paths = append(paths, "tasks/draft.md")
				next["tasks/draft.md"] = "---\ntitle: Draft\nstatus: todo\n---\n"
			default:
				next[path] = taskFile(fmt.Sprintf("t%d", n), "todo")
				top = max(top, n)
			}
			if len(paths) > 1 && paths[1] == "tasks/.highest" || top >= 10_000 {
				paths = append(paths, "tasks/.highest")
				next["tasks/.highest"] = fmt.Sprintf("t%d\n", max(1, top))
			}
			book, files = book.Advance(next.fs(), paths), next
			got, err := book.Next(records.TaskKind)
			want, werr := files.book().Next(records.TaskKind)
			if err != nil || werr != nil || got != want {
				t.Fatalf("round %d, step %d, %q changed: next is %d, %v; read anew %d, %v", round, step, paths, got, err, want, werr)
			}
		}
	}
}

// Many changes in a row list the folders of a Book once.
func TestNextIsCarriedWithoutListing(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for n := 1; n <= 500; n++ {
		id := fmt.Sprintf("t%d", n)
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(taskFile(id, "todo"))}
	}
	c := counted{files, new(atomic.Int64)}
	book := records.NewBook(c)
	if _, err := book.Next(records.TaskKind); err != nil {
		t.Fatal(err)
	}
	before := c.lists.Load()
	for n := 501; n <= 600; n++ {
		path := records.PathOf(fmt.Sprintf("t%d", n))
		files[path] = &fstest.MapFile{Data: []byte(taskFile(fmt.Sprintf("t%d", n), "todo"))}
		book = book.Advance(c, []string{path})
		if next, err := book.Next(records.TaskKind); err != nil || next != n+1 {
			t.Fatalf("after t%d the next is %d, %v", n, next, err)
		}
	}
	if lists := c.lists.Load() - before; lists > 0 {
		t.Errorf("%d folders were listed for 100 changes", lists)
	}
}

// Whoever follows a list that was never read as a whole lists its folders once,
// however many records are added after.
func TestChangesListFoldersOnce(t *testing.T) {
	t.Parallel()
	c := counted{fstest.MapFS{}, new(atomic.Int64)}
	for n := 1; n <= 300; n++ {
		c.MapFS[records.PathOf(fmt.Sprintf("t%d", n))] = &fstest.MapFile{Data: []byte(taskFile(fmt.Sprintf("t%d", n), "todo"))}
	}
	book := records.NewBook(c)
	var first int64
	for n := 301; n <= 320; n++ {
		path := records.PathOf(fmt.Sprintf("t%d", n))
		grown := counted{maps.Clone(c.MapFS), c.lists}
		grown.MapFS[path] = &fstest.MapFile{Data: []byte(taskFile(fmt.Sprintf("t%d", n), "todo"))}
		next := book.Advance(grown, []string{path})
		changes, err := records.Changes(book, next, []string{path})
		if err != nil || len(changes) != 1 || changes[0].After == nil {
			t.Fatalf("t%d comes as %+v, %v", n, changes, err)
		}
		if c, book = grown, next; n == 301 {
			first = c.lists.Load()
		}
	}
	if lists := c.lists.Load(); lists != first || first == 0 {
		t.Errorf("%d folders were listed, %d of them at first", lists, first)
	}
}
