package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// widths are those of the table's columns but the last.
var widths = []int{14, 8, 40, 11, 31, 11, 8, 17}

// printTable prints rows as lines of a table.
func printTable(w io.Writer) func(result) error {
	first := true
	return func(r result) error {
		if first {
			first = false
			if err := line(w, "row", "tasks", "work", "figure", "comparator", "", "ratio", "budget", "met"); err != nil {
				return err
			}
		}
		said := string(r.State)
		if r.Error != "" {
			said += ": " + r.Error
		}
		if r.Figure == 0 {
			return line(w, r.Row, strconv.Itoa(r.Size), r.Work, "", r.Comparator, "", "", r.Budget, said)
		}
		return line(w, r.Row, strconv.Itoa(r.Size), r.Work, number(r.Figure)+" "+r.Unit, r.Comparator,
			number(r.Beside)+" "+r.Unit, number(r.Ratio), r.Budget, said)
	}
}

// line prints cells in columns.
func line(w io.Writer, cells ...string) error {
	for i, cell := range cells {
		width := 0
		if i < len(widths) {
			width = max(0, widths[i]-utf8.RuneCountInString(cell)) + 1
		}
		if _, err := fmt.Fprintf(w, "%s%*s", cell, width, ""); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// number gives three digits or all before the point.
func number(x float64) string {
	switch {
	case x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// printJSON prints rows as JSON, one a line.
func printJSON(w io.Writer) func(result) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return func(r result) error { return encoder.Encode(r) }
}

// summary counts the rows.
func summary(results []result) string {
	count := map[state]int{}
	for _, r := range results {
		count[r.State]++
	}
	text := fmt.Sprintf("%d of %d budgets met", count[met], count[met]+count[notMet]+count[failed])
	if n := count[failed]; n > 0 {
		text += fmt.Sprintf(", %d with a wrong answer", n)
	}
	return text
}
