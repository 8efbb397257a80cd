package tools_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// slipped is a forger who gets past every check: whoever owns the files can.
type slipped struct{ *toolstest.Forger }

func newForged(t *testing.T) slipped {
	t.Helper()
	c := slipped{toolstest.NewForger(t, repotest.New(t))}
	c.Land = func() bool {
		repotest.Git(c, c.Dir, "fetch", "-q", c.Clone, "+HEAD:refs/heads/theirs")
		repotest.Git(c, c.Dir, "update-ref", mainRef, "refs/heads/theirs")
		return true
	}
	return c
}

// TestP21Forgeries puts or changes a stamp, an author, an id, a lease, the key or
// .highest in every way that somebody with a clone, or with the files, could think
// of. Whatever gets onto the branch counts for nothing, is named by check, and is
// put back by the next change; the gate refuses what a push can carry.
func TestP21Forgeries(t *testing.T) {
	t.Parallel()
	for _, f := range toolstest.Forgeries() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			c := newForged(t)
			f.Do(c.Forger)
			c.judge(f.Gate)
			c.Land()
			c.WithoutEffect("before the next change", f.Rewinds())
			report, err := c.Open(nil).Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Problems)+len(report.Notes)+len(report.Proof.Unproven) == 0 {
				t.Error("check names nothing")
			}
			if got := c.refused("eve", "task_set", `{"task":"t1","status":"doing"}`); !strings.Contains(got, "approved") && !strings.Contains(got, "must match") {
				t.Errorf("a move to doing: %s", got)
			}
			c.Call("ana", "task_add", `{"title":"next"}`)
			c.WithoutEffect("after the next change", f.Rewinds())
			noRepairIsWrong(t, c.Open(nil))
		})
	}
}

// noRepairIsWrong wants check to find nothing wrong with what the door put back.
func noRepairIsWrong(t *testing.T, s *tools.Store) {
	t.Helper()
	report, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range report.Problems {
		rest, ok := strings.CutPrefix(problem, "commit ")
		commit, _, _ := strings.Cut(rest, ":")
		if ok && strings.Contains(repotest.Git(t, s.Dir(), "log", "-1", "--format=%B", commit), "Tool: follow-up") {
			t.Errorf("check calls the door's own repair a problem: %s", problem)
		}
	}
}

// TestRepairsWithoutAKey: what the door puts back in a list that has no key is no
// problem either.
func TestRepairsWithoutAKey(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(string) string{
		"a creator exchanged": func(s string) string { return strings.Replace(s, "by: ana", "by: eve", 1) },
		"a review given away": func(s string) string {
			head, tail, _ := strings.Cut(s, "reviewed:")
			return head + "reviewed:" + strings.Replace(tail, "bob", "eve", 1)
		},
		"a verdict given": func(s string) string { return strings.TrimSuffix(s, "---\n") + "  verdict: approved\n---\n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChecked(t)
			was := approved(c)
			c.put("eve", "tasks/t1.md", edit(was))
			c.call("ana", "task_add", `{"title":"next"}`)
			if got := c.file("tasks/t1.md"); got != was {
				t.Errorf("it is put back as\n%s\nand was\n%s", got, was)
			}
			noRepairIsWrong(t, c.store)
		})
	}
}

// judge holds a push to the gate.
func (c slipped) judge(want string) {
	c.Helper()
	if want == "" {
		return
	}
	repotest.Git(c, c.Dir, "fetch", "-q", c.Clone, "+HEAD:refs/heads/theirs")
	r := repotest.Open(c, c.Dir, repo.Options{})
	theirs := repotest.Open(c, c.Dir, repo.Options{Branch: "theirs"})
	old, err := r.Tip()
	if err != nil {
		c.Fatal(err)
	}
	next, err := theirs.Tip()
	if err != nil {
		c.Fatal(err)
	}
	paths, err := next.Changed(old.ID())
	if err != nil {
		c.Fatal(err)
	}
	faults, err := records.CheckPush(records.NewBook(old.FS()), records.NewBook(next.FS()), paths,
		records.Push{By: "eve", At: time.Date(2026, 10, 18, 11, 0, 0, 0, time.UTC)})
	if err != nil {
		c.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	if !strings.Contains(strings.Join(got, "\n"), want) {
		c.Errorf("the gate says %q, want %q", got, want)
	}
}

// refused makes a call in a list that wants approval first, and gives the refusal.
func (c slipped) refused(by, tool, input string) string {
	c.Helper()
	s := c.Open(&tools.Settings{Options: tools.Options{RequireApproval: true}})
	caller, err := s.Caller(tools.Who{Person: by})
	if err != nil {
		c.Fatal(err)
	}
	answer, err := tools.Call(context.Background(), s, caller, tool, []byte(input))
	if err == nil {
		c.Errorf("%s was answered: %s", tool, answer.Text)
		return ""
	}
	return err.Error()
}

// TestP21ARestoreBringsNoForgery approves a task by hand, takes it out of the list,
// and has it restored.
func TestP21ARestoreBringsNoForgery(t *testing.T) {
	t.Parallel()
	c := newForged(t)
	for _, f := range toolstest.Forgeries() {
		if f.Name == "an approval under the door's name and date" {
			f.Do(c.Forger)
		}
	}
	approved := repotest.Git(t, c.Clone, "show", "HEAD:tasks/t1.md")
	if !strings.Contains(approved, "approved:") {
		t.Fatalf("the forgery is\n%s", approved)
	}
	repotest.Git(t, c.Clone, "rm", "-q", "tasks/t1.md")
	repotest.Git(t, c.Clone, "commit", "-qm", "out of the list")
	c.Land()
	store := c.Open(nil)
	caller, err := store.Caller(tools.Who{Person: "ana"})
	if err == nil {
		_, err = store.Restore(t.Context(), caller, "t1", false)
	}
	if err != nil {
		t.Fatal(err)
	}
	if file := repotest.Git(t, c.Dir, "show", "main:tasks/t1.md"); strings.Contains(file, "approved") || !strings.Contains(file, "by: ana") {
		t.Errorf("t1 came back as\n%s", file)
	}
}
