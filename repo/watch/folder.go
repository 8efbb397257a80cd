package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder gives a channel with a signal each time a file may have changed in dir, or
// in the folders that lie in it, since the last signal was taken. Changes that
// nobody has taken a signal for yet share one. The channel is closed when ctx ends.
// What changes after Folder has returned is not missed. dir need not be there.
func Folder(ctx context.Context, dir string) (<-chan struct{}, error) {
	return startFolder(ctx, dir, lookEvery, true)
}

func startFolder(ctx context.Context, dir string, every time.Duration, events bool) (<-chan struct{}, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("watching %s: it is no folder", dir)
	}
	return start(ctx, folder(dir), every, events), nil
}

// folder is the place of the files in a folder, by its path.
type folder string

// folders lists what lies in the folder after that was yielded: what comes later
// is told. That the folder itself is made is told of the one around it.
func (f folder) folders(yield func(string) bool) {
	if _, err := os.Stat(string(f)); err != nil && !yield(filepath.Dir(string(f))) {
		return
	}
	if !yield(string(f)) {
		return
	}
	entries, _ := os.ReadDir(string(f))
	for _, e := range entries {
		if e.IsDir() && !yield(filepath.Join(string(f), e.Name())) {
			return
		}
	}
}

func (f folder) concerns(path string) bool {
	return path == string(f) || strings.HasPrefix(path, string(f)+string(filepath.Separator))
}

// look gives what each file looks like.
func (f folder) look() string {
	var b strings.Builder
	if _, err := os.Stat(string(f)); err != nil {
		b.WriteString("gone\n") // which the system does not tell while somebody has it open
	}
	list(&b, string(f), 1)
	return b.String()
}

// list writes down what each file in a folder looks like.
func list(b *strings.Builder, dir string, deep int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if deep > 0 {
				list(b, path, deep-1)
			}
			continue
		}
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
}
