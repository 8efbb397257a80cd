package tools_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

const branch = "refs/heads/main"

// must is a call that has to be answered.
func must(t testing.TB, s *tools.Store, who tools.Who, tool, input string) string {
	t.Helper()
	got := toolstest.Direct(t, toolstest.List{Store: s}, who, tool, input)
	if got.Code != "" {
		t.Errorf("%s %s: %s %q", tool, input, got.Code, got.Text)
	}
	return got.Text
}

func taskOf(t testing.TB, s *tools.Store, id string) *records.Task {
	t.Helper()
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	task, err := book.Task(id)
	if err != nil || task == nil {
		t.Fatalf("%s is %v, %v", id, task, err)
	}
	return task
}

// TestA1EachFieldStands: two edits of one task at once both stand, each in a
// commit of its own.
func TestA1EachFieldStands(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	one, two := toolstest.Open(t, tools.Config{Path: dir}), toolstest.Again(t, tools.Config{Path: dir})
	ana, bob := tools.Who{Person: "ana"}, tools.Who{Person: "bob"}
	must(t, one, ana, "task_add", `{"title":"p"}`)
	const rounds = 20
	for i := range rounds {
		note, priority := fmt.Sprintf("n%d", i), []string{"high", "low"}[i%2]
		var wg sync.WaitGroup
		wg.Go(func() { must(t, one, ana, "task_set", `{"task":"t1","note":"`+note+`"}`) })
		wg.Go(func() { must(t, two, bob, "task_set", `{"task":"t1","priority":"`+priority+`"}`) })
		wg.Wait()
		if got := taskOf(t, one, "t1"); got.Note != note || string(got.Priority) != priority {
			t.Fatalf("round %d left note %q and priority %q", i, got.Note, got.Priority)
		}
	}
	if got := repotest.Git(t, dir, "rev-list", "--count", branch); got != fmt.Sprint(1+2*rounds) {
		t.Errorf("%s commits, want %d", got, 1+2*rounds)
	}
}

// TestA3ConcurrentAdds: as many ids as adds, whoever adds through whichever
// store.
func TestA3ConcurrentAdds(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	stores := []*tools.Store{toolstest.Open(t, tools.Config{Path: dir})}
	for range 3 {
		stores = append(stores, toolstest.Again(t, tools.Config{Path: dir}))
	}
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			who := tools.Who{Person: fmt.Sprintf("w%d", n), Session: fmt.Sprintf("s%d", n%2)}
			must(t, stores[n%4], who, "task_add", fmt.Sprintf(`{"title":"c%d"}`, n))
		})
	}
	wg.Wait()
	for _, s := range stores {
		titles := map[string]bool{}
		lines := strings.Split(must(t, s, tools.Who{}, "task_list", `{}`), "\n")
		for i, line := range lines {
			id, rest, _ := strings.Cut(line, " ")
			if id != fmt.Sprintf("t%d", i+1) {
				t.Errorf("line %d is %q", i+1, line)
			}
			titles[rest] = true
		}
		if len(lines) != 64 || len(titles) != 64 {
			t.Errorf("%d lines, %d titles, want 64", len(lines), len(titles))
		}
	}
	authors := strings.Fields(repotest.Git(t, dir, "log", "--format=%an", branch))
	slices.Sort(authors)
	if authors = slices.Compact(authors); len(authors) != 64 {
		t.Errorf("%d authors, want 64", len(authors))
	}
}

// TestA5IdsNeverComeBack: not after the highest was removed, not in a store
// opened anew, not in a clone.
func TestA5IdsNeverComeBack(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	ana := tools.Who{Person: "ana", Folder: "/x"}
	gone := func(dir, path string) { repotest.Foreign(t, dir, branch, "mia", "del", repo.File{Path: path}) }
	s := toolstest.Open(t, tools.Config{Path: dir})
	for i := 1; i <= 4; i++ {
		if i == 3 {
			s = toolstest.Again(t, tools.Config{Path: dir})
		}
		task, plan := fmt.Sprintf("t%d", i), fmt.Sprintf("p%d", i)
		if got := must(t, s, ana, "task_add", `{"title":"x"}`); got != task+" todo medium x" {
			t.Fatalf("add %d gave %q", i, got)
		}
		if got := must(t, s, ana, "plan_create", `{"title":"x"}`); got != plan+" draft x" {
			t.Fatalf("create %d gave %q", i, got)
		}
		gone(dir, "tasks/"+task+".md")
		gone(dir, "plans/"+plan+".md")
	}
	clone := filepath.Join(t.TempDir(), "clone.git")
	repotest.Git(t, dir, "clone", "-q", "--bare", dir, clone)
	c := toolstest.Open(t, tools.Config{Path: clone})
	if got := must(t, c, ana, "task_add", `{"title":"y"}`); got != "t5 todo medium y" {
		t.Errorf("the clone gave %q", got)
	}
}

// TestP16IdsAreExact: only an id itself names a record, and no file that is
// there is ever written over.
func TestP16IdsAreExact(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ana := tools.Who{Person: "ana"}
	must(t, s, ana, "task_add", `{"title":"x"}`)
	for _, id := range []string{"t01", "t1 ", " t1", "T1", "t1\x00", "t+1", "t1.md", "tasks/t1", "../tasks/t1", "t" + strings.Repeat("9", 20), "t１"} {
		if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_set", `{"task":`+quoted(id)+`,"note":"x"}`); got.Code != tools.NotFound {
			t.Errorf("%q was answered %q %s", id, got.Text, got.Code)
		}
		if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"y","blockedBy":[`+quoted(id)+`]}`); got.Code != tools.Invalid {
			t.Errorf("%q as a blocker was answered %q %s", id, got.Text, got.Code)
		}
	}
	repotest.Foreign(t, dir, branch, "mia", "unreadable", repo.File{Path: "tasks/t2.md", Data: []byte("no record\n")},
		repo.File{Path: "tasks/deep/er/t3.md", Data: []byte("none either\n")})
	want := repotest.Git(t, dir, "show", branch+":tasks/t2.md")
	if got := must(t, s, ana, "task_add", `{"title":"y"}`); got != "t4 todo medium y" {
		t.Errorf("beside unreadable files the next task is %q", got)
	}
	if got := repotest.Git(t, dir, "show", branch+":tasks/t2.md"); got != want {
		t.Errorf("a file in the way became %q", got)
	}
	repotest.Foreign(t, dir, branch, "mia", "the end", repo.File{Path: "tasks/99/99/99/99/t999999999.md",
		Data: []byte("---\nid: t999999999\ntitle: z\nstatus: todo\n---\n")})
	if got := toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"y"}`); got.Code == "" {
		t.Errorf("after the last id there is %q", got.Text)
	}
}

// TestA10ByteFaithful: an edit moves the lines it is about, in whatever form
// somebody keeps a file.
func TestA10ByteFaithful(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	for name, text := range map[string]string{
		"plain": "---\n# keep me\nid: t1\ntitle: 'x'   # why\nstatus: todo\nlabels: [a,  b]\nmyTeam:\n    cost: 3\n---\n\nBody  with two spaces  \n",
		"crlf":  "---\r\nid: t1\r\ntitle: \"x\"\r\nmyTeam: {cost: 3}\r\nstatus: todo # now\r\n---\r\nno blank line\r\n\r\n\r\n",
	} {
		repotest.Foreign(t, dir, branch, "mia", name, repo.File{Path: "tasks/t1.md", Data: []byte(text)})
		must(t, s, tools.Who{Person: "ana"}, "task_set", `{"task":"t1","status":"blocked"}`)
		diff := repotest.Git(t, dir, "diff", "-U0", branch+"~1", branch, "--", "tasks/t1.md")
		var moved []string
		for line := range strings.Lines(diff) {
			if (line[0] == '-' || line[0] == '+') && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") {
				moved = append(moved, strings.TrimRight(line, "\r\n"))
			}
		}
		want := []string{"-status: todo", "+status: blocked"}
		if name == "crlf" {
			want = []string{"-status: todo # now", "+status: blocked # now"}
		}
		if !slices.Equal(moved, want) {
			t.Errorf("%s: moved %q, want %q", name, moved, want)
		}
		if got := repotest.Git(t, dir, "show", branch+":tasks/t1.md") + "\n"; got != strings.Replace(text, "status: todo", "status: blocked", 1) {
			t.Errorf("%s became %q", name, got)
		}
	}
}

// TestA6HostileTexts: any text comes back as it was given, and a title never
// becomes a second line, an escape or a trailer.
func TestA6HostileTexts(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ana := tools.Who{Person: "ana"}
	for i, title := range []string{"Build ~$15,000 $& $` $' \\1 ${x} %s %d", "fix #12 now", "a: b", "- [ ] x", "no", "1.0", "0x1F", "null", "2026-10-18",
		"@ana `run` !now &a *b |c >d {e} [f] ?g %h", "it's \"quoted\" \\n \\u0041", " ends with space ", "---", "é 🎉 e\u0301", "say \"hi\"",
		"Tool: forged", "\u202eevil\u2066", "tag\U000e0041", "'x", "~", "=", "<<", "!important x", "x #y", "\u00a0x", "a  b"} {
		id := fmt.Sprintf("t%d", i+1)
		body := title + "\n---\nid: t9\n\n" + title
		line := must(t, s, ana, "task_add", `{"title":`+quoted(title)+`,"note":`+quoted(title)+`,"labels":[`+quoted(title)+`],"body":`+quoted(body)+`}`)
		if got := taskOf(t, s, id); got.Title != title || got.Note != title || !slices.Equal(got.Labels, []string{title}) || got.Body != body {
			t.Errorf("%q came back as %+v", title, got)
		}
		if line != id+" todo medium "+records.Visible(title) || strings.ContainsAny(line, "\x1b\u202e\u2066\n") {
			t.Errorf("%q has the line %q", title, line)
		}
	}
	out := repotest.Git(t, dir, "log", "--format=%(trailers:key=Tool,valueonly)", branch)
	if got := strings.Fields(out); len(slices.Compact(got)) != 1 || got[0] != "task_add" {
		t.Errorf("Tool trailers %q", got)
	}
}

// TestA21Escapes: control characters are refused from a tool, and shown for
// what they are where a hand put them in a file.
func TestA21Escapes(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ana := tools.Who{Person: "ana"}
	for _, bad := range []string{`\u001b[2J`, `\u0007`, `\u0000`, `a\nb`, `\u009b31m`, `\u007f`, `a\u0085b`, `a\u2028b`} {
		for _, tool := range []string{"task_add", "plan_create"} {
			got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{Person: "ana", Folder: "/x"}, tool, `{"title":"x`+bad+`"}`)
			if got.Text != "Invalid "+tool+" input: title must be one line of at most 256 bytes." {
				t.Errorf("%s with %s: %q", tool, bad, got.Text)
			}
		}
	}
	repotest.Foreign(t, dir, branch, "mia", "x", repo.File{Path: "tasks/t1.md",
		Data: []byte("---\nid: t1\ntitle: \"\\e[2J\\u202eevil\\nt9 done high paid\"\nstatus: todo\n---\n")},
		repo.File{Path: "tasks/t2\x1b[2J.md", Data: []byte("---\nid: t2\x1b[2J\n---\n")})
	got := must(t, s, ana, "task_list", `{}`)
	if strings.ContainsAny(got, "\x1b\u202e") || !strings.HasPrefix(got, `t1 todo medium \x1b[2J\u202eevil t9 done high paid`+"\n") || strings.Count(got, "\n") != 1 {
		t.Errorf("the list is %q", got)
	}
	must(t, s, ana, "task_set", `{"task":"t1","status":"doing"}`)
	if got := repotest.Git(t, dir, "log", "-1", "--format=%s", branch); strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("the subject is %q", got)
	}
	if got := taskOf(t, s, "t1").Title; got != "\x1b[2J\u202eevil\nt9 done high paid" {
		t.Errorf("the record has %q", got)
	}
}

// TestUpdateSteps: several edits of one call are a commit each in one move of
// the branch, and a refused one leaves no trace of any.
func TestUpdateSteps(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ana, err := s.Caller(tools.Who{Person: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(title string) tools.Step {
		return tools.Step{Edit: records.AddTask{Fields: records.Fields{Title: &title}}}
	}
	update := func(steps ...tools.Step) (tools.Result, error) {
		return s.Update(t.Context(), ana, "try", func(*records.Book) ([]tools.Step, error) { return steps, nil })
	}
	done := "done"
	named := tools.Step{Edit: records.SetTask{Task: "t2", Fields: records.Fields{Status: &done}}, Subject: "closed", Body: []string{"by hand"}}
	result, err := update(add("A"), add("B"), named)
	if err != nil || !slices.Equal(result.IDs, []string{"t1", "t2", "t2"}) {
		t.Fatalf("%q, %v", result.IDs, err)
	}
	want := "closed\nt2 add: B\nt1 add: A"
	if got := repotest.Git(t, dir, "log", "--format=%s", branch); got != want {
		t.Errorf("history %q, want %q", got, want)
	}
	if got := repotest.Git(t, dir, "reflog", "show", "--format=%H", branch); strings.Count(got, "\n") != 0 {
		t.Errorf("the branch moved more than once:\n%s", got)
	}
	for name, last := range map[string]tools.Step{
		"refused": {Edit: records.Approve{ID: "t9"}},
		"wrong":   {Edit: nil},
	} {
		if _, err := update(add("C"), last); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	mine := errors.New("not now")
	if _, err := s.Update(t.Context(), ana, "try", func(*records.Book) ([]tools.Step, error) { return nil, mine }); !errors.Is(err, mine) {
		t.Errorf("the plan's error came back as %v", err)
	}
	if result, err := update(); err != nil || !result.Commit.IsZero() {
		t.Errorf("no steps gave %v, %v", result.Commit, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Update(ended, ana, "try", func(*records.Book) ([]tools.Step, error) { return []tools.Step{add("C")}, nil }); err == nil {
		t.Error("a call that was cancelled before it began was carried out")
	}
	if got := must(t, s, tools.Who{Person: "ana"}, "task_add", `{"title":"C"}`); got != "t3 todo medium C" {
		t.Errorf("after refusals the next task is %q", got)
	}
}

// TestBookStaysLoaded: once the list was read as a whole, changes move it on and
// nothing is read as a whole again, whatever came first.
func TestBookStaysLoaded(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	call := func(tool, input string) {
		t.Helper()
		if got := toolstest.Direct(t, toolstest.List{Store: s}, tools.Who{}, tool, input); got.Code != "" {
			t.Fatal(got.Text)
		}
	}
	call("task_add", `{"title":"A"}`)
	call("task_list", `{}`)
	for range 3 {
		call("task_add", `{"title":"B"}`)
		if book, _, err := s.Book(); err != nil || !book.Loaded() {
			t.Errorf("after a change the list must be read again, %v", err)
		}
	}
}
