package repo_test

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// BenchmarkUpdate commits one small file a call, durably, in folders of at most
// a hundred. Every commit is looked for afterwards.
//
//	go test ./repo/ -run NONE -bench Update
func BenchmarkUpdate(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("%d-callers", callers), func(b *testing.B) {
			dir := repotest.New(b)
			r := repotest.Open(b, dir, repo.Options{})
			var next atomic.Int64
			var all sync.WaitGroup
			b.ResetTimer()
			for range callers {
				all.Go(func() {
					for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
						path := fmt.Sprintf("tasks/%d/%d/t%d.md", n/10000, n/100%100, n)
						if _, err := r.Update(b.Context(), put("ana", path, path)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
			if err := r.Close(); err != nil {
				b.Error(err)
			}
			checkBenchmark(b, dir)
		})
	}
}

// checkBenchmark verifies that each call became a commit, and each file is there.
func checkBenchmark(b *testing.B, dir string) {
	b.Helper()
	if got := repotest.Git(b, dir, "rev-list", "--count", "main"); got != strconv.Itoa(b.N) {
		b.Errorf("%s commits for %d calls", got, b.N)
	}
	tip, err := repotest.Open(b, dir, repo.Options{}).Tip()
	if err != nil {
		b.Fatal(err)
	}
	files := 0
	err = fs.WalkDir(tip.FS(), "tasks", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files++
		}
		return err
	})
	if err != nil || files != b.N {
		b.Errorf("%d files for %d calls, %v", files, b.N, err)
	}
}
