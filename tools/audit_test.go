package tools_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
)

// approved makes a task that has every stamp, and gives its file.
func approved(c *checked) string {
	c.call("ana", "task_add", `{"title":"a"}`)
	c.call("bob", "task_approve", `{"task":"t1"}`)
	c.call("ana", "task_set", `{"task":"t1","status":"doing"}`)
	c.call("ana", "task_set", `{"task":"t1","status":"done"}`)
	c.call("bob", "task_review", `{"task":"t1"}`)
	return c.file("tasks/t1.md")
}

// TestFindingsKeepTheirOrder: what is found in one file stands in the order of
// the file, every time.
func TestFindingsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	names := []string{"created", "approved", "started", "finished", "reviewed"}
	for what, edit := range map[string]func(string) string{
		" says by ":      func(s string) string { return strings.ReplaceAll(s, "at: 2026", "at: 2025") },
		" was taken out": func(s string) string { return s[:strings.Index(s, "created:")] + "---\n" },
	} {
		c := newChecked(t)
		c.put("eve", "tasks/t1.md", edit(approved(c)))
		for range 5 {
			report, err := c.store.Check(c.Context())
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, p := range report.Problems {
				before, _, _ := strings.Cut(p, what)
				found = append(found, before[strings.LastIndex(before, " ")+1:])
			}
			if !slices.Equal(found, names) {
				t.Fatalf("%q was found of %q, want %q", what, found, names)
			}
		}
	}
}

// TestFindingsAreMended: what a check says is done, and then it finds nothing
// that still stands.
func TestFindingsAreMended(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(string) string{
		"a stamp put in another's place": func(s string) string { return strings.Replace(s, "at: 2026", "at: 2025", 1) },
		"all of them":                    func(s string) string { return strings.ReplaceAll(s, "at: 2026", "at: 2025") },
		"a stamp taken out":              func(s string) string { return s[:strings.Index(s, "reviewed:")] + "---\n" },
		"a stamp that was not there": func(s string) string {
			return strings.Replace(s, "reviewed:\n", "verified: x\nreviewed:\n  verdict: approved\n", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChecked(t)
			before := approved(c)
			c.put("eve", "tasks/t1.md", edit(before))
			report, err := c.store.Check(c.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Problems) == 0 {
				t.Fatal("no problem was found")
			}
			_, mend, _ := strings.Cut(report.Problems[0], "\n    mend: in a clone, ")
			command, _, _ := strings.Cut(mend, " and push")
			clone := t.TempDir()
			repotest.Git(t, clone, "clone", "-q", c.dir, ".")
			repotest.Git(t, clone, append(strings.Fields(command)[1:], "--no-edit")...)
			repotest.Git(t, clone, "push", "-q", "origin", "main")
			if after := c.file("tasks/t1.md"); after != before {
				t.Fatalf("%s left\n%s", command, after)
			}
			want := make([]string, len(report.Problems))
			for i := range want {
				want[i] = "; mended since"
			}
			c.check(nil, want)
		})
	}
}

// TestAMendClearsOneFinding: what was meddled with once is not free for all from
// then on.
func TestAMendClearsOneFinding(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	before := approved(c)
	forged := strings.Replace(before, "approved:\n  at: 2026", "approved:\n  at: 2025", 1)
	c.put("eve", "tasks/t1.md", forged)
	c.put("ana", "tasks/t1.md", before)
	c.check(nil, []string{"approved says by bob, the commit is by eve; mended since"})
	c.put("eve", "tasks/t1.md", forged)
	c.check([]string{"approved says by bob, the commit is by eve", "approved says by bob, the commit is by eve"}, nil)
	c.put("ana", "tasks/t1.md", before)
	c.call("cid", "task_approve", `{"task":"t1"}`)
	c.put("eve", "tasks/t1.md", before) // bob's, but cid's stands by now
	c.check([]string{"approved says by bob, the commit is by eve"}, []string{"mended since", "mended since"})
	c.put("eve", "tasks/t1.md", "")
	c.check([]string{"", "", ""}, []string{"t1 was removed"}) // a record that is gone clears nobody
}

// TestAnIDUsedTwiceIsMended: the newer of the two gets an id of its own.
func TestAnIDUsedTwiceIsMended(t *testing.T) {
	t.Parallel()
	c := newChecked(t)
	c.call("ana", "task_add", `{"title":"a"}`)
	c.put("bob", "tasks/t1.md", "")
	c.put("bob", "tasks/t1.md", "---\nid: t1\ntitle: another\nstatus: todo\n---\n")
	c.check([]string{"t1 is used a second time\n    mend: in a clone, git mv tasks/t1.md to a name without an id"}, []string{"t1 was removed"})
	clone := t.TempDir()
	repotest.Git(t, clone, "clone", "-q", c.dir, ".")
	repotest.Git(t, clone, "mv", "tasks/t1.md", "tasks/another.md")
	if err := os.WriteFile(filepath.Join(clone, "tasks/another.md"), []byte("---\ntitle: another\nstatus: todo\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, clone, "commit", "-q", "-am", "another name")
	repotest.Git(t, clone, "push", "-q", "origin", "main")
	if got := c.call("ana", "task_add", `{"title":"b"}`); got != "t3 todo medium b" {
		t.Errorf("the next task is %q", got)
	}
	c.check(nil, []string{"t1 was removed", "t1 is used a second time; mended since", "t1 was removed"})
}
