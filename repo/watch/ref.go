package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Ref gives a channel with a signal each time the branch ref (its full name:
// refs/heads/main) of the repository with the git directory gitDir may have
// moved since the last signal was taken. Moves that nobody has taken a signal
// for yet share one. The channel is closed when ctx ends. What moves after Ref
// has returned is not missed.
func Ref(ctx context.Context, gitDir, ref string) (<-chan struct{}, error) {
	return startRef(ctx, gitDir, ref, lookEvery, true)
}

// branch is the place of a branch.
type branch struct {
	parents []string // from the git directory down to the folder of the branch's file
	file    string   // the branch's own file
	packed  string   // packed-refs
}

func startRef(ctx context.Context, gitDir, ref string, every time.Duration, events bool) (<-chan struct{}, error) {
	dir, err := filepath.Abs(gitDir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("watching %s: %w", ref, err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("watching %s: %s is no git directory", ref, dir)
	}
	b := &branch{parents: []string{dir}, file: filepath.Join(dir, filepath.FromSlash(ref)), packed: filepath.Join(dir, "packed-refs")}
	parts := strings.Split(ref, "/")
	for i := range parts[:len(parts)-1] {
		b.parents = append(b.parents, filepath.Join(dir, filepath.Join(parts[:i+1]...)))
	}
	return start(ctx, b, every, events), nil
}

func (b *branch) folders(yield func(string) bool) { slices.Values(b.parents)(yield) }

func (b *branch) concerns(path string) bool {
	return path == b.file || path == b.packed || slices.Contains(b.parents, path)
}

// look gives what the branch's file holds, and which packed-refs there is.
func (b *branch) look() string {
	data, err := os.ReadFile(b.file)
	if err != nil {
		data = []byte("none")
	}
	packed := ""
	if info, err := os.Stat(b.packed); err == nil {
		packed = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	return string(data) + packed
}
