package repo

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestP31LockIsGivenUp: a process that holds the write door and does not move is
// waited for as long as a call has patience, and then named; when it lets go the
// next call goes in.
func TestP31LockIsGivenUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "records.git")
	if _, err := Init(path); err != nil {
		t.Fatal(err)
	}
	open := func() *Repo {
		r, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
	hangs, waits := open(), open()
	err := hangs.withLock(t.Context(), func() error {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer stop()
		err := waits.withLock(ctx, func() error { return nil })
		if !IsKind(err, Busy) || !strings.Contains(err.Error(), "another git-tasks process has been writing") {
			t.Errorf("whoever waits is told %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := waits.withLock(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("when it lets go: %v", err)
	}
}
