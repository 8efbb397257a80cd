package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/git-tasks/git-tasks/records"
)

// medley is a list of n tasks of many kinds, some files broken, with gaps.
func medley(rnd *rand.Rand, n int) fstest.MapFS {
	files := fstest.MapFS{}
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }
	for i := 1; i <= n; i += 1 + rnd.IntN(3) {
		id := fmt.Sprintf("t%d", i)
		more := []string{"labels: [" + pick("docs", "web", "docs, web") + "]", "plan: " + pick("p1", "p2", "p3")}
		if rnd.IntN(2) == 0 {
			more = append(more, "owner: "+pick("ana", "bob"))
		}
		if rnd.IntN(3) == 0 {
			more = append(more, fmt.Sprintf("blockedBy: [t%d]", 1+rnd.IntN(n+5)))
		}
		if rnd.IntN(3) == 0 {
			more = append(more, fmt.Sprintf("approved:\n  at: 2026-10-%02dT10:00:00.0005Z\n  by: %s", 10+rnd.IntN(9), pick("ana", "bob")))
		}
		text := taskFile(id, pick("todo", "doing", "done", "dropped"), more...) + pick("", "\nRead the LEXER first.\n", "\nÄrger mit Über.\n")
		if rnd.IntN(20) == 0 {
			text = "broken"
		}
		files[records.PathOf(id)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// matches is a filter said the long way.
func matches(t *testing.T, b *records.Book, f records.Filter, task *records.Task) bool {
	t.Helper()
	by, since := f.By == "", f.Since.IsZero()
	for _, s := range task.Stamps() {
		at, ok := s.Time()
		by, since = by || s.By == f.By, since || ok && !at.Before(f.Since)
	}
	ready, err := b.Ready(task, f.Rules.RequireApproval)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range f.Labels {
		if !slices.Contains(task.Labels, label) {
			return false
		}
	}
	text := strings.ToLower(f.Text)
	return by && since && (f.Status == "" || task.Status == f.Status) && (f.Plan == "" || task.Plan == f.Plan) &&
		(f.Owner == "" || task.Owner == f.Owner) && (f.Approved == nil || *f.Approved == (task.Approved != nil)) &&
		(f.Ready == nil || *f.Ready == ready) &&
		(strings.Contains(strings.ToLower(task.Title), text) || strings.Contains(strings.ToLower(task.Body), text))
}

func anyFilter(rnd *rand.Rand) (f records.Filter) {
	yes := func() bool { return rnd.IntN(4) == 0 }
	flag := func() *bool { is := rnd.IntN(2) == 0; return &is }
	if yes() {
		f.Status = records.Todo
	}
	if yes() {
		f.Approved = flag()
	}
	if yes() {
		f.Ready, f.Rules.RequireApproval = flag(), rnd.IntN(2) == 0
	}
	if yes() {
		f.Plan = "p2"
	}
	if yes() {
		f.Owner = "ana"
	}
	if yes() {
		f.Labels = []string{"docs", "web"}[:1+rnd.IntN(2)]
	}
	if yes() {
		f.By = "bob"
	}
	if yes() {
		f.Since = time.Date(2026, 10, 10+rnd.IntN(9), 10, 0, 0, rnd.IntN(3)*250_000, time.UTC)
	}
	if yes() {
		f.Text = []string{"the lexer", "LEX", "über", "t1", ".", "no such"}[rnd.IntN(6)]
	}
	return f
}

// A page by the indexes is a page by a look at every task, and pages put
// together are the whole.
func TestSelectIsALookAtEveryTask(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(8, 4))
	for range 12 {
		files := medley(rnd, 700)
		book := records.NewBook(files)
		for range 60 {
			f := anyFilter(rnd)
			var want []string
			tasks, err := book.Tasks()
			if err != nil {
				t.Fatal(err)
			}
			for task := range tasks {
				if matches(t, book, f, task) {
					want = append(want, task.ID)
				}
			}
			if got := pages(t, book, f, 0); !slices.Equal(got, want) {
				t.Fatalf("%+v\n got %v\nwant %v", f, got, want)
			}
			if got := pages(t, book, f, 1+rnd.IntN(70)); !slices.Equal(got, want) {
				t.Fatalf("%+v in pages\n got %v\nwant %v", f, got, want)
			}
		}
		// The indexes follow a change.
		path := records.PathOf("t1")
		files[path] = &fstest.MapFile{Data: []byte(taskFile("t1", "review", "owner: zoe"))}
		book = book.Advance(files, []string{path})
		for _, f := range []records.Filter{{Owner: "zoe"}, {Status: records.Review}} {
			if got := pages(t, book, f, 0); !slices.Equal(got, []string{"t1"}) {
				t.Fatalf("%+v gives %v", f, got)
			}
		}
	}
}

// pages gives the ids that match, limit at a time, and holds each page to what
// it says of the rest.
func pages(t *testing.T, b *records.Book, f records.Filter, limit int) (ids []string) {
	t.Helper()
	above, left := 0, -1
	for {
		page, more, err := b.Select(f, above, limit)
		if err != nil {
			t.Fatal(err)
		}
		if limit > 0 && len(page) > limit || left >= 0 && len(page)+more != left {
			t.Fatalf("a page of %d, %d left, where %d were", len(page), more, left)
		}
		for _, task := range page {
			ids = append(ids, task.ID)
			if _, above, _ = records.ParseID(task.ID); above == 0 {
				t.Fatal(task.ID)
			}
		}
		if left = more; left == 0 {
			return ids
		}
	}
}
