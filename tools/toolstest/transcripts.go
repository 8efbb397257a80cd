package toolstest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Transcripts plays each file that a pattern names, as a test of its own beside the
// others. A file says what is said and what must be answered; play gives it as it
// was in fact, which must be the same. With update it becomes the file.
func Transcripts(t *testing.T, pattern string, update bool, play func(t *testing.T, file []byte) (played []byte)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d transcripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, want)
			switch {
			case bytes.Equal(got, want):
			case update:
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s:%s\n(-update writes it)", path, difference(string(want), string(got)))
			}
		})
	}
}

// difference shows the first line that differs.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("%d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf(" %d lines, want %d", len(g), len(w))
}
