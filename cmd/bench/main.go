package main

import (
	"context"
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
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// order is what the command line asks for.
type order struct {
	sizes          []int
	only           []string
	runs           int
	seed           uint64
	program, cache string
	json, strict   bool
	svg, profile   string
}

func parseOrder(args []string, stderr io.Writer) (order, error) {
	var o order
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	size := flags.String("size", "1000,10000", "`TASKS` in the list, several with commas; 100000 takes minutes to make, 1000000 an hour")
	only := flags.String("only", "", "`ROWS` to measure, by name or the beginning of one, with commas")
	flags.IntVar(&o.runs, "runs", 3, "how many runs of medians, of which the best stands")
	flags.Uint64Var(&o.seed, "seed", 1, "what the lists are made from")
	flags.BoolVar(&o.json, "json", false, "print the rows as JSON, one a line")
	flags.BoolVar(&o.strict, "strict", false, "exit with 1 when a budget is not met")
	flags.StringVar(&o.svg, "svg", "", "draw growth by size into `FILE`")
	flags.StringVar(&o.profile, "cpuprofile", "", "write what the rows in this process spend to `FILE`")
	flags.StringVar(&o.program, "program", "", "the git-tasks to measure as a process, instead of building it")
	flags.StringVar(&o.cache, "cache", "", "the `FOLDER` of made lists, instead of the user's cache folder")
	if err := flags.Parse(args); err != nil {
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
	if o.cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("finding a place for the lists: %w; name one with -cache", err)
		}
		o.cache = filepath.Join(user, "git-tasks", "bench")
	}
	return o, nil
}

// run measures what args ask for and gives the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOrder(args, stderr)
	if err == flag.ErrHelp {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	results, err := measureAll(ctx, o, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	missed, wrong := false, false
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
