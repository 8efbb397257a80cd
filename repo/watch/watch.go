package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

// lookEvery is how often a place is looked at in any case.
const lookEvery = 2 * time.Second

// place is what is watched.
type place interface {
	// folders yields those that the system is to tell of, an outer one before what
	// lies in it. They need not be there.
	folders(yield func(string) bool)
	// concerns reports whether what happens to a file or folder in one of them may
	// be a change.
	concerns(path string) bool
	// look gives something that is another after a change.
	look() string
}

type watcher struct {
	place
	events  *fsnotify.Watcher // nil where the system gives none
	signals chan struct{}
	seen    string // what the place looked like at the last signal
}

func start(ctx context.Context, p place, every time.Duration, events bool) <-chan struct{} {
	w := &watcher{place: p, signals: make(chan struct{}, 1)}
	if events {
		// Without events, as where too many programs watch, looking must do.
		w.events, _ = fsnotify.NewWatcher()
	}
	w.addFolders()
	w.seen = w.look()
	go w.run(ctx, every)
	return w.signals
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

// happened is told of a file or folder to which something happened. That is a
// signal however the place looks: it may have changed and changed back, with a
// reader in between.
func (w *watcher) happened(path string) {
	if w.concerns(path) {
		// What was put into a new folder before it was watched is not told.
		w.addFolders()
		w.signal()
	}
}

// addFolders watches each folder that is there. A second time changes nothing;
// a folder that is another one than before is watched anew.
func (w *watcher) addFolders() {
	if w.events == nil {
		return
	}
	for folder := range w.folders {
		_ = w.events.Add(folder) // the look finds what is not told
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
