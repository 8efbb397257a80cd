package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// movedBy is by how much a ratio must differ to be said to: medians of the same
// program differ by up to a third on a machine that does other work.
const movedBy = 1.5

// compareWith prints how the ratios of rows are to those of an earlier run, kept in
// a file as -json prints it, and gives how many are worse.
func compareWith(file string, now []result, w io.Writer) (worse int, err error) {
	kept, err := readFigures(file)
	if err != nil {
		return 0, err
	}
	if err := line(w, "row", "tasks", "work", "ratio kept", "comparator", "ratio now", "change", "is"); err != nil {
		return 0, err
	}
	for _, r := range now {
		cells := []string{r.Row, strconv.Itoa(r.Size), r.Work, "", r.Comparator, number(r.Ratio), "", "new"}
		if i := slices.IndexFunc(kept, func(k result) bool { return k.Row == r.Row && k.Size == r.Size && k.Comparator == r.Comparator }); i >= 0 {
			k := kept[i]
			cells[3], cells[6], cells[7] = number(k.Ratio), "× "+number(r.Ratio/k.Ratio), moved(k, r)
		}
		if r.State == failed {
			cells[5], cells[6], cells[7] = "", "", string(failed)
		}
		if cells[7] == "worse" {
			worse++
		}
		if err := line(w, cells...); err != nil {
			return worse, err
		}
	}
	return worse, nil
}

// moved says what became of a ratio. Where more is better the unit is so many a
// second.
func moved(kept, now result) string {
	change := now.Ratio / kept.Ratio
	if kept.Unit == perSecond {
		change = 1 / change
	}
	switch {
	case change >= movedBy:
		return "worse"
	case change <= 1/movedBy:
		return "better"
	}
	return "as it was"
}

// readFigures reads the rows of a file. Every one must have a ratio to be compared
// with.
func readFigures(file string) ([]result, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []result
	for dec := json.NewDecoder(f); ; {
		var r result
		err := dec.Decode(&r)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err == nil && (r.Row == "" || r.Ratio <= 0) {
			err = errors.New("it has no ratio")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", file, len(list)+1, err)
		}
		list = append(list, r)
	}
}
