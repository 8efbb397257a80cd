package tools_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
	"github.com/git-tasks/git-tasks/tools"
	"github.com/git-tasks/git-tasks/tools/toolstest"
)

// full says whether heavy tests run whole; a tenth of them runs always.
var full = os.Getenv("GIT_TASKS_TEST_FULL") == "1"

// workerVariable turns this test program into a process that adds tasks: the
// repository, a name, and how many, a line each.
const workerVariable = "GIT_TASKS_TEST_WORKER"

func TestMain(m *testing.M) {
	for variable, do := range map[string]func(string) error{workerVariable: work, stepVariable: killedStep, watcherVariable: watchInASandbox} {
		job := os.Getenv(variable)
		if job == "" {
			continue
		}
		if err := do(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if !full { // the command line still has the last word
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func work(job string) error {
	var count int
	dir, rest, _ := strings.Cut(job, "\n")
	name, number, _ := strings.Cut(rest, "\n")
	if _, err := fmt.Sscan(number, &count); err != nil {
		return err
	}
	s, err := tools.Open(tools.Config{Path: dir})
	if err != nil {
		return err
	}
	caller, err := s.Caller(tools.Who{Person: name})
	if err != nil {
		return err
	}
	for i := range count {
		input, err := json.Marshal(map[string]string{"title": fmt.Sprintf("%s %d", name, i)})
		if err != nil {
			return err
		}
		answer, err := tools.Call(context.Background(), s, caller, "task_add", input)
		if err != nil {
			return err
		}
		fmt.Println(answer.Text)
	}
	return s.Close()
}

// TestManyProcesses: processes that know nothing of each other add to one
// repository. Every answer that was given stands.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	processes, adds := 8, 26
	if full {
		processes, adds = 64, 32
	}
	dir, env := repotest.New(t), slices.Clip(repotest.Env(t))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := make([]string, processes)
	var wg sync.WaitGroup
	for n := range processes {
		wg.Go(func() {
			job := fmt.Sprintf("%s=%s\nw%d\n%d", workerVariable, dir, n, adds)
			var err error
			if said[n], err = repotest.Run(t.TempDir(), append(env, job), "", program); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	s := toolstest.Open(t, tools.Config{Path: dir})
	list := strings.Split(must(t, s, tools.Who{}, "task_list", `{}`), "\n")
	if len(list) != processes*adds {
		t.Errorf("%d tasks, want %d", len(list), processes*adds)
	}
	stands := map[string]bool{}
	for i, line := range list {
		stands[line] = true
		if !strings.HasPrefix(line, fmt.Sprintf("t%d todo medium w", i+1)) {
			t.Errorf("line %d is %q", i+1, line)
		}
	}
	for n, answers := range said {
		for line := range strings.SplitSeq(answers, "\n") {
			if !stands[line] {
				t.Errorf("w%d was told %q, and it is not in the list", n, line)
			}
		}
	}
	for line := range strings.SplitSeq(repotest.Git(t, dir, "log", "--format=%an|%s", branch), "\n") {
		author, subject, _ := strings.Cut(line, "|")
		if !strings.Contains(subject, "add: "+author+" ") {
			t.Errorf("%q is authored as %q", subject, author)
		}
	}
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) > 32 {
		t.Errorf("%d packs at rest, %v", len(packs), err)
	}
	if out, err := repotest.TryGit(t, dir, "", "fsck", "--strict", "--no-dangling"); err != nil || out != "" {
		t.Errorf("git fsck --strict: %v\n%s", err, out)
	}
}
