package serve

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestGarbageFor holds what a host takes to its budget: of a list of 100 000 tasks,
// of which some 250 MiB are live while it is read and changed, less than 400 MiB.
func TestGarbageFor(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, c := range []struct{ live, most uint64 }{
		{0, 48}, {1, 48}, {4, 52}, {6, 54}, {32, 81}, {64, 113}, {100, 149}, {120, 168}, {250, 313}, {2300, 2875},
	} {
		live := c.live * mib
		if took := (live + live*uint64(garbageFor(live))/100) / mib; took > c.most || took < c.live*125/100 {
			t.Errorf("of %d MiB live the host takes %d, want at least %d and at most %d", c.live, took, c.live*125/100, c.most)
		}
	}
	for live := uint64(0); live < 1<<40; live += 1 + live/3 {
		if p := garbageFor(live); p < garbagePercent || p > garbageMost {
			t.Fatalf("of %d bytes live, %d %% may be garbage", live, p)
		}
	}
}

// TestCollector has the target be set by real collections: it follows what is live,
// and is what it was when the host has ended.
func TestCollector(t *testing.T) {
	t.Parallel()
	var live atomic.Uint64
	set := make(chan int, 100)
	c := &collector{live: live.Load, set: func(percent int) int { set <- percent; return 77 }}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.collect(ctx)
	}()
	if got := <-set; got != garbageMost {
		t.Errorf("with nothing live %d %% may be garbage, want %d", got, garbageMost)
	}
	for _, next := range []struct {
		live uint64
		want int
	}{{96 << 20, 50}, {300 << 20, garbagePercent}, {16 << 20, 300}} {
		live.Store(next.live)
		runtime.GC()
		if got := <-set; got != next.want {
			t.Errorf("of %d bytes live %d %% may be garbage, want %d", next.live, got, next.want)
		}
	}
	stop()
	<-ended
	if got := <-set; got != 77 {
		t.Errorf("when the host has ended %d is set, want what was set before it", got)
	}
}
