package serve

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A list is live memory for as long as the host runs. The collector's own target, as
// much garbage as there is live memory, has the host of a large list take twice what
// it needs, and that of a small one collect all the time. Garbage may be so many
// bytes, or, where that is more, a quarter of what is live.
const (
	garbageLeast   = 48 << 20
	garbagePercent = 25
	garbageMost    = 1000 // where hardly anything is live
)

// garbageFor gives the percentage of the live memory that garbage may be.
func garbageFor(live uint64) int {
	return int(min(garbageMost, max(garbagePercent, 100*garbageLeast/max(live, 1))))
}

// collector sets the target of the garbage collector anew after each collection. It
// is for a process that is a host and nothing else.
type collector struct {
	live func() uint64         // what the last collection left
	set  func(percent int) int // gives what was set before

	mu      sync.Mutex
	percent int // as it is set
	over    bool
}

// collect begins with it, until ctx ends: then it sets what was set before.
func (c *collector) collect(ctx context.Context) {
	c.percent = garbageFor(c.live())
	before := c.set(c.percent)
	c.await()
	<-ctx.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.set(before)
}

// await has the next collection be the occasion: it finds this gone.
func (c *collector) await() {
	occasion := &struct{ *collector }{}
	runtime.AddCleanup(occasion, (*collector).collected, c)
}

// collected is told after a collection.
func (c *collector) collected() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	// The world stops for each setting, so one that is nearly the same is left.
	if percent := garbageFor(c.live()); percent > c.percent*9/8 || percent < c.percent*8/9 {
		c.percent = percent
		c.set(percent)
	}
	c.await()
}

func newCollector() *collector { return &collector{live: liveMemory, set: debug.SetGCPercent} }

// liveMemory is what the last collection left.
func liveMemory() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
