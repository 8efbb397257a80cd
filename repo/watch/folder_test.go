package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// written puts a file in its place as programs do that never show half of one.
func written(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// shows waits for signals until a file says what it should, as its reader would.
func shows(t *testing.T, signals <-chan struct{}, path, want string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case <-limit:
			t.Fatalf("no signal came when %s became %q", path, want)
		case _, open := <-signals:
			if !open {
				t.Fatal("the channel was closed")
			}
			if data, _ := os.ReadFile(path); string(data) == want {
				return
			}
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		every  time.Duration
		events bool
	}{"events": {never, true}, "looking": {10 * time.Millisecond, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			written(t, filepath.Join(dir, "old/1.json"), "as it was")
			ctx, stop := context.WithCancel(t.Context())
			signals, err := startFolder(ctx, dir, c.every, c.events)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"old/1.json", "old/2.json", "new/1.json", "new/1.json", "beside.json"} {
				path := filepath.Join(dir, file)
				was, _ := os.ReadFile(path)
				written(t, path, string(was)+"more")
				shows(t, signals, path, string(was)+"more")
			}
			if err := os.Remove(filepath.Join(dir, "new/1.json")); err != nil {
				t.Fatal(err)
			}
			shows(t, signals, filepath.Join(dir, "new/1.json"), "")
			stop()
			for range signals {
				continue // until it is closed
			}
		})
	}
}

func TestFolderThatComesLater(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "not/yet")
	signals, err := startFolder(t.Context(), dir, 10*time.Millisecond, true)
	if err != nil {
		t.Fatal(err)
	}
	written(t, filepath.Join(dir, "a/1.json"), "x")
	shows(t, signals, filepath.Join(dir, "a/1.json"), "x")

	file := filepath.Join(t.TempDir(), "file")
	written(t, file, "x")
	if _, err := Folder(t.Context(), file); err == nil {
		t.Error("a file is watched as a folder")
	}
}

// TestFolderChangedAndLookingAlike puts a file in another's place that is as long
// and as old: only the system's word tells of it.
func TestFolderChangedAndLookingAlike(t *testing.T) {
	t.Parallel()
	dir, beside := t.TempDir(), t.TempDir()
	file, next := filepath.Join(dir, "1.json"), filepath.Join(beside, "1.json")
	when := time.Unix(1_800_000_000, 0)
	for path, text := range map[string]string{file: "todo", next: "done"} {
		written(t, path, text)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	signals, err := startFolder(t.Context(), dir, never, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, file); err != nil {
		t.Fatal(err)
	}
	shows(t, signals, file, "done")
}

// TestFolderGoesWhileItIsOpen: an empty folder that somebody has open is taken away,
// and made again.
func TestFolderGoesWhileItIsOpen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "in")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	signals, err := startFolder(t.Context(), dir, 10*time.Millisecond, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func() error{func() error { return os.Remove(dir) }, func() error { return os.Mkdir(dir, 0o700) }} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-signals:
		case <-time.After(20 * time.Second):
			t.Fatal("no signal came")
		}
	}
}

// TestFolderIsMade: what is put into a folder that was not there is told at once, and
// what lies beside it is not.
func TestFolderIsMade(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	dir := filepath.Join(outer, "in")
	signals, err := startFolder(t.Context(), dir, time.Hour, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	<-signals
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	shows(t, signals, filepath.Join(dir, "a"), "one")
	if f := folder(dir); f.concerns(filepath.Join(outer, "lock")) || f.concerns(dir+"-2") || !f.concerns(dir) {
		t.Error("what lies beside a folder concerns it, or the folder does not")
	}
}
