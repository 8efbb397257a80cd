package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

// Holder says which host serves a repository; it is what stands in the file
// that the host holds a lock on.
type Holder struct {
	PID     int       `json:"pid"`
	Start   time.Time `json:"start"`
	Address string    `json:"address"`
	Version string    `json:"version"`
}

// Running gives the host that serves the list of a store; ok is false where none
// does. Of one that is just starting, nothing more is known.
func Running(s *tools.Store) (h Holder, ok bool) {
	file, err := os.Open(filepath.Join(s.Side(), "host"))
	if err != nil {
		return h, false
	}
	defer file.Close()
	if syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return h, false // and with the file goes the lock
	}
	if data, err := io.ReadAll(file); err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}, true
	}
	return h, true
}

// hostLock is the lock of a host on its repository. It lasts until release, or
// until the process ends, however that happens.
type hostLock struct{ file *os.File }

// lockWait is how long the lock is tried for. Who looks for a host holds it for an
// instant ([Running]), and so does a program that a killed host was starting.
const lockWait = time.Second

// takeHostLock takes the lock of the repository whose side folder this is, or names
// the host that has it.
func takeHostLock(ctx context.Context, side string) (*hostLock, error) {
	if err := os.MkdirAll(side, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder for the host's lock: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(side, "host"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the host's lock: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	again := time.NewTicker(lockWait / 100)
	defer again.Stop()
	for syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		select {
		case <-again.C:
		case <-ctx.Done():
			defer file.Close()
			return nil, &tools.Error{Code: tools.Held, Message: "a host serves this list already: " + whoHolds(file)}
		}
	}
	c := &hostLock{file}
	if err := file.Truncate(0); err != nil {
		c.release()
		return nil, fmt.Errorf("clearing the host's lock: %w", err)
	}
	return c, nil
}

// whoHolds words what stands in the file. A host that has just started has not
// written it yet.
func whoHolds(file *os.File) string {
	var h Holder
	data, err := io.ReadAll(file)
	if err != nil || json.Unmarshal(data, &h) != nil {
		return "it is just starting"
	}
	return fmt.Sprintf("process %d at %s, since %s", h.PID, h.Address, h.Start.Format(time.RFC3339))
}

// say writes who holds the lock.
func (c *hostLock) say(h Holder) error {
	data, err := json.Marshal(h)
	if err == nil {
		_, err = c.file.WriteAt(append(data, '\n'), 0)
	}
	if err != nil {
		return fmt.Errorf("writing the host's lock: %w", err)
	}
	return nil
}

// release lets the lock go. The file stays: a host that opened it before it went
// would hold a lock that nobody sees.
func (c *hostLock) release() {
	c.file.Truncate(0) // what stands in it counts only under the lock
	// Closing is not enough: a program that is being started at this moment holds
	// the file too, until it runs.
	syscall.Flock(int(c.file.Fd()), syscall.LOCK_UN)
	c.file.Close()
}
