package repotest

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Callers has so many callers make the calls 1 to b.N of a benchmark, each one at a
// time and all at once, and tells commits a second and x-file: the time of a call as
// a multiple of that of a small file that is created, synced, renamed and its folder
// synced. open gives each caller how it calls.
func Callers(b *testing.B, callers int, open func() (call func(n int) error, err error)) {
	b.Helper()
	file, err := durableTime(b.TempDir(), 100)
	if err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	var all sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for range callers {
		all.Go(func() {
			call, err := open()
			for n := int(next.Add(1)); err == nil && n <= b.N; n = int(next.Add(1)) {
				err = call(n)
			}
			if err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(file), "x-file")
}
