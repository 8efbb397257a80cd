package repo_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// syncOrder judges the file calls of one change to a branch. A power cut keeps
// what was synced and, of the rest, whatever it likes.
type syncOrder struct {
	dir, ref string
	dirty    map[string]bool // files written and not yet synced
	folders  map[string]bool // folders with an entry that is not yet synced
	moved    int
	bad      []string
}

func newSyncOrder(dir string) *syncOrder {
	return &syncOrder{dir: dir, ref: filepath.Join(dir, "refs/heads/main"),
		dirty: map[string]bool{}, folders: map[string]bool{}}
}

// exempt are files that may be lost: nothing is read from them after a crash
// that could make a branch or an object out.
func (o *syncOrder) exempt(path string) bool {
	rel, inside := strings.CutPrefix(path, o.dir+"/")
	return !inside || strings.HasSuffix(rel, ".keep") || strings.HasPrefix(rel, "logs/") ||
		rel == "git-tasks/lock" || rel == "git-tasks/rollup"
}

func (o *syncOrder) see(op, path string) {
	if op != "fsync" && o.exempt(path) {
		return
	}
	switch op {
	case "create", "write":
		o.dirty[path] = true
		o.folders[filepath.Dir(path)] = true
	case "mkdir":
		o.folders[filepath.Dir(path)] = true
	case "fsync":
		delete(o.dirty, path)
		delete(o.folders, path)
	case "unlink":
		delete(o.dirty, path)
	case "link", "rename":
		o.named(path)
	case "answer":
		o.settled("the answer", "objects", "refs")
		if o.moved == 0 {
			o.bad = append(o.bad, "the answer came and no branch was moved")
		}
	}
}

// named is told of a file that gets the name path.
func (o *syncOrder) named(path string) {
	for file := range o.dirty {
		o.bad = append(o.bad, fmt.Sprintf("%s was named while %s was not synced", path, file))
	}
	if path == o.ref {
		o.moved++
		o.settled("the move of the branch", "objects")
	}
	if !strings.HasSuffix(path, ".lock") {
		o.folders[filepath.Dir(path)] = true
	}
}

func (o *syncOrder) settled(what string, parts ...string) {
	for folder := range o.folders {
		for _, part := range parts {
			if strings.HasPrefix(folder+"/", filepath.Join(o.dir, part)+"/") {
				o.bad = append(o.bad, fmt.Sprintf("%s came before folder %s was synced", what, folder))
			}
		}
	}
	for file := range o.dirty {
		o.bad = append(o.bad, fmt.Sprintf("%s came before %s was synced", what, file))
	}
}

// tracer hands every file call of a repository to a syncOrder.
type tracer struct {
	mu    sync.Mutex
	order *syncOrder
	calls []string
}

func (t *tracer) ask(op, path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.order.see(op, path)
	t.calls = append(t.calls, op+" "+path)
	return nil
}

func TestP3SyncsInOrder(t *testing.T) {
	t.Parallel()
	for _, state := range refStates {
		for _, callers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s/%d", state, callers), func(t *testing.T) {
				t.Parallel()
				dir := copyOf(t, stateBefore(t, state))
				trace := &tracer{order: newSyncOrder(dir)}
				r := repotest.Open(t, dir, repo.Options{Fault: trace.ask})
				var calls sync.WaitGroup
				for i := range callers {
					calls.Go(func() {
						if _, err := r.Update(t.Context(), put("ana", fmt.Sprintf("tasks/%d/t.md", i), "x")); err != nil {
							t.Error(err)
						}
					})
				}
				calls.Wait()
				trace.ask("answer", dir+"/answer")
				if bad := trace.order.bad; len(bad) > 0 {
					t.Errorf("%s\nin\n%s", strings.Join(bad, "\n"), strings.Join(trace.calls, "\n"))
				}
			})
		}
	}
}

// TestP3PushSyncsInOrder: git names a pack that it was sent and leaves its folder
// unsynced, which must be done before the branch moves to what is in it.
func TestP3PushSyncsInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		if !c.pushes {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := stateBefore(t, "loose")
			pushed := c.bring(t, dir)
			trace := &tracer{order: newSyncOrder(dir)}
			trace.order.folders[filepath.Join(dir, "objects", "pack")] = true
			r := repotest.Open(t, dir, repo.Options{Fault: trace.ask})
			if _, err := r.Update(t.Context(), c.edit(pushed)); err != nil {
				t.Fatal(err)
			}
			trace.ask("answer", dir+"/answer")
			if bad := trace.order.bad; len(bad) > 0 {
				t.Errorf("%s\nin\n%s", strings.Join(bad, "\n"), strings.Join(trace.calls, "\n"))
			}
		})
	}
}

// TestP3OrderIsJudged gives the judge of the order changes that are wrong.
func TestP3OrderIsJudged(t *testing.T) {
	t.Parallel()
	good := []string{"create objects/pack/x", "write objects/pack/x", "fsync objects/pack/x", "rename objects/pack/pack-x.pack",
		"fsync objects/pack", "create git-tasks/ref.1", "write git-tasks/ref.1", "fsync git-tasks/ref.1",
		"link refs/heads/main.lock", "rename refs/heads/main", "fsync refs/heads", "answer x"}
	judge := func(calls []string) []string {
		o := newSyncOrder("/r")
		for _, call := range calls {
			op, path, _ := strings.Cut(call, " ")
			o.see(op, "/r/"+path)
		}
		return o.bad
	}
	if bad := judge(good); len(bad) > 0 {
		t.Errorf("the right order: %q", bad)
	}
	for i, call := range good {
		if strings.HasPrefix(call, "fsync") || strings.HasPrefix(call, "rename refs") {
			if bad := judge(slices.Delete(slices.Clone(good), i, i+1)); len(bad) == 0 {
				t.Errorf("without %q nothing was found wrong", call)
			}
		}
	}
}
