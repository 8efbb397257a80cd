package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// bench is one run of the program: where everything is, and how often.
type bench struct {
	seed    uint64
	runs    int
	quick   bool // for tests: one turn a run, and small bursts
	cache   string
	scratch string   // on the file system of the cache, gone at the end
	environ []string // of every process that is started
	program []string // git-tasks as a process
	log     io.Writer
	lists   map[int]*list

	// doubt, where a test sets it, is shown each answer with its check, and gives
	// the answer that is to be checked.
	doubt func(what, answer string, check func(string) error) string
}

// newBench makes the folders and builds the program.
func newBench(o order, log io.Writer) (*bench, error) {
	cache, err := filepath.Abs(o.cache) // git is run in other folders
	if err != nil {
		return nil, err
	}
	b := &bench{seed: o.seed, runs: o.runs, cache: cache, log: log, lists: map[int]*list{}}
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return nil, err
	}
	if b.scratch, err = os.MkdirTemp(b.cache, "run-"); err != nil {
		return nil, err
	}
	b.environ = environ(o.environ, filepath.Join(b.scratch, "home"))
	b.program = []string{o.program}
	if o.program == "" {
		b.program = []string{filepath.Join(b.scratch, "git-tasks")}
		build := exec.Command("go", "build", "-o", b.program[0], "github.com/git-tasks/git-tasks/cmd/git-tasks")
		if out, err := build.CombinedOutput(); err != nil {
			b.close()
			return nil, fmt.Errorf("building git-tasks: %w: %s", err, out)
		}
	}
	return b, nil
}

func (b *bench) close() { os.RemoveAll(b.scratch) }

func (b *bench) logf(format string, args ...any) { fmt.Fprintf(b.log, format+"\n", args...) }

// environ fences a process off from whoever runs it: no settings, hooks or
// identity of the person or the machine.
func environ(of []string, home string) []string {
	env := []string{
		"HOME=" + home, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=ana", "GIT_AUTHOR_EMAIL=ana@localhost", "GIT_COMMITTER_NAME=ana", "GIT_COMMITTER_EMAIL=ana@localhost",
	}
	for _, v := range of {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "XDG_") && name != "HOME" && name != "TZ" && name != "LC_ALL" {
			env = append(env, v)
		}
	}
	return env
}

// run runs a program and gives what it printed on standard output, without the
// last newline.
func (b *bench) run(ctx context.Context, argv ...string) (string, error) {
	return b.feed(ctx, "", argv...)
}

// feed is run with something on standard input.
func (b *bench) feed(ctx context.Context, input string, argv ...string) (string, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin = b.environ, strings.NewReader(input)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, said.String())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// git runs git in a repository.
func (b *bench) git(ctx context.Context, dir string, args ...string) (string, error) {
	return b.run(ctx, slices.Concat([]string{"git", "-C", dir}, args)...)
}

// tasks gives the command line of git-tasks on a repository.
func (b *bench) tasks(dir string, args ...string) []string {
	return slices.Concat(b.program, []string{"--repo", dir}, args)
}

// sure holds an answer to a check.
func (b *bench) sure(what, answer string, check func(string) error) error {
	if b.doubt != nil {
		answer = b.doubt(what, answer, check)
	}
	if err := check(answer); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// same holds an answer to the one that it must be.
func (b *bench) same(what, answer, want string) error {
	return b.sure(what, answer, func(got string) error {
		if got == want {
			return nil
		}
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				return fmt.Errorf("line %d of %d is %q, want %q of %d", i+1, len(g), at(g, i), at(w, i), len(w))
			}
		}
		return nil
	})
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "no line"
}
