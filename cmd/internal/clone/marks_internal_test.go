package clone

import (
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
