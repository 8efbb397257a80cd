package channel_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/channel"
)

// BenchmarkCommitToAction measures the time from the answer of a call to the
// moment when the last of a thousand readers has its action, over a hundred plans
// and on one, each change on its own.
func BenchmarkCommitToAction(b *testing.B) {
	for _, plans := range []int{100, 1} {
		b.Run(fmt.Sprintf("plans=%d", plans), func(b *testing.B) { benchActions(b, plans) })
	}
}

func benchActions(b *testing.B, plans int) {
	const readers = 1000
	w := newWorld(b)
	hub := newHub(b, w)
	heard := make(chan struct{}, readers)
	var wrong atomic.Int64
	for i := range plans {
		w.call(b, "plan_create", fmt.Sprintf(`{"title":"%d"}`, i))
		w.call(b, "task_add", fmt.Sprintf(`{"title":"0","plan":"p%d"}`, i+1))
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var want atomic.Pointer[string]
	for i := range readers {
		reader := hub.Reader()
		if _, _, err := reader.Follow(fmt.Sprintf("p%d", 1+i%plans)); err != nil {
			b.Fatal(err)
		}
		go func() {
			for {
				batch, err := reader.Next(ctx)
				if err != nil {
					return
				}
				if len(batch.Actions) != 1 || batch.Actions[0].Type != channel.TaskSet || batch.Actions[0].Task.Title != *want.Load() {
					wrong.Add(1)
				}
				heard <- struct{}{}
			}
		}()
	}
	var took []time.Duration
	for b.Loop() {
		n := len(took) + 1
		title := fmt.Sprint(n)
		want.Store(&title)
		w.call(b, "task_set", fmt.Sprintf(`{"task":"t%d","title":"%s"}`, 1+n%plans, title))
		answered := time.Now()
		for range readers / plans {
			<-heard
		}
		took = append(took, time.Since(answered))
	}
	if wrong.Load() > 0 {
		b.Fatalf("%d actions were not what was called for", wrong.Load())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}
