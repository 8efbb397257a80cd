package repo_test

import (
	"context"
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

// TestWithdrawnAhead withdraws a call whose edit was run ahead, while another one's
// commit is still being written: it is answered at once, nothing of it lands, and a
// call behind it is run as if it had never been.
func TestWithdrawnAhead(t *testing.T) {
	t.Parallel()
	moving, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r := repotest.Open(t, repotest.New(t), repo.Options{Fault: func(op, _ string) error {
		if op == "link" {
			once.Do(func() { close(moving); <-goOn })
		}
		return nil
	}})
	errs := make(chan error, 2)
	update := func(ctx context.Context, edit repo.EditFunc) {
		_, err := r.Update(ctx, edit)
		errs <- err
	}
	go update(t.Context(), put("ana", "first.md", "1"))
	<-moving
	ctx, withdraw := context.WithCancel(t.Context())
	ran := make(chan bool, 4)
	looked := func(own string) repo.EditFunc {
		return func(tip *repo.Snapshot) ([]repo.Proposal, error) {
			_, err := fs.Stat(tip.FS(), "second.md")
			ran <- err == nil
			return put("bo", own, "2")(tip)
		}
	}
	go update(ctx, looked("second.md"))
	<-ran
	third := make(chan error, 1)
	go func() {
		_, err := r.Update(t.Context(), looked("third.md"))
		third <- err
	}()
	if saw := <-ran; !saw {
		t.Error("what comes behind a call does not see what it did")
	}
	withdraw()
	if err := <-errs; !errors.Is(err, context.Canceled) {
		t.Errorf("the call that is withdrawn is answered %v", err)
	}
	close(goOn)
	if err, last := <-errs, <-third; err != nil || last != nil {
		t.Fatalf("the others are answered %v and %v", err, last)
	}
	if saw := <-ran; saw || len(ran) > 0 {
		t.Errorf("run again, the last edit saw what was withdrawn: %v; %d runs more", saw, len(ran))
	}
	tip, err := r.Tip()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"first.md": true, "second.md": false, "third.md": true} {
		if _, err := fs.Stat(tip.FS(), name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
