package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestQueueHistoryNamesStolenClaims: who takes a task from its holder past the tools is
// named, by one commit or several; the holder's own hand, and what comes once the claim
// is over, is not.
func TestQueueHistoryNamesStolenClaims(t *testing.T) {
	t.Parallel()
	const stolen = "came past the gate, which says: tasks/t1.md: t1 is held by w1 in ahp-session:/s1"
	for name, c := range map[string]struct {
		changes [][3]string // by, old, new
		later   time.Duration
		want    bool
	}{
		"lease":                  {[][3]string{{"eva", "  by: w1\n  in: ahp-session:/s1", "  by: eva"}}, 0, true},
		"owner and lease":        {[][3]string{{"eva", "owner: w1\nlease:\n", "owner: eva\nlease:\n"}, {"eva", "  by: w1\n  in: ahp-session:/s1", "  by: eva"}}, 0, true},
		"title":                  {[][3]string{{"eva", "title: A", "title: B"}}, 0, true},
		"behind another's":       {[][3]string{{"eva", "  by: w1\n  in: ahp-session:/s1", "  by: eva"}, {"bob", "", ""}}, 0, true},
		"ahead of the holder's":  {[][3]string{{"eva", "title: A", "title: B"}, {"w1", "", ""}}, 0, true},
		"when it is over":        {[][3]string{{"eva", "title: A", "title: B"}}, time.Hour, false},
		"a note":                 {[][3]string{{"eva", "status:", "note: seen\nstatus:"}}, 0, false},
		"beside it, by somebody": {[][3]string{{"eva", "", ""}}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := toolstest.NewClock()
			dir := repotest.New(t)
			s := toolstest.Again(t, tools.Config{Path: dir, Now: clock.Now})
			worker(t, s, "1", "task_add", `{"title":"A"}`)
			worker(t, s, "1", "task_claim", `{"task":"t1","leaseFor":"30m"}`)
			clock.Pass(c.later)
			for _, change := range c.changes {
				text := repotest.Git(t, dir, "show", "main:tasks/t1.md") + "\n"
				path, next := "tasks/t1.md", strings.Replace(text, change[1], change[2], 1)
				if change[1] == "" {
					path, next = "notes.txt", "x"
				}
				repotest.Foreign(t, dir, branch, change[0], "by hand", repo.File{Path: path, Data: []byte(next)})
			}
			report, err := s.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(append(report.Problems, report.Notes...), "\n")
			if strings.Contains(all, stolen) != c.want {
				t.Errorf("history says\n%s", all)
			}
		})
	}
}
