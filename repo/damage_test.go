package repo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// damage is one way in which a repository can be broken.
type damage struct {
	// do breaks dir. Its branch main has three commits of tasks/t<n>.md.
	do   func(t *testing.T, dir string)
	kind repo.Kind // what is said of it; 0 when it disturbs nobody
	says string    // part of the error
	open bool      // it is said when the repository is opened
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	os.Remove(path) // objects are read-only
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func ref(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { overwrite(t, filepath.Join(dir, name), text) }
}

// loosened makes every object a loose one and gives the path of that of spec.
func loosened(t *testing.T, dir, spec string) string {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/pack-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range packs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".pack") {
			if _, err := repotest.TryGit(t, dir, string(data), "unpack-objects", "-q"); err != nil {
				t.Fatal(err)
			}
		}
	}
	id := repotest.Git(t, dir, "rev-parse", spec)
	return filepath.Join(dir, "objects", id[:2], id[2:])
}

// object replaces what is stored of the object that spec names.
func object(spec string, spoil func(data string) string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := loosened(t, dir, spec)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, spoil(string(data)))
	}
}

func setting(args ...string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { repotest.Git(t, dir, append([]string{"config"}, args...)...) }
}

func damages() map[string]damage {
	torn := func(data string) string { return data[:len(data)/2] }
	nul := func(data string) string { return strings.Repeat("\x00", len(data)) }
	empty := func(string) string { return "" }
	return map[string]damage{
		"empty ref":    {ref("refs/heads/main", ""), repo.Damaged, "refs/heads/main is an empty file; by its log it last was ", false},
		"NUL ref":      {ref("refs/heads/main", strings.Repeat("\x00", 41)), repo.Damaged, "refs/heads/main holds 41 bytes that are no commit id", false},
		"junk ref":     {ref("refs/heads/main", "what is this\n"), repo.Damaged, "no commit id", false},
		"zero ref":     {ref("refs/heads/main", strings.Repeat("0", 40)+"\n"), repo.Damaged, "no commit id", false},
		"symbolic ref": {ref("refs/heads/main", "ref: refs/heads/main\n"), repo.Damaged, "is a symbolic ref", false},
		"looping link": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "refs/heads/main")
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("main", path); err != nil {
				t.Fatal(err)
			}
		}, repo.Damaged, "refs/heads/main is a symbolic link", false},
		"ref is gone": {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "refs/heads/main")) },
			repo.Damaged, "refs/heads/main is gone, but its log is there; it last was ", false},
		"ref to nothing": {ref("refs/heads/main", strings.Repeat("1", 40)+"\n"), repo.Damaged, "commit 1111111111", false},
		"ref to a blob": {func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, "refs/heads/main"), repotest.Git(t, dir, "rev-parse", "main:tasks/t0.md")+"\n")
		}, repo.Damaged, "commit ", false},
		"bad packed-refs": {func(t *testing.T, dir string) {
			repotest.Git(t, dir, "pack-refs", "--all")
			data, err := os.ReadFile(filepath.Join(dir, "packed-refs"))
			if err != nil {
				t.Fatal(err)
			}
			overwrite(t, filepath.Join(dir, "packed-refs"), "# pack-refs with: peeled fully-peeled sorted \nrubbish\n"+string(data))
		}, repo.Damaged, "packed-refs:2 is malformed", false},
		"torn commit":  {object("main", torn), repo.Damaged, "commit ", false},
		"empty commit": {object("main", empty), repo.Damaged, "commit ", false},
		"NUL commit":   {object("main", nul), repo.Damaged, "commit ", false},
		"torn root":    {object("main^{tree}", torn), repo.Damaged, "tree ", false},
		"NUL root":     {object("main^{tree}", nul), repo.Damaged, "tree ", false},
		"torn folder":  {object("main:tasks", torn), repo.Damaged, "tree ", false},
		"torn pack":    {tornPack, repo.Damaged, "refs/heads/main: commit ", false},
		"pack is gone": {func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "objects/pack")) }, repo.Damaged, "commit ", false},
		"shallow": {func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, "shallow"), repotest.Git(t, dir, "rev-parse", "main~1")+"\n")
		}, repo.Unsupported, "is a shallow clone", true},
		"alternates gone":         {ref("objects/info/alternates", "/nowhere/objects\n"), repo.Damaged, "names /nowhere/objects, which is not there", true},
		"sha256":                  {setting("extensions.objectFormat", "sha256"), repo.Unsupported, "stores objects as sha256", true},
		"reftable":                {setting("extensions.refStorage", "reftable"), repo.Unsupported, "stores refs as reftable", true},
		"reftable folder":         {func(t *testing.T, dir string) { os.Mkdir(filepath.Join(dir, "reftable"), 0o755) }, repo.Unsupported, "reftable", true},
		"worktreeConfig":          {setting("extensions.worktreeConfig", "true"), repo.Unsupported, "has the extension worktreeConfig", true},
		"partial clone":           {setting("extensions.partialClone", "origin"), repo.Unsupported, "has the extension partialClone", true},
		"format 2":                {setting("core.repositoryFormatVersion", "2"), repo.Unsupported, "repository format 2", true},
		"torn config":             {ref("config", "[core\n\tbare"), repo.Unsupported, "config cannot be read", true},
		"orphan pack":             {ref("objects/pack/pack-"+strings.Repeat("a", 40)+".pack", "PACK"), 0, "", false},
		"orphan index":            {ref("objects/pack/pack-"+strings.Repeat("b", 40)+".idx", "junk"), 0, "", false},
		"torn log":                {ref("logs/refs/heads/main", "0000"), 0, "", false},
		"no log":                  {func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "logs")) }, 0, "", false},
		"junk in the side folder": {ref("git-tasks/rollup", "many\n"), 0, "", false},
		"torn old blob":           {object("main:tasks/t0.md", torn), 0, "", false},
		"missing parent":          {func(t *testing.T, dir string) { os.Remove(loosened(t, dir, "main~1")) }, 0, "", false},
	}
}

func tornPack(t *testing.T, dir string) {
	repotest.Git(t, dir, "repack", "-a", "-d", "-q")
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/pack-*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, packs[0], string(data[:20]))
}

// everything is all files of a folder, with their content.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == filepath.Join(dir, "git-tasks", "lock") {
			return err
		}
		data, _ := os.ReadFile(path) // a folder or a link that loops has none
		fmt.Fprintf(&b, "%s %v %x\n", path, d.Type(), data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestP11Damage breaks a repository in every way that was met in the field.
// Each is named, and nothing is written; what git makes nothing of disturbs
// nobody.
func TestP11Damage(t *testing.T) {
	t.Parallel()
	for name, c := range damages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := repotest.New(t)
			r := repotest.Open(t, from, repo.Options{})
			for i := range 3 {
				mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i), fmt.Sprint(i))
			}
			dir := copyOf(t, from)
			c.do(t, dir)
			before := everything(t, dir)
			opened, err := repo.Open(dir, repo.Options{})
			if c.open {
				checkNamed(t, "opening", err, c)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { opened.Close() })
			if c.kind == 0 {
				mustPut(t, opened, "tasks/t9.md", "9")
				if got := repotest.Git(t, dir, "show", "main:tasks/t9.md"); got != "9" {
					t.Errorf("git shows %q", got)
				}
				return
			}
			_, err = readAll(opened)
			checkNamed(t, "reading", err, c)
			_, err = opened.Update(t.Context(), put("ana", "tasks/t9.md", "9"))
			checkNamed(t, "writing", err, c)
			if after := everything(t, dir); after != before {
				t.Errorf("something was written:\n%s\nwas\n%s", after, before)
			}
		})
	}
}

func checkNamed(t *testing.T, what string, err error, c damage) {
	t.Helper()
	if !repo.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.says) {
		t.Errorf("%s: %v; want kind %d and %q", what, err, c.kind, c.says)
	}
}

// TestP11MissingParentRead: what needs the lost commit is told so; the files,
// which do not, are there.
func TestP11MissingParentRead(t *testing.T) {
	t.Parallel()
	from := repotest.New(t)
	r := repotest.Open(t, from, repo.Options{})
	for i := range 3 {
		mustPut(t, r, fmt.Sprintf("tasks/t%d.md", i), fmt.Sprint(i))
	}
	dir := copyOf(t, from)
	if err := os.Remove(loosened(t, dir, "main~1")); err != nil {
		t.Fatal(err)
	}
	r = repotest.Open(t, dir, repo.Options{})
	if files, err := readAll(r); err != nil || len(files) != 3 {
		t.Errorf("the files: %v, %v", files, err)
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tip.History(nil); !repo.IsKind(err, repo.Damaged) {
		t.Errorf("the history: %v", err)
	}
	var last error
	n := 0
	for _, err := range tip.Log() {
		n, last = n+1, err
	}
	if n != 2 || !repo.IsKind(last, repo.Damaged) {
		t.Errorf("the log: %d steps, then %v", n, last)
	}
	if err := r.Fsck(t.Context()); err == nil {
		t.Error("git fsck finds nothing wrong")
	}
}

// TestP11Mended: as soon as the damage is mended, the open repository goes on.
func TestP11Mended(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	r := repotest.Open(t, dir, repo.Options{})
	id := mustPut(t, r, "tasks/t1.md", "x").Commits[0]
	overwrite(t, filepath.Join(dir, "refs/heads/main"), "")
	_, err := r.Tip()
	if !repo.IsKind(err, repo.Damaged) || !strings.Contains(err.Error(), id.String()) {
		t.Errorf("an empty ref: %v", err)
	}
	overwrite(t, filepath.Join(dir, "refs/heads/main"), id.String()+"\n")
	mustPut(t, r, "tasks/t2.md", "x")
}

// TestP11EmptyTree: git knows the empty tree without its being stored.
func TestP11EmptyTree(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, repotest.New(t)) // git fsck calls the tree missing
	const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	commit := repotest.Git(t, dir, "commit-tree", emptyTree, "-m", "nothing")
	repotest.Git(t, dir, "update-ref", "refs/heads/main", commit)
	r := repotest.Open(t, dir, repo.Options{})
	if files, err := readAll(r); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
	mustPut(t, r, "tasks/t1.md", "x")
}

// TestP11TornObjectWrittenAgain: what is torn heals when the same content is
// written once more.
func TestP11TornObjectWrittenAgain(t *testing.T) {
	t.Parallel()
	from := repotest.New(t)
	mustPut(t, repotest.Open(t, from, repo.Options{}), "tasks/t0.md", "the same")
	dir := copyOf(t, from)
	object("main:tasks/t0.md", func(data string) string { return data[:len(data)/2] })(t, dir)
	r := repotest.Open(t, dir, repo.Options{})
	if _, err := readAll(r); !repo.IsKind(err, repo.Damaged) {
		t.Errorf("a torn file reads as %v", err)
	}
	mustPut(t, r, "tasks/t1.md", "the same")
	files, err := readAll(repotest.Open(t, dir, repo.Options{}))
	if err != nil || files["tasks/t0.md"] != "the same" || files["tasks/t1.md"] != "the same" {
		t.Errorf("after it was written again: %v, %v", files, err)
	}
}
