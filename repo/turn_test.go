package repo_test

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// TestLookAhead has a call come while another one's commit is being written: its
// edit is run at once, on the tip that is about to be. Where that does not come
// to be, it is run again on the one that is.
func TestLookAhead(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	for _, c := range []struct {
		name   string
		result error
		seen   []bool // whether each run of the second edit saw the first file
	}{{"landed", nil, []bool{true}}, {"failed", full, []bool{true, false}}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			moving, ran := make(chan struct{}), make(chan struct{})
			var once, twice sync.Once
			r := repotest.Open(t, repotest.New(t), repo.Options{Fault: func(op, _ string) (err error) {
				if op == "link" {
					once.Do(func() { close(moving); <-ran; err = c.result })
				}
				return err
			}})
			first := make(chan error, 1)
			go func() {
				_, err := r.Update(t.Context(), put("ana", "first.md", "1"))
				first <- err
			}()
			<-moving
			var seen []bool
			_, err := r.Update(t.Context(), func(tip *repo.Snapshot) ([]repo.Proposal, error) {
				_, err := fs.Stat(tip.FS(), "first.md")
				seen = append(seen, err == nil)
				twice.Do(func() { close(ran) })
				return put("bo", "second.md", "2")(tip)
			})
			if ferr := <-first; err != nil || !errors.Is(ferr, c.result) {
				t.Fatalf("the calls were answered %v and %v", ferr, err)
			}
			if !slices.Equal(seen, c.seen) {
				t.Errorf("the second edit saw the first file: %v, want %v", seen, c.seen)
			}
			tip, err := r.Tip()
			if err != nil {
				t.Fatal(err)
			}
			_, missing := fs.Stat(tip.FS(), "first.md")
			if _, err := fs.Stat(tip.FS(), "second.md"); err != nil || (missing == nil) != (c.result == nil) {
				t.Errorf("first.md: %v, second.md: %v", missing, err)
			}
		})
	}
}
