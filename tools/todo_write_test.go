package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// writeTodos calls todo_write, each step "id status content".
func writeTodos(t *testing.T, s *tools.Store, steps ...string) (tools.Answer, error) {
	t.Helper()
	c, err := s.Caller(tools.Who{Person: "ana", Session: "one"})
	if err != nil {
		t.Fatal(err)
	}
	items := []map[string]string{}
	for _, step := range steps {
		id, rest, _ := strings.Cut(step, " ")
		status, content, _ := strings.Cut(rest, " ")
		items = append(items, map[string]string{"id": id, "status": status, "content": content})
	}
	input, err := json.Marshal(map[string]any{"todos": items})
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call(t.Context(), s, c, "todo_write", input)
}

// TestTodoWriteIsWhole: of lists that are written at once through several stores, one
// after the other stands, each whole and in one commit.
func TestTodoWriteIsWhole(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	const writers, rounds = 4, 5
	var all sync.WaitGroup
	for w := range writers {
		s := toolstest.Open(t, tools.Config{Path: dir})
		all.Go(func() {
			for round := range rounds {
				name := fmt.Sprint(w, "-", round)
				if _, err := writeTodos(t, s, name+"a pending "+name, name+"b pending "+name, name+"c pending "+name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	commits := strings.Fields(repotest.Git(t, dir, "log", "--format=%H", "--grep=translate todo_write", "refs/heads/main"))
	if len(commits) != writers*rounds {
		t.Errorf("%d lists are %d commits", writers*rounds, len(commits))
	}
	for _, commit := range commits {
		s := repotest.Git(t, dir, "grep", "-h", "-A1", "^title:", commit, "--", "tasks")
		open := map[string]int{}
		for entry := range strings.SplitSeq(s, "title: ") {
			if title, rest, _ := strings.Cut(entry, "\n"); strings.Contains(rest, "status: todo") {
				open[strings.Trim(title, `"`)]++
			}
		}
		if len(open) != 1 {
			t.Errorf("%s has %v open", commit[:10], open)
		}
		for title, n := range open {
			if n != 3 {
				t.Errorf("%s has %d of the three steps %s open", commit[:10], n, title)
			}
		}
	}
}

// TestTodoWriteEqualTexts: two steps of one text are two tasks, each its own by its id:
// when the list is sorted anew, when one of them is done, renamed or taken off, and when
// a third one comes.
func TestTodoWriteEqualTexts(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	for _, c := range []struct {
		steps []string
		want  string // the tasks that answer the steps
	}{
		{[]string{"a pending Test", "b pending Test"}, "t1 todo Test, t2 todo Test"},
		{[]string{"b in_progress Test", "a pending Test"}, "t2 doing Test, t1 todo Test"},
		{[]string{"c pending Test", "b in_progress Test", "a pending Test"}, "t3 todo Test, t2 doing Test, t1 todo Test"},
		{[]string{"a pending Test the lexer", "b completed Test", "c pending Test"}, "t1 todo Test the lexer, t2 done Test, t3 todo Test"},
		{[]string{"c in_progress Test", "a pending Test the lexer"}, "t3 doing Test, t1 todo Test the lexer"},
		{[]string{"d pending Test", "a pending Test the lexer", "c completed Test"}, "t2 todo Test, t1 todo Test the lexer, t3 done Test"}, // listed again
	} {
		for range 2 {
			a, err := writeTodos(t, s, c.steps...)
			if err != nil {
				t.Fatalf("%q: %v", c.steps, err)
			}
			var got []string
			for _, r := range a.Records[1:] {
				task := r.(*records.Task)
				got = append(got, fmt.Sprint(task.ID, " ", task.Status, " ", task.Title))
			}
			if all := strings.Join(got, ", "); all != c.want {
				t.Errorf("%q is %s, want %s", c.steps, all, c.want)
			}
		}
	}
}

// TestTodoWriteIsNotLost: the list is in git, so it stands when what is remembered of the
// session is gone: a step is held to its way, and the list goes on.
func TestTodoWriteIsNotLost(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	if _, err := writeTodos(t, s, "1 completed A", "2 in_progress B"); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(s.Side(), "sessions")); err != nil {
		t.Fatal(err)
	}
	s = toolstest.Again(t, tools.Config{Path: dir})
	_, err := writeTodos(t, s, "1 pending A", "2 in_progress B")
	if err == nil || err.Error() != "Invalid todo_write input: todos[0].status must not go from completed to pending." {
		t.Errorf("a step goes back: %v", err)
	}
	a, err := writeTodos(t, s, "1 completed A", "2 completed B", "3 pending C")
	if err != nil || !strings.HasPrefix(a.Text, "Todo list (3 total: 1 pending, 0 in progress, 2 completed)\n") || len(a.Records) != 4 {
		t.Errorf("the list goes on as %q with %d records, %v", a.Text, len(a.Records), err)
	}
}

// TestTodoWriteKeepsLongTexts: a step that is longer than a title has all of it in the
// task, and the same step is found again.
func TestTodoWriteKeepsLongTexts(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	long := strings.Repeat("read the lexer and ", 30) + "\x1b[2Jthe\nparser"
	for range 2 {
		a, err := writeTodos(t, s, "1 pending "+long)
		if err != nil || strings.ContainsAny(a.Text[strings.Index(a.Text, "[ ] "):], "\n\x1b") {
			t.Errorf("the list is %q, %v", a.Text, err)
		}
	}
	if got := repotest.Git(t, s.Dir(), "ls-tree", "-r", "--name-only", "refs/heads/main", "tasks/"); got != "tasks/.highest\ntasks/t1.md" && got != "tasks/t1.md" {
		t.Errorf("the tasks are %s", got)
	}
	if got := repotest.Git(t, s.Dir(), "show", "refs/heads/main:tasks/t1.md"); !strings.Contains(got, "the\nparser") {
		t.Errorf("the text is lost:\n%s", got)
	}
}
