package serve

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/git-tasks/git-tasks/tools"
)

// TestP9LookedAt: a host that starts while somebody looks for one waits for the look
// to be over; for another host it does not wait for long.
func TestP9LookedAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		by   int
		ends bool
	}{{"by who looks", syscall.LOCK_SH, true}, {"by a host that ends", syscall.LOCK_EX, true}, {"by a host", syscall.LOCK_EX, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			side := t.TempDir()
			other, err := os.Create(filepath.Join(side, "host"))
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if err := syscall.Flock(int(other.Fd()), c.by); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				taken := make(chan error, 1)
				go func() {
					lock, err := takeHostLock(t.Context(), side)
					if err == nil {
						lock.release()
					}
					taken <- err
				}()
				synctest.Wait() // it has tried once
				if c.ends {
					syscall.Flock(int(other.Fd()), syscall.LOCK_UN)
				}
				if err := <-taken; c.ends != (err == nil) || err != nil && tools.AsError(err).Code != tools.Held {
					t.Errorf("the lock is taken with %v", err)
				}
			})
		})
	}
}
