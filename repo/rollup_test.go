package repo_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tasks/git-tasks/repo"
	"github.com/git-tasks/git-tasks/repo/repotest"
)

func packsOf(t *testing.T, dir string) int {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	return len(packs)
}

// TestRollUpByManyProcesses has 64 processes write to one repository, each of
// which rolls packs up when it is its turn, while others read.
func TestRollUpByManyProcesses(t *testing.T) {
	t.Parallel()
	const each = 32
	n := tenth(64)
	dir := repotest.New(t)
	mustPut(t, repotest.Open(t, dir, repo.Options{}), "first.md", "x")
	stopReader := startReader(t, dir, "main")
	stopGit := make(chan struct{})
	var writers, readers sync.WaitGroup
	env := repotest.Env(t)
	readers.Go(func() {
		for {
			select {
			case <-stopGit:
				return
			default:
			}
			if out, err := repotest.Run(dir, env, "", "git", "rev-parse", "--verify", "main^{tree}"); err != nil {
				t.Errorf("git: %s, %v", out, err)
			}
		}
	})
	for i := range n {
		cmd := child(t, "series", dir, fmt.Sprintf("p%d", i), strconv.Itoa(each))
		writers.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
		})
	}
	writers.Wait()
	close(stopGit)
	readers.Wait()
	if reads := stopReader(); reads == 0 {
		t.Error("the reader read nothing")
	}
	if got := repotest.Git(t, dir, "rev-list", "--count", "main"); got != strconv.Itoa(n*each+1) {
		t.Errorf("%s commits, want %d", got, n*each+1)
	}
	if packs := packsOf(t, dir); packs > 32 {
		t.Errorf("at rest there are %d packs", packs)
	}
	if files, err := readAll(repotest.Open(t, dir, repo.Options{})); err != nil || len(files) != n*each+1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	noLeftovers(t, dir, "at rest")
}

// TestRollUpOneCallAProcess is the life of a command line: no process writes
// sixteen packs, so they must count together.
func TestRollUpOneCallAProcess(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	n := 4 * tenth(100)
	for i := range n {
		r := repotest.Open(t, dir, repo.Options{})
		mustPut(t, r, fmt.Sprintf("t%d.md", i), "x")
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if packs := packsOf(t, dir); packs > 32 {
			t.Fatalf("after %d changes there are %d packs", i+1, packs)
		}
	}
	if packs := packsOf(t, dir); packs >= n {
		t.Errorf("%d packs for %d changes: none was rolled up", packs, n)
	}
}

// TestRollUpWithoutGit: a host without git writes on.
func TestRollUpWithoutGit(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	cmd := child(t, "series", dir, "p", "40")
	cmd.Env = append(cmd.Env, "PATH="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "git is not on PATH") {
		t.Errorf("closing says: %s, %v", out, err)
	}
	files, err := readAll(repotest.Open(t, dir, repo.Options{}))
	if err != nil || len(files) != 40 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if packs := packsOf(t, dir); packs != 40 {
		t.Errorf("%d packs", packs)
	}
	// The next process that has git makes up for it.
	if out, err := child(t, "series", dir, "q", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if packs := packsOf(t, dir); packs > 16 {
		t.Errorf("then there are still %d packs", packs)
	}
}

// TestRollUpOutlivesItsProcess: the git that a killed process had started holds
// the roll-up's lock until it is done, so no second one runs beside it.
func TestRollUpOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	dir := repotest.New(t)
	bin := t.TempDir()
	ran := filepath.Join(bin, "ran")
	release := filepath.Join(bin, "release")
	if out, err := exec.Command("mkfifo", release).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// A git that kills whoever called it and then waits.
	script := "#!/bin/sh\nread pid <" + ran + ".pid\nkill -9 $pid\necho >" + ran + "\nread line <" + release + "\n"
	writeFiles(t, bin, "git", script)
	if err := exec.Command("mkfifo", ran+".pid", ran).Run(); err != nil {
		t.Fatal(err)
	}
	cmd := child(t, "series", dir, "p", "17")
	cmd.Env = append(cmd.Env, "PATH="+bin)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ran+".pid", fmt.Appendln(nil, cmd.Process.Pid), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(ran); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // it was killed
	held := exec.Command("flock", "-n", filepath.Join(dir, "git-tasks", "rollup"), "true")
	if err := held.Run(); err == nil {
		t.Error("the lock is free while git still runs")
	}
	if err := os.WriteFile(release, []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(10 * time.Second)
	for free := false; !free; {
		select {
		case <-deadline:
			t.Fatal("the lock is never free again")
		case <-time.After(10 * time.Millisecond):
			free = exec.Command("flock", "-n", filepath.Join(dir, "git-tasks", "rollup"), "true").Run() == nil
		}
	}
	if out, err := child(t, "series", dir, "q", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if packs := packsOf(t, dir); packs > 16 {
		t.Errorf("then there are still %d packs", packs)
	}
}
