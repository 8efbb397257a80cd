package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/git-tasks/git-tasks/records"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/inbox"
)

// Health is what /healthz answers.
type Health struct {
	Version    string     `json:"version"`
	Started    time.Time  `json:"started"`
	Commit     string     `json:"commit,omitempty"`     // that the list is read from; absent while it is empty
	Commits    int        `json:"commits,omitempty"`    // the branch is made of; absent where a count takes long
	Packs      int        `json:"packs"`                // of the repository; more than 32 for long is a fault
	Bytes      int64      `json:"bytes"`                // that the packs take on disk
	Tasks      int        `json:"tasks"`                // in the list
	Plans      int        `json:"plans"`                // in the list
	Unreadable int        `json:"unreadable"`           // files that are left out of the list
	Swept      *time.Time `json:"swept,omitempty"`      // when the last sweep looked; absent where none did
	SweepError string     `json:"sweepError,omitempty"` // why it failed
	InboxError string     `json:"inboxError,omitempty"` // why no file of the inbox is taken
	Error      string     `json:"error,omitempty"`      // why the list cannot be read; the status is 503 then
}

// countWait bounds how long commits are counted: whoever asks how the host is
// wants to know now.
const countWait = time.Second

// health answers /healthz.
type health struct {
	store   *tools.Store
	inbox   *inbox.Inbox // nil for none
	started time.Time

	mu    sync.Mutex
	swept *time.Time
	fault string
}

// passed is told of each look of the sweep.
func (h *health) passed(at time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.swept, h.fault = &at, ""
	if err != nil {
		h.fault = tools.AsError(err).Message
	}
}

func (h *health) now(ctx context.Context) Health {
	ctx, stop := context.WithTimeout(ctx, countWait)
	defer stop()
	h.mu.Lock()
	now := Health{Version: tools.Version(), Started: h.started, Packs: h.store.Packs(), Bytes: h.store.PackBytes(), Swept: h.swept, SweepError: h.fault}
	h.mu.Unlock()
	if h.inbox != nil {
		now.InboxError = h.inbox.Fault()
	}
	book, commit, err := h.store.Book()
	if err == nil {
		now.Tasks, now.Plans, err = counted(book)
	}
	if err != nil {
		now.Error = tools.AsError(err).Message
		return now
	}
	if !commit.IsZero() {
		now.Commit = commit.String()
	}
	if n, err := h.store.Commits(ctx); err == nil {
		now.Commits = n
	}
	now.Unreadable = len(book.Faults())
	return now
}

// counted gives how many tasks and plans a Book has.
func counted(book *records.Book) (tasks, plans int, err error) {
	t, err := book.Tasks()
	if err != nil {
		return 0, 0, err
	}
	for range t {
		tasks++
	}
	p, err := book.Plans()
	if err != nil {
		return 0, 0, err
	}
	for range p {
		plans++
	}
	return tasks, plans, nil
}

func (h *health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := h.now(r.Context())
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if now.Error != "" {
		w.WriteHeader(tools.Unreachable.Status())
	}
	json.NewEncoder(w).Encode(now) // a client that is gone needs no answer
}
