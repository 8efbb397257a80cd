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

// lookEvery is how often the branch is looked at in any case.
const lookEvery = 2 * time.Second

// Ref gives a channel with a signal each time the branch ref (its full name:
// refs/heads/main) of the repository with the git directory gitDir may have
// moved since the last signal was taken. Moves that nobody has taken a signal
// for yet share one. The channel is closed when ctx ends. What moves after Ref
// has returned is not missed.
func Ref(ctx context.Context, gitDir, ref string) (<-chan struct{}, error) {
	return start(ctx, gitDir, ref, lookEvery, true)
}

type watcher struct {
	folders []string // from the git directory down to that of the branch's file
	file    string   // the branch's own file
	packed  string   // packed-refs

	events  *fsnotify.Watcher // nil where the system gives none
	signals chan struct{}
	seen    string // what the branch was at the last signal
}

func start(ctx context.Context, gitDir, ref string, every time.Duration, events bool) (<-chan struct{}, error) {
	dir, err := filepath.Abs(gitDir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("watching %s: %w", ref, err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("watching %s: %s is no git directory", ref, dir)
	}
	w := &watcher{folders: []string{dir}, packed: filepath.Join(dir, "packed-refs"), signals: make(chan struct{}, 1)}
	parts := strings.Split(ref, "/")
	for i := range parts[:len(parts)-1] {
		w.folders = append(w.folders, filepath.Join(dir, filepath.Join(parts[:i+1]...)))
	}
	w.file = filepath.Join(dir, filepath.FromSlash(ref))
	if events {
		// Without events, as where too many programs watch, looking must do.
		w.events, _ = fsnotify.NewWatcher()
	}
	w.addFolders()
	w.seen = w.look()
	go w.run(ctx, every)
	return w.signals, nil
}

func (w *watcher) run(ctx context.Context, every time.Duration) {
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
			w.happened(e.Name)
		case <-lost:
			w.addFolders()
			w.signal()
		case <-tick.C:
			w.addFolders()
			if w.look() != w.seen {
				w.signal()
			}
		}
	}
}

// happened is told of a file or folder to which something happened.
func (w *watcher) happened(path string) {
	if path == w.file || path == w.packed {
		w.signal()
		return
	}
	for _, folder := range w.folders {
		if path == folder {
			// What was put into a new folder before it was watched is not told.
			w.addFolders()
			w.signal()
			return
		}
	}
}

// addFolders watches each folder that is there. A second time changes nothing;
// a folder that is another one than before is watched anew.
func (w *watcher) addFolders() {
	if w.events == nil {
		return
	}
	for _, folder := range w.folders {
		if w.events.Add(folder) != nil {
			return // it is not there, and so is none below it
		}
	}
}

// signal looks first: the reader will see at least that much.
func (w *watcher) signal() {
	w.seen = w.look()
	select {
	case w.signals <- struct{}{}:
	default: // one is waiting
	}
}

// look gives something that is another when the branch has moved: what its file
// holds, and which packed-refs there is.
func (w *watcher) look() string {
	data, err := os.ReadFile(w.file)
	if err != nil {
		data = []byte("none")
	}
	packed := ""
	if info, err := os.Stat(w.packed); err == nil {
		packed = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	return string(data) + packed
}
