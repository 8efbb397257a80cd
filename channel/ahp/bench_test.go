package ahp_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
)

// BenchmarkCommitToAction measures the time from a call to the moment when the last
// of a thousand clients of one plan has its action, over the network of the machine.
func BenchmarkCommitToAction(b *testing.B) {
	const clients = 1000
	h := newHosted(b)
	h.call(b, "task_add", `{"title":"0","plan":"p1"}`)
	heard := make(chan []byte, clients)
	var reading sync.WaitGroup
	for i := range clients {
		conn := h.dial(b, fmt.Sprint(i))
		reading.Go(func() {
			for {
				_, data, err := conn.Read(b.Context())
				if err != nil {
					return
				}
				heard <- data
			}
		})
	}
	changes := 0
	for b.Loop() {
		changes++
		h.call(b, "task_set", fmt.Sprintf(`{"task":"t1","title":"%d"}`, changes))
		want := fmt.Appendf(nil, `"title":"%d"`, changes)
		for range clients {
			if data := <-heard; !bytes.Contains(data, want) {
				b.Fatalf("change %d was told as %s", changes, data)
			}
		}
	}
	b.ReportMetric(float64(changes*clients)/b.Elapsed().Seconds(), "frames/s")
	h.end()
	reading.Wait()
}
