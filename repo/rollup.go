package repo

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// rollUpAt is how many packs may come on top of those the last roll-up
	// left before the next one.
	rollUpAt = 16
	// rollUpWait bounds one roll-up.
	rollUpWait = 10 * time.Minute
)

// rollUp is the upkeep of one process: at most one goroutine at a time, started
// after an answer, and awaited by Close.
type rollUp struct {
	mu      sync.Mutex
	written bool // a pack since the last look
	err     error
	running sync.WaitGroup
	busy    bool
}

// packWritten notes a pack and, where the process goes on, sees to the roll-up
// in the background. A process that ends does it in Close.
func (r *Repo) packWritten() {
	u := &r.roll
	u.mu.Lock()
	defer u.mu.Unlock()
	u.written = true
	if u.busy {
		return
	}
	u.busy = true
	u.running.Go(r.rollUpWhileDue)
}

// rollUpWhileDue looks again after each pack that came meanwhile.
func (r *Repo) rollUpWhileDue() {
	u := &r.roll
	for {
		u.mu.Lock()
		if !u.written {
			u.busy = false
			u.mu.Unlock()
			return
		}
		u.written = false
		u.mu.Unlock()
		err := r.rollUpDue()
		u.mu.Lock()
		u.err = err
		u.mu.Unlock()
	}
}

func (r *Repo) finishRollUp() error {
	r.roll.running.Wait()
	r.roll.mu.Lock()
	defer r.roll.mu.Unlock()
	return r.roll.err
}

// rollUpDue rolls packs up if enough have come, and again until few enough are
// left, however many others write meanwhile. When another process is at it, that
// one looks again before it ends.
func (r *Repo) rollUpDue() error {
	for {
		left := r.packsLeft()
		if r.Packs()-left < rollUpAt {
			return nil
		}
		lock, ok := tryFlock(r.own("rollup"))
		if !ok {
			return nil
		}
		gone, err := r.rollUpLocked(lock)
		unlock(lock)
		if err != nil || gone == 0 {
			return err
		}
	}
}

// rollUpLocked repacks so that each pack holds at least twice what all smaller
// ones do. It moves whole packs and never looks at refs, so it can lose nothing.
// Then the commits get their place in git's commit-graph. It gives how many packs
// are no more.
func (r *Repo) rollUpLocked(lock *os.File) (gone int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), rollUpWait)
	defer cancel()
	gone, err = r.rollUpPacks(ctx, lock)
	r.objects.rolledUp()
	if err != nil {
		return gone, err
	}
	r.writeGraph(ctx, lock)
	if err := lock.Truncate(0); err != nil {
		return gone, err
	}
	_, err = lock.WriteAt([]byte(strconv.Itoa(r.Packs())+"\n"), 0)
	return gone, err
}

// packsLeft is how many packs the last roll-up left; zero where there was none.
func (r *Repo) packsLeft() int {
	data, err := os.ReadFile(r.own("rollup"))
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0
	}
	return min(n, rollUpAt)
}

// Packs counts the packs that a roll-up may touch: all but those that a .keep
// holds. It is zero where the folder of packs cannot be read.
func (r *Repo) Packs() int {
	entries, err := os.ReadDir(r.path("objects", "pack"))
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), ".pack") && strings.HasPrefix(e.Name(), "pack-"):
			n++
		case strings.HasSuffix(e.Name(), ".keep"):
			n--
		}
	}
	return n
}
