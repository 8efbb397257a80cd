package tools_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestP14AnyText: any text in any field comes back from the list as it was
// given, through a store that never saw it written as well.
func TestP14AnyText(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 40).Draw(r, "texts")
		body := rapid.String().Draw(r, "body")
		list := make([]string, len(texts))
		for i, text := range texts {
			list[i] = quoted(text)
		}
		array := "[" + strings.Join(list, ",") + "]"
		got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana"}, "task_add",
			`{"title":"A","labels":`+array+`,"refs":`+array+`,"bot":`+quoted(body)+`,"body":`+quoted(body)+`}`)
		if got.Code != "" {
			r.Fatalf("%q %s", got.Text, got.Code)
		}
		id, _, _ := strings.Cut(got.Text, " ")
		other := toolstest.Again(t, tools.Config{Path: dir})
		for _, store := range []*tools.Store{s, other} {
			task := taskOf(t, store, id)
			if !slices.Equal(task.Labels, texts) || !slices.Equal(task.Refs, texts) || task.Body != body || task.Bot != body {
				r.Fatalf("%q and %q came back as %+v", texts, body, task)
			}
		}
	})
}

// TestP17HostileFiles: files that are made to be slow or huge are reported,
// and everybody else's work goes on.
func TestP17HostileFiles(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	head := func(n int, more string) repo.File {
		return repo.File{Path: fmt.Sprintf("tasks/t%d.md", n), Data: []byte(fmt.Sprintf("---\nid: t%d\ntitle: x\nstatus: todo\n%s", n, more))}
	}
	keys := &strings.Builder{}
	for i := range 60_000 {
		fmt.Fprintf(keys, "k%d: 1\n", i)
	}
	files := []repo.File{
		head(1, "---\n"),
		head(2, "---\n\n"+strings.Repeat("x", 10<<20)+"\n"),
		head(3, "note: "+strings.Repeat("n", 64<<10)+"\n---\n"),
		head(4, keys.String()+"---\n"),
		head(5, "x: "+strings.Repeat("[", 100_000)+"\n---\n"),
		head(6, "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n---\n"),
		head(7, "metadata:\n"+strings.Repeat(" ", 40)+"x: &"+strings.Repeat("y", 1<<20)+"\n---\n"),
		head(8, "packet: {x: .nan, y: .inf}\n---\n"),
	}
	repotest.Foreign(t, dir, branch, "eve", "x", files...)
	began := time.Now()
	got := must(t, s, tools.Who{}, "task_list", `{}`)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the list took %v", took)
	}
	if !strings.HasPrefix(got, "t1 todo medium x\n") || !strings.Contains(got, "records could not be read: tasks/t2.md: ") {
		t.Errorf("the list is %.2000q", got)
	}
	for _, n := range []string{"t2", "t3", "t4", "t5", "t7"} {
		if !strings.Contains(got, "tasks/"+n+".md:") {
			t.Errorf("%s is not reported", n)
		}
	}
	if got := must(t, s, tools.Who{Person: "ana"}, "task_add", `{"title":"y"}`); got != "t9 todo medium y" {
		t.Errorf("the next task is %q", got)
	}
}

// TestP18OnlyRegularFiles: what is no regular file under the two folders is
// neither followed nor written, and its number is not used.
func TestP18OnlyRegularFiles(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	must(t, s, tools.Who{Person: "ana"}, "task_add", `{"title":"x"}`)
	env := append(repotest.Env(t), "GIT_DIR="+dir, "GIT_INDEX_FILE="+filepath.Join(t.TempDir(), "index"))
	git := func(stdin string, args ...string) string {
		t.Helper()
		out, err := repotest.Run(dir, env, stdin, "git", args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	git("", "read-tree", branch)
	link, record := git("../../../../etc/passwd", "hash-object", "-w", "--stdin"), git("---\nid: t4\ntitle: run\nstatus: todo\n---\n", "hash-object", "-w", "--stdin")
	for _, entry := range []string{"120000," + link + ",tasks/t2.md", "160000," + git("", "rev-parse", branch) + ",tasks/t3.md",
		"100755," + record + ",tasks/t4.md", "120000," + link + ",plans", "100644," + record + ",elsewhere/t70.md",
		"100644," + record + ",tasks/T5.MD", "100644," + record + ",tasks/bad\xff.md", "100644," + record + ",tasks/e\u0301.md"} {
		git("", "update-index", "--add", "--cacheinfo", entry)
	}
	git("", "update-ref", branch, git("", "commit-tree", git("", "write-tree"), "-p", branch, "-m", "x"))
	got := must(t, s, tools.Who{}, "task_list", `{}`)
	if !strings.HasPrefix(got, "t1 todo medium x\n7 records could not be read: ") || containsAny(got, "root:", "\xff", "t70") {
		t.Errorf("the list is %q", got)
	}
	for _, path := range []string{"plans", "tasks/T5.MD", `tasks/bad\xff.md`, "tasks/e\u0301.md", "tasks/t2.md", "tasks/t3.md", "tasks/t4.md"} {
		if !strings.Contains(got, path+":") {
			t.Errorf("%s is not reported: %q", path, got)
		}
	}
	if got := must(t, s, tools.Who{Person: "ana"}, "task_add", `{"title":"y"}`); got != "t5 todo medium y" {
		t.Errorf("the next task is %q", got)
	}
	if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana", Folder: "/x"}, "plan_create", `{"title":"y"}`); got.Code != tools.Internal {
		t.Errorf("a plan through a link gave %q %s", got.Text, got.Code)
	}
	if got := repotest.Git(t, dir, "ls-tree", "--format=%(objectmode) %(path)", branch, "plans"); got != "120000 plans" {
		t.Errorf("the link became %q", got)
	}
}
