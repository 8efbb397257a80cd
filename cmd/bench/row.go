package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
)

// row is one budget.
type row struct {
	name   string
	work   string
	unit   string
	beside string // what it is compared with
	budget string
	at     func(size int) bool

	// share is how much of the budget a reading uses; up to 1 it is met. Nil is no
	// budget: the figure is for the chart.
	share func(reading) float64

	// run measures and checks.
	run func(context.Context, *bench, *list) (reading, error)
}

// reading is a figure and what it is compared with, both in the row's unit.
type reading struct {
	figure, beside float64
}

func (r reading) ratio() float64 { return r.figure / r.beside }

// perSecond is the unit of rates, of which more is better; of all else less is.
const perSecond = "/s"

// state is what came of a row.
type state string

const (
	met       state = "met"
	notMet    state = "NOT MET"
	unlimited state = "-"
	failed    state = "WRONG"
)

// result is a measured row.
type result struct {
	Row        string  `json:"row"`
	Work       string  `json:"work"`
	Size       int     `json:"size"`
	Unit       string  `json:"unit,omitempty"`
	Figure     float64 `json:"figure,omitempty"`
	Comparator string  `json:"comparator,omitempty"`
	Beside     float64 `json:"beside,omitempty"`
	Ratio      float64 `json:"ratio,omitempty"`
	Budget     string  `json:"budget"`
	Share      float64 `json:"share,omitempty"` // of the budget
	State      state   `json:"state"`
	Error      string  `json:"error,omitempty"`
	OS         string  `json:"os"`
	Cores      int     `json:"cores"`
}

// measure runs a row on the list of a size.
func (b *bench) measure(ctx context.Context, r row, size int) result {
	res := result{Row: r.name, Work: r.work, Size: size, Unit: r.unit, Comparator: r.beside, Budget: r.budget,
		OS: runtime.GOOS, Cores: runtime.NumCPU()}
	l, err := b.listOf(ctx, size)
	if err == nil {
		var got reading
		if got, err = r.run(ctx, b, l); err == nil {
			res.Figure, res.Beside, res.Ratio, res.State = got.figure, got.beside, got.ratio(), unlimited
			if r.share != nil {
				res.Share, res.State = r.share(got), notMet
			}
			if r.share != nil && res.Share <= 1 {
				res.State = met
			}
			return res
		}
	}
	res.State, res.Error = failed, err.Error()
	return res
}

// compare does both works in turns, so many a run, and gives the medians of the
// run in which ours did best. Where more is better both figures are rates.
func (b *bench) compare(turns int, more bool, ours, theirs func() (float64, error)) (reading, error) {
	if b.quick {
		turns = 1
	}
	var best reading
	for run := range b.runs {
		var a, c []float64
		for range turns {
			for _, side := range []struct {
				work func() (float64, error)
				list *[]float64
			}{{ours, &a}, {theirs, &c}} {
				x, err := side.work()
				if err != nil {
					return reading{}, err
				}
				*side.list = append(*side.list, x)
			}
		}
		got := reading{median(a), median(c)}
		if run == 0 || (got.figure > best.figure) == more {
			best = got
		}
	}
	return best, nil
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// choose gives the rows of names, or of beginnings of names.
func choose(names []string) ([]row, error) {
	all := rows()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []row
	for _, name := range names {
		n := len(chosen)
		for _, r := range all {
			if strings.HasPrefix(r.name, name) || name == "main" && slices.Contains(mainRows, r.name) {
				chosen = append(chosen, r)
			}
		}
		if n == len(chosen) {
			return nil, fmt.Errorf("-only %s: no row is named so", name)
		}
	}
	return chosen, nil
}
