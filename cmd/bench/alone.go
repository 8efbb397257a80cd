package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-tasks/git-tasks/tools"
)

func aloneRows() []row {
	return []row{{
		name: "alone", work: "one change, one caller in the host", unit: "ms",
		beside: "create + fsync + rename + fsync", budget: "≤ 5 ×", at: anySize,
		share: ratioOf(5), run: aloneRow,
	}}
}

// aloneRow has one caller change one task after the other.
func aloneRow(ctx context.Context, b *bench, l *list) (reading, error) {
	dir, err := b.copy(l)
	if err != nil {
		return reading{}, err
	}
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return reading{}, err
	}
	c := b.newCallers(l, dir, 1, 1, inProcess(s))
	c.per = 1
	files, err := os.MkdirTemp(b.scratch, "files-")
	if err != nil {
		return reading{}, err
	}
	written := 0
	got, err := b.compare(60, false, func() (float64, error) {
		rate, err := c.burst(ctx)
		return 1000 / rate, err
	}, func() (float64, error) {
		written++
		return durableFile(files, written)
	})
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return got, err
	}
	return got, c.check(ctx)
}

// durableFile makes a file that a power cut cannot take away, and gives how long
// that takes in milliseconds.
func durableFile(dir string, n int) (float64, error) {
	start := time.Now()
	temp := filepath.Join(dir, "new")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%0400d\n", n); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	if err := os.Rename(temp, filepath.Join(dir, fmt.Sprint(n))); err != nil {
		return 0, err
	}
	d, err := os.Open(dir)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	err = d.Sync()
	return milliseconds(time.Since(start)), err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
