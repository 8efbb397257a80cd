package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = "" // and it must be named
	}
	code := run(ctx, around{os.Args[1:], os.Environ(), cache, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// around is what the process gives a run.
type around struct {
	args, environ  []string
	cache          string // the user's cache folder, "" where there is none
	stdout, stderr io.Writer
}

// order is what the command line asks for.
type order struct {
	sizes          []int
	only           []string
	runs           int
	seed           uint64
	program, cache string
	json, strict   bool
	environ        []string // of every process that is started, as we got it
	svg, profile   string
	kept           string // the file of figures to compare with, "" for none
}

func parseOrder(p around) (order, error) {
	var o order
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	size := flags.String("size", "1000,10000", "`TASKS` in the list, several with commas; 100000 takes minutes to make, 1000000 an hour")
	only := flags.String("only", "", "`ROWS` to measure, by name or the beginning of one, with commas; main is the five whose figures are kept")
	flags.IntVar(&o.runs, "runs", 3, "how many runs of medians, of which the best stands")
	flags.Uint64Var(&o.seed, "seed", 1, "what the lists are made from")
	flags.BoolVar(&o.json, "json", false, "print the rows as JSON, one a line")
	flags.BoolVar(&o.strict, "strict", false, "exit with 1 when a budget is not met")
	flags.StringVar(&o.kept, "compare", "", "say which ratios are others than in `FILE`, the rows of an earlier -json; with -strict, 1 where one is worse")
	flags.StringVar(&o.svg, "svg", "", "draw growth by size into `FILE`")
	flags.StringVar(&o.profile, "cpuprofile", "", "write what the rows in this process spend to `FILE`")
	flags.StringVar(&o.program, "program", "", "the git-tasks to measure as a process, instead of building it")
	flags.StringVar(&o.cache, "cache", "", "the `FOLDER` of made lists, instead of the user's cache folder")
	if err := flags.Parse(p.args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("bench takes flags alone, not %q", flags.Arg(0))
	}
	for field := range strings.SplitSeq(*size, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 50 {
			return o, fmt.Errorf("-size %q: must be numbers of tasks, at least 50", *size)
		}
		o.sizes = append(o.sizes, n)
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	if o.runs < 1 {
		return o, fmt.Errorf("-runs %d: must be at least 1", o.runs)
	}
	switch {
	case o.cache != "":
	case p.cache == "":
		return o, errors.New("there is no place for the lists; name one with -cache")
	default:
		o.cache = filepath.Join(p.cache, "git-tasks", "bench")
	}
	o.environ = p.environ
	return o, nil
}

// run measures what was asked for and gives the exit status.
func run(ctx context.Context, p around) int {
	o, err := parseOrder(p)
	if err == flag.ErrHelp {
		return 0
	}
	if err != nil {
		fmt.Fprintln(p.stderr, "bench:", err)
		return 2
	}
	results, err := measureAll(ctx, o, p.stdout, p.stderr)
	if err != nil {
		fmt.Fprintln(p.stderr, "bench:", err)
		return 1
	}
	missed, wrong := false, false
	if o.kept != "" {
		worse, err := compareWith(o.kept, results, p.stdout)
		if err != nil {
			fmt.Fprintln(p.stderr, "bench:", err)
			return 1
		}
		missed = worse > 0
	}
	for _, r := range results {
		missed, wrong = missed || r.State == notMet, wrong || r.State == failed
	}
	if wrong || missed && o.strict {
		return 1
	}
	return 0
}

// measureAll prints every row as soon as it is measured.
func measureAll(ctx context.Context, o order, stdout, stderr io.Writer) ([]result, error) {
	chosen, err := choose(o.only)
	if err != nil {
		return nil, err
	}
	b, err := newBench(o, stderr)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, err
		}
		defer pprof.StopCPUProfile()
	}
	show := printTable(stdout)
	if o.json {
		show = printJSON(stdout)
	}
	var results []result
	for _, size := range o.sizes {
		for _, r := range chosen {
			if err := ctx.Err(); err != nil {
				return results, err
			}
			if !r.at(size) {
				continue
			}
			result := b.measure(ctx, r, size)
			results = append(results, result)
			if err := show(result); err != nil {
				return results, err
			}
		}
	}
	if !o.json {
		fmt.Fprintln(stdout, summary(results))
	}
	if o.svg != "" {
		return results, os.WriteFile(o.svg, drawGrowth(results), 0o644)
	}
	return results, nil
}
