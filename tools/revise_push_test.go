package tools_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestReviseIsAPush: what becomes of a file that a person wrote, beside whatever came
// meanwhile, is to the byte what becomes of it where the same person pushes it from a
// stale clone: the file, or the words of the refusal.
func TestReviseIsAPush(t *testing.T) {
	t.Parallel()
	clock := toolstest.NewClock()
	edited := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	pushed := toolstest.Open(t, tools.Config{Path: repotest.New(t), Now: clock.Now})
	both := func(by, tool, input string) {
		t.Helper()
		call(t, edited, by, tool, input)
		call(t, pushed, by, tool, input)
	}
	both("ana", "task_add", `{"title":"A"}`)
	p, q := newPusher(t, edited.Dir()), newPusher(t, pushed.Dir())
	next := 1
	rapid.Check(t, func(r *rapid.T) {
		next++
		clock.Pass(time.Minute)
		id := fmt.Sprint("t", next)
		both("ana", "task_add", `{"title":"Title","labels":["a","b"],"note":"first","body":"one\n\ntwo"}`)
		if rapid.Bool().Draw(r, "claimed") {
			both("ana", "task_claim", fmt.Sprintf(`{"task":%q,"leaseFor":"30m"}`, id))
		}
		a := newAuthor(t, edited, rapid.SampledFrom([]string{"ana", "bob"}).Draw(r, "by"), id)
		repotest.Git(t, q.clone, "fetch", "-q", "origin", "main")
		repotest.Git(t, q.clone, "reset", "-q", "--hard", "FETCH_HEAD")
		text := rewrite(r, string(a.file.Data))
		if text == string(a.file.Data) {
			return
		}
		for _, change := range rapid.SliceOfN(rapid.SampledFrom([]string{`"title":"Other"`, `"note":"second"`, `"labels":["c"]`, `"status":"review"`, `"body":"three"`, `"priority":"low"`, `"blockedBy":["t1"]`}), 0, 2).Draw(r, "meanwhile") {
			both("ana", "task_set", fmt.Sprintf(`{"task":%q,%s}`, id, change))
		}
		clock.Pass(rapid.SampledFrom([]time.Duration{time.Second, 30 * time.Minute}).Draw(r, "pause"))
		_, failed := a.s.Revise(t.Context(), a.caller, a.at, records.File{Path: a.file.Path, Data: []byte(text)})
		q.commit(a.caller.By(), a.file.Path, text)
		l := q.landing(toFor)
		refused := pushed.Judge(l)
		if refused == nil {
			_, refused = pushed.Land(t.Context(), l)
		}
		if said, want := refusalOf(failed), refusalOf(refused); said != want {
			r.Fatalf("the edit is refused with %q, the push with %q:\n%s", said, want, text)
		}
		if file, want := p.file(a.file.Path), q.file(a.file.Path); file != want {
			r.Fatalf("after the edit the file is\n%s\nand after the push\n%s", file, want)
		}
	})
}

func refusalOf(err error) string {
	if err == nil {
		return ""
	}
	e := tools.AsError(err)
	return string(e.Code) + ": " + e.Message
}

// rewrite is what a person makes of a file.
func rewrite(r *rapid.T, text string) string {
	for range rapid.IntRange(1, 3).Draw(r, "edits") {
		change := rapid.SampledFrom([][2]string{
			{"title: Title", "title: Mine"}, {"title: Title", "title: Mine: and unquoted"}, {"note: first", "note: mine"}, {"status: todo", "status: doing"},
			{"status: todo", "status: done"}, {"status: doing", "status: todo"}, {"status: todo", "status: soon"}, {"priority: medium", "priority: high"},
			{"  - b", "  - d"}, {"refs: []", "refs: []\nx-mine: 1"}, {"refs: []", "refs: []\nowner: mia"}, {"one", "one more"}, {"two", "two\n\nthree"},
			{"created:", "approved:\n  at: 2026-10-18T10:00:00.000Z\n  by: bob\ncreated:"}, {"blockedBy: []", "blockedBy: [t1, t1]"}, {"blockedBy: []", "blockedBy: [t999999]"},
			{"id: ", "id: 0"}, {"note: first\n", ""}, {"---\n", ""}, {"\n", "\r\n"},
		}).Draw(r, "edit")
		n := 1
		if change[0] == "\n" {
			n = -1
		}
		text = strings.Replace(text, change[0], change[1], n)
	}
	return text
}
