package main

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

const (
	manyCallers = 64
	perBurst    = 30 // changes of each caller
)

func changeRows() []row {
	return []row{{
		name: "changes", work: "durable changes, 64 callers", unit: perSecond,
		beside: "git commit-tree + update-ref", budget: "≥ 5000/s, ≥ 40 ×", at: anySize,
		share: func(r reading) float64 { return math.Max(5000/r.figure, 40/r.ratio()) },
		run:   changesRow,
	}, {
		name: "changes-growth", work: "the same, beside 1000 tasks", unit: perSecond,
		beside: "the same with 1000 tasks", budget: "≥ 0.85 ×", at: from(10_000),
		share: func(r reading) float64 { return 0.85 / r.ratio() },
		run: func(ctx context.Context, b *bench, l *list) (reading, error) {
			small, err := b.smaller(ctx, 1000)
			if err != nil {
				return reading{}, err
			}
			return changesGrowthRow(ctx, b, l, small)
		},
	}}
}

// changesRow has 64 callers of one process write to one list.
func changesRow(ctx context.Context, b *bench, l *list) (got reading, err error) {
	err = b.withCallers(ctx, l, func(c *callers) error {
		theirs, err := b.copy(l)
		if err != nil {
			return err
		}
		got, err = b.compare(5, true, func() (float64, error) { return c.burst(ctx) },
			func() (float64, error) { return b.gitCommits(ctx, theirs, 20) })
		return err
	})
	return got, err
}

// changesGrowthRow compares a list with a smaller one.
func changesGrowthRow(ctx context.Context, b *bench, l, small *list) (got reading, err error) {
	err = b.withCallers(ctx, l, func(c *callers) error {
		return b.withCallers(ctx, small, func(d *callers) error {
			got, err = b.compare(5, true, func() (float64, error) { return c.burst(ctx) },
				func() (float64, error) { return d.burst(ctx) })
			return err
		})
	})
	return got, err
}

// withCallers opens a copy of a list for callers of this process, and checks
// what they did.
func (b *bench) withCallers(ctx context.Context, l *list, do func(*callers) error) error {
	dir, err := b.copy(l)
	if err != nil {
		return err
	}
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return err
	}
	c := b.newCallers(l, dir, manyCallers, perBurst, inProcess(s))
	if _, err = c.burst(ctx); err == nil { // what is read once is read
		err = do(c)
	}
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return c.check(ctx)
}

// gitCommits makes commits as a script does that has only git, each of the tree
// that is there, and gives how many a second.
func (b *bench) gitCommits(ctx context.Context, dir string, n int) (float64, error) {
	if b.quick {
		n = 1
	}
	tip, err := b.git(ctx, dir, "rev-parse", "main")
	if err != nil {
		return 0, err
	}
	before := tip
	start := time.Now()
	for range n {
		next, err := b.git(ctx, dir, "commit-tree", "-p", tip, "-m", "t1 set note", "main^{tree}")
		if err != nil {
			return 0, err
		}
		if _, err := b.git(ctx, dir, "update-ref", "refs/heads/main", next, tip); err != nil {
			return 0, err
		}
		tip = next
	}
	rate := float64(n) / time.Since(start).Seconds()
	made, err := b.git(ctx, dir, "rev-list", "--count", before+"..main")
	if err != nil {
		return 0, err
	}
	return rate, b.same("git's own commits", made, strconv.Itoa(n))
}
