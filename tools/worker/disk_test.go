package worker_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// disk fails every write of the worker's own store while it is full, or the next one.
type disk struct{ full, once atomic.Bool }

func (d *disk) fault(string, string) error {
	if d.full.Load() || d.once.CompareAndSwap(true, false) {
		return errors.New("no space left")
	}
	return nil
}

// A worker whose disk is full when it has to renew loses its claim when the lease is
// over: it stops its command, and what another then does stands.
func TestAFullDiskEndsAClaimWithItsLease(t *testing.T) {
	t.Parallel()
	var d disk
	cfg := tools.Config{Path: repotest.New(t)}
	others := newShopOn(t, toolstest.Open(t, cfg), "")
	cfg.Fault = d.fault
	s := newShopOn(t, toolstest.Again(t, cfg), `echo started; exec tail -f /dev/null`)
	s.cfg.Lease, s.cfg.Max = 2*time.Second, 1
	s.add(`{"title":"a"}`)
	end := s.starts(t.Context())
	<-s.ran
	d.full.Store(true)
	end()
	s.is("t1 lost: its lease ran out and could not be renewed", "t1 todo medium a")
	others.work()
	others.is("t1 done", "t1 done medium a")
	if log := repotest.Git(t, cfg.Path, "log", "-3", "--format=%s", "main"); log != "t1 done: a\nt1 claim: a\nt1 reclaim: a" {
		t.Errorf("the history is\n%s", log)
	}
}

// A disk that is full when the command has ended is waited for, as long as the claim
// holds.
func TestAFullDiskDelaysWhatIsReported(t *testing.T) {
	t.Parallel()
	var d disk
	s := newShopOn(t, toolstest.Open(t, tools.Config{Path: repotest.New(t), Fault: d.fault}), waits)
	s.add(`{"title":"a"}`)
	end := s.starts(t.Context())
	<-s.ran
	d.once.Store(true)
	s.goesOn()
	end()
	if d.once.Load() {
		t.Error("nothing was tried while the disk was full")
	}
	s.is("t1 done", "t1 done medium a")
	if !strings.Contains(s.file("tasks/t1.md"), "status: done") {
		t.Error("it is not done")
	}
}
