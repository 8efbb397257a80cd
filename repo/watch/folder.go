package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Folder gives a channel with a signal each time a file may have changed in dir, or
// in the folders that lie in it, since the last signal was taken. Changes that
// nobody has taken a signal for yet share one. The channel is closed when ctx ends.
// What changes after Folder has returned is not missed. dir need not be there.
func Folder(ctx context.Context, dir string) (<-chan struct{}, error) {
	return startFolder(ctx, dir, lookEvery, true)
}

type folderWatcher struct {
	dir     string
	events  *fsnotify.Watcher // nil where the system gives none
	signals chan struct{}
	seen    string // what was there at the last signal
}

func startFolder(ctx context.Context, dir string, every time.Duration, events bool) (<-chan struct{}, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("watching %s: it is no folder", dir)
	}
	w := &folderWatcher{dir: dir, signals: make(chan struct{}, 1)}
	if events {
		w.events, _ = fsnotify.NewWatcher() // without events looking must do
	}
	w.add()
	w.seen = w.look()
	go w.run(ctx, every)
	return w.signals, nil
}

func (w *folderWatcher) run(ctx context.Context, every time.Duration) {
	defer close(w.signals)
	var events chan fsnotify.Event
	var lost chan error
	if w.events != nil {
		defer w.events.Close()
		events, lost = w.events.Events, w.events.Errors
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if filepath.Dir(e.Name) == w.dir || e.Name == w.dir {
				w.add() // a new folder may have something in it already
			}
		case <-lost:
			w.add()
		case <-tick.C:
			w.add()
		}
		if now := w.look(); now != w.seen {
			w.seen = now
			select {
			case w.signals <- struct{}{}:
			default: // one is waiting
			}
		}
	}
}

// add watches each folder that is there. A second time changes nothing.
func (w *folderWatcher) add() {
	if w.events == nil || w.events.Add(w.dir) != nil {
		return // it is not there yet
	}
	entries, _ := os.ReadDir(w.dir)
	for _, e := range entries {
		if e.IsDir() {
			_ = w.events.Add(filepath.Join(w.dir, e.Name())) // the look finds what is not told
		}
	}
}

// look gives something that is another when a file has changed.
func (w *folderWatcher) look() string {
	var b strings.Builder
	list(&b, w.dir, 1)
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
