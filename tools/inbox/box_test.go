package inbox

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// box is an inbox of an empty list, with a clock that the test moves.
type box struct {
	*testing.T
	*Inbox
	log   *strings.Builder
	clock time.Time
}

func newBox(t *testing.T, cfg tools.Config) *box {
	t.Helper()
	b := &box{T: t, log: &strings.Builder{}, clock: time.Unix(1e9, 0)}
	cfg.Path, cfg.Log = repotest.New(t), slog.New(slog.NewTextHandler(b.log, nil))
	b.reopen(toolstest.Open(t, cfg), filepath.Join(t.TempDir(), "in"))
	return b
}

// reopen is what the next host does.
func (b *box) reopen(s *tools.Store, dir string) {
	b.Helper()
	opened, err := Open(s, dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { opened.root.Close() })
	if opened.taken, err = opened.readJournal(); err != nil {
		b.Fatal(err)
	}
	opened.now = func() time.Time { return b.clock }
	b.Inbox = opened
}

// put writes a file. No process may be started meanwhile: until it runs its own program
// it would have the file open for writing as well.
func (b *box) put(name, text string) {
	b.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// pass looks at the folder once, and holds when it wants to look again.
func (b *box) passes(again time.Duration) {
	b.Helper()
	if got := b.pass(b.Context()); got != again {
		b.Errorf("looks again after %v, want %v", got, again)
	}
}

// has holds what lies in the folder, but for the one of what was refused.
func (b *box) has(want ...string) {
	b.Helper()
	b.lies(b.dir, want)
}

// refused holds what was refused.
func (b *box) refused(want ...string) {
	b.Helper()
	b.lies(filepath.Join(b.dir, refused), want)
}

func (b *box) lies(dir string, want []string) {
	b.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.Name() != refused {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		b.Errorf("%s has %q, want %q", filepath.Base(dir), got, want)
	}
}

// tasks are the lines of the list.
func (b *box) tasks(want ...string) {
	b.Helper()
	book, _, err := b.store.Book()
	if err != nil {
		b.Fatal(err)
	}
	tasks, err := book.Tasks()
	if err != nil {
		b.Fatal(err)
	}
	var got []string
	for t := range tasks {
		got = append(got, t.Line())
	}
	if !slices.Equal(got, want) {
		b.Errorf("the list is %q, want %q", got, want)
	}
}

func (b *box) reason(name string) string {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, refused, name+".txt"))
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSuffix(string(data), "\n")
}

var errKilled = errors.New("killed")

// faults fails the n-th file call of the write door.
type faults struct{ left atomic.Int64 }

func (f *faults) fail(op, path string) error {
	if f.left.Add(-1) == 0 {
		return fmt.Errorf("%s %s: the disk is gone", op, filepath.Base(path))
	}
	return nil
}
