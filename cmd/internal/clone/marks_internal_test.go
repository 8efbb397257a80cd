package clone

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMarksGiveBackEveryByte puts lines of ours into any text, once more, and
// others', and takes them out again.
func TestMarksGiveBackEveryByte(t *testing.T) {
	t.Parallel()
	lines := rapid.SampledFrom([]string{"", "a", "# git-tasks", "[include]", "\tpath = x", "\r", "# git-tasks: end", " # git-tasks: begin"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(lines).Draw(t, "lines"), "\n")
		with := marked(text, "one\n", "")
		if again := marked(with, "one\n", ""); again != with {
			t.Fatalf("%q became %q, and done again %q", text, with, again)
		}
		with = marked(with, "one\ntwo\n", "")
		if rest, _, ok := unmarked(with); !ok || rest != text {
			t.Fatalf("%q came back as %q", text, rest)
		}
		behind := rapid.SampledFrom([]string{"[x]\n", "\n", "y"}).Draw(t, "behind")
		want := text + behind
		if text != "" && !strings.HasSuffix(text, "\n") {
			want = text + "\n" + behind // which is a line of its own
		}
		if rest, _, ok := unmarked(with + behind); !ok || rest != want {
			t.Fatalf("%q with %q behind it came back as %q", text, behind, rest)
		}
	})
}

// TestRewriteLeavesTheLockOfOthers has another git take the lock whenever it is free: it
// goes by whoever took it alone.
func TestRewriteLeavesTheLockOfOthers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config")
	lock := file + ".lock"
	over, lost := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err == nil {
				f.Close()
				for range 20 { // it writes
					_, err = os.Lstat(lock)
				}
				if rerr := os.Remove(lock); err != nil || rerr != nil {
					lost <- rerr
					return
				}
			}
			select {
			case <-over:
				lost <- nil
				return
			default:
			}
		}
	}()
	for n := 0; n < 500; {
		changed, err := rewrite(file, lock, func(string) string { return strconv.Itoa(n) })
		if changed {
			n++
		} else if err != nil && !strings.Contains(err.Error(), "another git writes that file") {
			t.Error(err)
			break
		}
		if len(lost) > 0 {
			break
		}
	}
	close(over)
	if err := <-lost; err != nil {
		t.Errorf("a lock of another went: %v", err)
	}
}
