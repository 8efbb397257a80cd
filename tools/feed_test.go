package tools_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// TestFollow: what is changed is told in its order, by whomever it was made, and
// no more after the end.
func TestFollow(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	moves, err := feedFrom(t, s, repo.ID{}).Follow(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ana := tools.Who{Person: "ana"}
	steps := []func(){
		func() { toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`) },
		func() {
			repotest.Foreign(t, dir, branch, "eve", "x", repo.File{Path: "tasks/t1.md", Data: []byte("no record")})
		},
		func() { // by another process, as far as this store knows
			other := toolstest.Again(t, tools.Config{Path: dir})
			toolstest.Direct(t, toolstest.List{Store: other}, ana, "task_add", `{"title":"B"}`)
		},
		cancel,
	}
	var told []string
	steps[0]()
	for m, err := range moves {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, words(m))
		steps = steps[1:]
		steps[0]()
	}
	want := []string{"t1 add: A: added A", "x: removed A", "t2 add: B: added B"}
	if !slices.Equal(told, want) {
		t.Errorf("told of %q, want %q", told, want)
	}
}

// feedFrom gives a feed that starts behind a commit.
func feedFrom(t testing.TB, s *tools.Store, from repo.ID) *tools.Feed {
	t.Helper()
	f, err := s.Feed(from)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// words says what a move is and did.
func words(m tools.Move) string {
	var did []string
	for _, c := range m.Changes {
		switch {
		case c.Before == nil:
			did = append(did, "added "+c.After.Title)
		case c.After == nil:
			did = append(did, "removed "+c.Before.Title)
		default:
			did = append(did, "changed "+c.After.Title)
		}
	}
	what := m.What
	if m.Jump {
		what = "jump"
	}
	return what + ": " + strings.Join(did, ", ")
}

// follower holds what a feed said, and fails where that does not follow from
// what it said before.
type follower struct {
	feed  *tools.Feed
	tasks map[string]string
}

// catchUp takes all that is new, and gives it in words.
func (f *follower) catchUp(t *testing.T) []string {
	t.Helper()
	var told []string
	for m, err := range f.feed.Moves() {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, words(m))
		for _, c := range m.Changes {
			if c.Before != nil {
				if f.tasks[c.Before.ID] != c.Before.Title {
					t.Errorf("%s was %q, and not %q", c.Before.ID, f.tasks[c.Before.ID], c.Before.Title)
				}
				delete(f.tasks, c.Before.ID)
			}
			if c.After != nil {
				f.tasks[c.After.ID] = c.After.Title
			}
		}
	}
	return told
}

// TestP30FeedGoesOn: a feed that starts at any commit tells the commits behind
// it, each once and in order, and one that was left in the middle goes on there.
func TestP30FeedGoesOn(t *testing.T) {
	t.Parallel()
	s := toolstest.New(t)
	list := toolstest.List{Store: s}
	ana := tools.Who{Person: "ana"}
	cursors := []repo.ID{{}}
	var want []string
	for _, title := range []string{"A", "B", "C", "D", "E"} {
		toolstest.Direct(t, list, ana, "task_add", `{"title":"`+title+`"}`)
		_, at, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		cursors = append(cursors, at)
		want = append(want, "t"+string(rune('1'+len(want)))+" add: "+title+": added "+title)
	}
	for i, from := range cursors {
		f := &follower{feedFrom(t, s, from), map[string]string{}}
		if told := f.catchUp(t); !slices.Equal(told, want[i:]) {
			t.Errorf("from commit %d: %q, want %q", i, told, want[i:])
		}
		if told := f.catchUp(t); len(told) > 0 {
			t.Errorf("from commit %d, once more: %q", i, told)
		}
	}
	f := feedFrom(t, s, repo.ID{})
	for i := range cursors[1:] {
		for m, err := range f.Moves() {
			if at, _ := f.At(); err != nil || m.At != cursors[i+1] || at != m.At || m.More != (i < len(want)-1) {
				t.Fatalf("move %d is %s, %v, more %v; the feed is at %s", i, m.Commit, err, m.More, at)
			}
			break
		}
	}
}

// TestP10Feed: whatever happens to history, the feed tells what differs between
// the two trees, and goes on from there.
func TestP10Feed(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	git := func(args ...string) string { return repotest.Git(t, dir, args...) }
	put := func(id, title string) string {
		return repotest.Foreign(t, dir, branch, "eve", "put "+title,
			repo.File{Path: records.PathOf(id), Data: []byte("---\nid: " + id + "\ntitle: " + title + "\nstatus: todo\n---\n")})
	}
	f := &follower{feedFrom(t, s, repo.ID{}), map[string]string{}}
	var first, second string
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"unborn", func() {}, nil},
		{"two commits", func() { first, second = put("t1", "A"), put("t2", "B") }, []string{"put A: added A", "put B: added B"}},
		{"reset", func() { git("update-ref", branch, first) }, []string{"jump: removed B"}},
		{"and back", func() { git("update-ref", branch, second) }, []string{"put B: added B"}},
		{"merged into another line", func() {
			git("update-ref", branch, git("commit-tree", "-p", first, "-p", second, "-m", "merge", first+"^{tree}"))
		}, []string{"jump: removed B"}},
		{"amended", func() { git("update-ref", branch, first); put("t2", "C") }, []string{"jump: added C"}},
		{"other history", func() {
			other := git("commit-tree", "-m", "other", first+"^{tree}")
			git("update-ref", branch, other)
		}, []string{"jump: removed C"}},
		{"the first one again", func() { git("update-ref", branch, second) }, []string{"jump: added B"}},
		{"pruned", func() {
			git("update-ref", branch, git("commit-tree", "-m", "alone", first+"^{tree}"))
			git("reflog", "expire", "--expire=now", "--all")
			git("-c", "gc.reflogExpire=now", "gc", "-q", "--prune=now")
		}, []string{"jump: removed B"}},
		{"gone", func() { git("update-ref", "-d", branch) }, []string{"jump: removed A"}},
		{"made anew", func() { put("t1", "D") }, []string{"put D: added D"}},
	} {
		_, book := f.feed.At()
		if _, err := book.Tasks(); err != nil { // as whoever shows them does
			t.Fatal(err)
		}
		step.do()
		if told := f.catchUp(t); !slices.Equal(told, step.want) {
			t.Errorf("%s: told %q, want %q", step.name, told, step.want)
		}
		book, _, err := s.Book()
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := book.Tasks()
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]string{}
		for task := range tasks {
			listed[task.ID] = task.Title
		}
		if !maps.Equal(f.tasks, listed) {
			t.Errorf("%s: the feed told of %v, listed are %v", step.name, f.tasks, listed)
		}
	}
}

// TestP11Feed: damage is told, and is never taken for a list without tasks.
func TestP11Feed(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	s := toolstest.Open(t, tools.Config{Path: dir})
	ana := tools.Who{Person: "ana"}
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"A"}`)
	f := &follower{feedFrom(t, s, repo.ID{}), map[string]string{}}
	f.catchUp(t)
	good := repotest.Git(t, dir, "rev-parse", branch)
	for _, bad := range []string{"", "junk", strings.Repeat("1", 40)} {
		if err := os.WriteFile(dir+"/"+branch, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		var told int
		for m, err := range f.feed.Moves() {
			if told++; err == nil || len(m.Changes) > 0 {
				t.Errorf("a branch that holds %q was told as %q, %v", bad, words(m), err)
			}
		}
		if told != 1 {
			t.Errorf("a branch that holds %q was told %d times", bad, told)
		}
	}
	if err := os.WriteFile(dir+"/"+branch, []byte(good+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	toolstest.Direct(t, toolstest.List{Store: s}, ana, "task_add", `{"title":"B"}`)
	if told := f.catchUp(t); !slices.Equal(told, []string{"t2 add: B: added B"}) {
		t.Errorf("once it is mended: %q", told)
	}
	if _, err := s.Feed(repo.ID{1}); err == nil {
		t.Error("a feed started behind a commit that is not there")
	}
}
