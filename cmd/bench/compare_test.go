package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCompare holds a run to figures that were kept: by ratio, whatever the times,
// and the better way round.
func TestCompare(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "figures.json")
	var kept bytes.Buffer
	show := printJSON(&kept)
	for _, r := range []result{
		{Row: "changes", Size: 1000, Unit: perSecond, Comparator: "git", Ratio: 40},
		{Row: "add", Size: 1000, Unit: "ms", Comparator: "git", Figure: 10, Ratio: 2},
		{Row: "add", Size: 10_000, Unit: "ms", Comparator: "git", Ratio: 2},
		{Row: "show", Size: 1000, Unit: "ms", Comparator: "cat", Ratio: 1},
	} {
		if err := show(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, kept.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		now   result
		line  string // what the last columns say
		worse int
	}{
		{result{Row: "changes", Size: 1000, Unit: perSecond, Comparator: "git", Ratio: 20}, "20.0 × 0.50 worse", 1},
		{result{Row: "changes", Size: 1000, Unit: perSecond, Comparator: "git", Ratio: 80}, "80.0 × 2.00 better", 0},
		{result{Row: "add", Size: 1000, Unit: "ms", Comparator: "git", Figure: 90, Ratio: 2.8}, "2.80 × 1.40 as it was", 0},
		{result{Row: "add", Size: 10_000, Unit: "ms", Comparator: "git", Ratio: 3}, "3.00 × 1.50 worse", 1},
		{result{Row: "add", Size: 100_000, Unit: "ms", Comparator: "git", Ratio: 9}, "9.00 new", 0},
		{result{Row: "show", Size: 1000, Unit: "ms", Comparator: "git", Ratio: 9}, "9.00 new", 0}, // beside something else now
		{result{Row: "show", Size: 1000, Comparator: "cat", State: failed}, "WRONG", 0},
	} {
		var out bytes.Buffer
		worse, err := compareWith(file, []result{c.now}, &out)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); err != nil || worse != c.worse || !strings.HasSuffix(got, c.line) {
			t.Errorf("%+v: %q, %d worse, %v; want %q, %d", c.now, got, worse, err, c.line, c.worse)
		}
	}
	for _, text := range []string{"no JSON", `{"row":"add"}`, `{"ratio":2}`} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := compareWith(file, nil, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "figures.json: row 1: ") {
			t.Errorf("of %s: %v", text, err)
		}
	}
}

// TestKeptFigures: what is kept is of the main rows, each at every size, beside what
// it is compared with now, and says of the machine no more than its system and cores.
func TestKeptFigures(t *testing.T) {
	t.Parallel()
	kept, err := readFigures("testdata/figures.json")
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := choose([]string{"main"})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, k := range kept {
		if k.OS == "" || k.Cores == 0 || k.State == failed {
			t.Errorf("%+v", k)
		}
		got = append(got, key(t, k.Row, k.Size, k.Comparator, k.Unit))
	}
	for _, size := range []int{1000, 10_000} {
		for _, r := range chosen {
			if r.at(size) {
				want = append(want, key(t, r.name, size, r.beside, r.unit))
			}
		}
	}
	if !slices.Equal(got, want) || len(want) != 2*len(mainRows) {
		t.Errorf("kept are %q, the rows are %q", got, want)
	}
	data, err := os.ReadFile("testdata/figures.json")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`/home/|/root/|/tmp/|[0-9]+\.[0-9]+\.[0-9]+`).Find(data); found != nil {
		t.Errorf("the figures hold %q", found)
	}
}

func key(t *testing.T, parts ...any) string {
	t.Helper()
	data, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCommandLineCompares: the exit status tells of a worse ratio where it is asked
// to, and a file that is not there ends in failure.
func TestCommandLineCompares(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"-cache", dir, "-program", "none", "-size", "60", "-runs", "1", "-only", "page-plan"}
	measure := func(code int, more ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(t.Context(), around{append(slices.Clone(args), more...), os.Environ(), "", &out, &errs}); got != code {
			t.Errorf("bench %v: %d, want %d: %s", more, got, code, errs.String())
		}
		return out.String()
	}
	file := filepath.Join(dir, "kept.json")
	measure(1, "-compare", file)
	if err := os.WriteFile(file, []byte(strings.Replace(measure(0, "-json"), `"ratio":`, `"ratio":1e-9,"was":`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := measure(0, "-compare", file); !strings.Contains(out, " worse") {
		t.Errorf("it says %s", out)
	}
	measure(1, "-compare", file, "-strict")
}
