package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-tasks/git-tasks/cmd/internal/cli"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// programVariable turns this test program into git-tasks.
const programVariable = "GIT_TASKS_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := cli.Run(ctx, cli.OfProcess())
		stop()
		os.Exit(code)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// small gives a bench on lists as small as they may be, one run, one turn.
func small(t *testing.T) *bench {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(order{seed: 7, runs: 1, environ: os.Environ(), cache: t.TempDir(), program: program}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	b.quick = true
	b.environ = append(b.environ, programVariable+"=1")
	return b
}

// wrongs gives answers that differ from one a little: without its last line, with
// one more, with another letter, with a line twice, and none.
func wrongs(answer string) []string {
	lines := strings.Split(answer, "\n")
	list := []string{answer + "\nt99999 x", strings.Join(append(lines, lines[0]), "\n")}
	if answer != "" {
		changed := []byte(answer)
		changed[len(changed)-1] ^= 1
		list = append(list, "", string(changed), strings.Join(lines[1:], "\n"))
	}
	return slices.DeleteFunc(list, func(w string) bool { return w == answer })
}

// TestRows measures every row and shows each of its checks wrong answers as
// well: a check that lets one pass checks nothing.
func TestRows(t *testing.T) {
	t.Parallel()
	b := small(t)
	for _, r := range rows() {
		checks := 0
		b.doubt = func(what, answer string, check func(string) error) string {
			checks++
			for _, wrong := range wrongs(answer) {
				if check(wrong) == nil {
					t.Errorf("%s: %s may be %q instead of %q", r.name, what, wrong, answer)
				}
			}
			return answer
		}
		res := b.measure(t.Context(), r, 60)
		switch {
		case res.Error != "":
			t.Errorf("%s: %s", r.name, res.Error)
		case res.Figure <= 0 || res.Beside <= 0 || res.Ratio <= 0:
			t.Errorf("%s has no figure: %+v", r.name, res)
		case checks == 0:
			t.Errorf("%s checks no answer", r.name)
		}
		b.doubt = func(string, string, func(string) error) string { return "no answer" }
		if strings.HasPrefix(r.name, "page-") { // one of each kind would do; these are cheap
			if res := b.measure(t.Context(), r, 60); res.State != failed {
				t.Errorf("%s with a wrong answer is %s", r.name, res.State)
			}
		}
	}
}

// TestMadeList: what the program makes is a list as the write door leaves one.
func TestMadeList(t *testing.T) {
	t.Parallel()
	b := small(t)
	l, err := b.listOf(t.Context(), 120)
	if err != nil {
		t.Fatal(err)
	}
	s := toolstest.Open(t, tools.Config{Path: l.dir})
	events, err := s.History("")
	if err != nil {
		t.Fatal(err)
	}
	if want := 120*changes + 3*len(l.first); len(events) != want {
		t.Errorf("%d commits, want %d", len(events), want)
	}
	book, _, err := s.Book()
	if err != nil {
		t.Fatal(err)
	}
	ready := 0
	for _, want := range l.all() {
		task, err := book.Task(idOf(l.final(want.number)))
		if err != nil || task == nil || task.Title != want.title || task.Status != want.status || !slices.Equal(task.BlockedBy, want.blockedBy) {
			t.Fatalf("%+v, %v; want %+v", task, err, want)
		}
		stamps := 0
		for range task.Stamps() {
			stamps++
		}
		if stamps != 5 {
			t.Errorf("%s has %d stamps", task.ID, stamps)
		}
		is, err := book.Ready(task, false)
		if err != nil || is != l.ready(want) {
			t.Errorf("%s: ready is %v, %v", task.ID, is, err)
		}
		if is {
			ready++
		}
	}
	if ready == 0 {
		t.Error("no task is ready")
	}
	again, err := (&bench{seed: b.seed, cache: t.TempDir(), environ: b.environ, log: io.Discard, lists: map[int]*list{}}).listOf(t.Context(), 120)
	if err != nil || again.tip != l.tip {
		t.Errorf("made again it is at another commit, %v", err)
	}
}

// TestWrongAnswerEndsInFailure: the exit status tells.
func TestWrongAnswerEndsInFailure(t *testing.T) {
	t.Parallel()
	b := small(t)
	r := row{name: "x", run: func(context.Context, *bench, *list) (reading, error) {
		return reading{}, errors.New("seven is not eight")
	}}
	if res := b.measure(t.Context(), r, 60); res.State != failed || res.Error != "seven is not eight" {
		t.Errorf("%+v", res)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for args, code := range map[string]int{"-size x": 2, "-size 3": 2, "more": 2, "-runs 0": 2, "-h": 0, "-only nothing": 1} {
		var out, errs bytes.Buffer
		if got := run(t.Context(), around{strings.Fields(args), os.Environ(), t.TempDir(), &out, &errs}); got != code || errs.Len() == 0 {
			t.Errorf("bench %s: %d, want %d: %s", args, got, code, errs.String())
		}
	}
	dir := t.TempDir()
	var out, errs bytes.Buffer
	args := []string{"-cache", dir, "-program", "none", "-size", "60", "-runs", "1", "-only", "page-plan", "-json", "-svg", filepath.Join(dir, "g.svg"), "-strict"}
	if code := run(t.Context(), around{args, os.Environ(), "", &out, &errs}); code != 0 {
		t.Fatalf("%d: %s", code, errs.String())
	}
	var states []state
	for dec := json.NewDecoder(&out); dec.More(); {
		var r result
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		states = append(states, r.State)
	}
	if len(states) != 1 || states[0] == failed {
		t.Errorf("the states are %v", states)
	}
	chart, err := os.ReadFile(filepath.Join(dir, "g.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(chart, new(struct{})); err != nil || !bytes.Contains(chart, []byte("page-plan")) {
		t.Errorf("%v:\n%s", err, chart)
	}
}

func TestChart(t *testing.T) {
	t.Parallel()
	var results []result
	for _, size := range []int{1000, 10_000, 100_000} {
		for _, name := range []string{"one", "two <&>", "three"} {
			results = append(results, result{Row: name, Size: size, Figure: 5, Share: float64(size) / 20_000, Unit: "ms"})
		}
	}
	chart := drawGrowth(append(results, result{Row: "push", Size: 1000}))
	if err := xml.Unmarshal(chart, new(struct{})); err != nil {
		t.Fatalf("%v:\n%s", err, chart)
	}
	if bytes.Contains(chart, []byte("push")) || bytes.Count(chart, []byte("<circle")) != 9 || bytes.Contains(chart, []byte("NaN")) {
		t.Errorf("%s", chart)
	}
	drawGrowth(nil)
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	show := printTable(&out)
	for _, r := range []result{
		{Row: "alone", Size: 1000, Work: "w", Unit: "ms", Figure: 2, Beside: 0.5, Ratio: 4, Budget: "≤ 5 ×", State: met},
		{Row: "push", Size: 1000, Budget: "≤ 30 ms", State: failed, Error: "no answer"},
	} {
		if err := show(r); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || !strings.Contains(lines[1], "2.00 ms") || !strings.Contains(lines[1], "met") || !strings.Contains(lines[2], "WRONG: no answer") {
		t.Errorf("%s", out.String())
	}
	if got := summary([]result{{State: met}, {State: notMet}, {State: failed}, {State: unlimited}}); got != "1 of 3 budgets met, 1 with a wrong answer" {
		t.Error(got)
	}
}
