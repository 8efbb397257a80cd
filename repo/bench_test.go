package repo_test

import (
	"fmt"
	"io/fs"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

// BenchmarkUpdate changes one small file a call, durably, in a tree of so many
// files, at most a hundred of them in a folder. Every change is looked for
// afterwards. x-file is the time a commit takes as a multiple of one small file
// that is created, synced, renamed and its folder synced.
//
//	go test ./repo/ -run NONE -bench Update -count 6 | benchstat -
func BenchmarkUpdate(b *testing.B) {
	for _, files := range []int{1_000, 10_000, 100_000} {
		for _, callers := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("files=%d/callers=%d", files, callers), func(b *testing.B) {
				dir := repotest.New(b)
				if err := repotest.Import(dir, "refs/heads/main", repo.Person{Name: "git-tasks"}, benchFiles(files)); err != nil {
					b.Fatal(err)
				}
				r := repotest.Open(b, dir, repo.Options{})
				benchUpdate(b, r, files, callers)
				checkBenchmark(b, dir, files)
			})
		}
	}
}

func benchPath(n int) string { return fmt.Sprintf("tasks/%d/%d/t%d.md", n/10000, n/100%100, n) }

// benchFiles is one commit with all files.
func benchFiles(n int) iter.Seq[repo.Proposal] {
	return func(yield func(repo.Proposal) bool) {
		p := repo.Proposal{Author: repo.Person{Name: "ana"}, At: time.Unix(1_800_000_000, 0)}
		for i := range n {
			p.Files = append(p.Files, repo.File{Path: benchPath(i), Data: benchText(i, 0)})
		}
		yield(p)
	}
}

// benchText is a record's size of text, another one for each change.
func benchText(file, change int) []byte {
	return fmt.Appendf(nil, "---\nid: t%d\ntitle: The task with the number %[1]d\nstatus: todo\npriority: high\nlabels:\n  - docs\n  - cli\n"+
		"note: changed by call %d\ncreated:\n  at: 2026-10-18T10:00:00.000Z\n  by: ana\n  in: ahp-session:/one\n---\n\nWhat is to be done.\n",
		file, change)
}

// benchFile spreads the changes over the files.
func benchFile(change, files int) int { return change * 7919 % files }

func benchUpdate(b *testing.B, r *repo.Repo, files, callers int) {
	b.Helper()
	repotest.Callers(b, callers, func() (func(int) error, error) {
		return func(n int) error {
			path := benchPath(benchFile(n, files))
			_, err := r.Update(b.Context(), put("ana", path, string(benchText(benchFile(n, files), n))))
			return err
		}, nil
	})
	if err := r.Close(); err != nil {
		b.Error(err)
	}
}

// checkBenchmark verifies that each call became a commit, and that each file
// holds one of its changes, or what it began with.
func checkBenchmark(b *testing.B, dir string, files int) {
	b.Helper()
	if got := repotest.Git(b, dir, "rev-list", "--count", "main"); got != strconv.Itoa(b.N+1) {
		b.Errorf("%s commits for %d calls and one", got, b.N)
	}
	tip, err := repotest.Open(b, dir, repo.Options{}).Tip()
	if err != nil {
		b.Fatal(err)
	}
	changes := map[int]map[string]bool{}
	for n := 1; n <= b.N; n++ {
		file := benchFile(n, files)
		if changes[file] == nil {
			changes[file] = map[string]bool{}
		}
		changes[file][string(benchText(file, n))] = true
	}
	for file, texts := range changes {
		data, err := fs.ReadFile(tip.FS(), benchPath(file))
		if err != nil || !texts[string(data)] {
			b.Fatalf("%s holds %q, %v", benchPath(file), data, err)
		}
	}
}
