package clone

import (
	"strings"
	"testing"
)

// TestIsWhole: a hook for any program is ours, and none with a line more.
func TestIsWhole(t *testing.T) {
	t.Parallel()
	for _, h := range clonesHooks() {
		for _, note := range []string{"", newFolder} {
			for _, program := range []string{"git-tasks", "/it's here/git-tasks", "'", "PROGRAM", ""} {
				text := h.text(program, note)
				if !h.isWhole(text) {
					t.Errorf("that for %q is not ours:\n%s", program, text)
				}
				for _, other := range []string{text + "echo mine\n", strings.TrimSuffix(text, "\n"),
					strings.Replace(text, "\nfor ", "\necho 'mine'\nfor ", 1), strings.Replace(text, " git-tasks;", " 'mine' git-tasks;", 1)} {
					if h.isWhole(other) {
						t.Errorf("ours is\n%s", other)
					}
				}
			}
		}
	}
}
