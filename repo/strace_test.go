package repo_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-tasks/git-tasks/repo/repotest"
)

// changingCalls are the system calls that change files, as strace names them.
const changingCalls = "openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat," +
	"unlink,unlinkat,mkdir,mkdirat,flock"

// needStrace skips a test where strace is missing or may not trace.
func needStrace(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not on PATH")
	}
	if out, err := exec.Command(path, "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
}

// traced runs one change in a child under strace.
func traced(t *testing.T, dir, path string, args ...string) string {
	t.Helper()
	cmd := child(t, "update", dir, "main", path)
	cmd.Args = append(append([]string{"strace", "-f", "-e", "signal=none"}, args...), cmd.Args...)
	cmd.Args[len(cmd.Args)-4] = cmd.Path
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path = strace
	out, _ := cmd.Output() // how it ended is the kernel's doing; the branch is looked at
	return string(out)
}

// TestP2KilledAtSystemCalls is TestP2KilledAtEveryStep below the seam: strace
// kills at the n-th system call of a kind, in any thread.
func TestP2KilledAtSystemCalls(t *testing.T) {
	t.Parallel()
	needStrace(t)
	stracedSteps(t, "signal=KILL", "%d")
}

// TestP2FailedSystemCalls lets system calls of a child fail.
func TestP2FailedSystemCalls(t *testing.T) {
	t.Parallel()
	needStrace(t)
	for i, fault := range []string{"ENOSPC", "EIO", "EMFILE"} {
		for j, when := range []string{"%d", "%d+"} {
			if whole() || i == j {
				stracedSteps(t, "error="+fault, when)
			}
		}
	}
}

func stracedSteps(t *testing.T, inject, when string) {
	t.Helper()
	from := stateBefore(t, "loose")
	old := tipOf(t, from)
	met := 0
	// Opening is left out: without it no Go program starts.
	for _, calls := range []string{"write,pwrite64", "fsync", "renameat,linkat,unlinkat,mkdirat"} {
		step := 4
		if whole() {
			step = 1
		}
		for n := 1; n < 14; n += step {
			at := fmt.Sprintf(when, n)
			s := stepCheck{dir: copyOf(t, from), change: changes[0], old: old, what: fmt.Sprintf("%s of %s at %s", inject, calls, at)}
			out := traced(t, s.dir, "new.md", "-o", os.DevNull, "-e", "trace="+changingCalls,
				"-e", "inject="+calls+":"+inject+":when="+at)
			landed := s.landed(t)
			if !strings.HasPrefix(out, "answered") {
				met++
			}
			switch {
			case strings.HasPrefix(out, "answered") && !landed,
				strings.HasPrefix(out, "unconfirmed") && !landed,
				strings.HasPrefix(out, "refused") && landed:
				t.Fatalf("%s: it said %q, and the change is there: %v", s.what, out, landed)
			}
			s.goesOn(t)
		}
	}
	if met == 0 {
		t.Errorf("%s hit no change", inject)
	}
	t.Logf("%s at %s: %d changes were hit", inject, when, met)
}

var (
	straceLine = regexp.MustCompile(`^(\d+) +(\w+)\((.*)$`)
	straceCont = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)$`)
	straceFD   = regexp.MustCompile(`^\d+<([^>]*)>`)
	straceAt   = regexp.MustCompile(`(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, "([^"]*)"`)
)

// seeStrace hands the calls of an strace log to the judge of the order.
func seeStrace(o *syncOrder, log string) {
	begun := map[string]string{} // by thread
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutSuffix(line, " <unfinished ...>"); ok {
			pid, _, _ := strings.Cut(head, " ")
			begun[pid] = head
			continue
		}
		if m := straceCont.FindStringSubmatch(line); m != nil {
			line = begun[m[1]] + m[3]
		}
		m := straceLine.FindStringSubmatch(line)
		if m == nil || strings.Contains(m[3], ") = -1 ") {
			continue
		}
		seeCall(o, m[2], m[3])
	}
}

func seeCall(o *syncOrder, call, args string) {
	at := func(n int) string {
		if all := straceAt.FindAllStringSubmatch(args, -1); len(all) > n {
			if filepath.IsAbs(all[n][2]) {
				return all[n][2]
			}
			return filepath.Join(all[n][1], all[n][2])
		}
		return ""
	}
	fd := ""
	if m := straceFD.FindStringSubmatch(args); m != nil {
		fd = m[1]
	}
	switch call {
	case "openat":
		if strings.Contains(args, "O_CREAT") {
			o.see("create", at(0))
		}
	case "write", "pwrite64":
		if strings.Contains(args, `"answered`) {
			o.see("answer", filepath.Join(o.dir, "answer"))
		} else {
			o.see("write", fd)
		}
	case "fsync", "fdatasync":
		o.see("fsync", fd)
	case "mkdirat":
		o.see("mkdir", at(0))
	case "unlinkat":
		o.see("unlink", at(0))
	case "renameat", "renameat2":
		o.see("rename", at(1))
	case "linkat":
		o.see("link", at(1))
	}
}

// TestP3SystemCallsInOrder is TestP3SyncsInOrder as the kernel sees it.
func TestP3SystemCallsInOrder(t *testing.T) {
	t.Parallel()
	needStrace(t)
	for _, state := range refStates {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			dir := copyOf(t, stateBefore(t, state))
			log := filepath.Join(t.TempDir(), "strace")
			out := traced(t, dir, "tasks/t1.md", "-y", "-o", log, "-e", "trace="+changingCalls)
			if !strings.HasPrefix(out, "answered") {
				t.Fatalf("the child said %q", out)
			}
			data, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			order := newSyncOrder(dir)
			seeStrace(order, string(data))
			if len(order.bad) > 0 || order.moved != 1 {
				t.Errorf("%d moves\n%s\nin\n%s", order.moved, strings.Join(order.bad, "\n"), data)
			}
			if got := repotest.Git(t, dir, "show", "main:tasks/t1.md"); got != "tasks/t1.md" {
				t.Errorf("git shows %q", got)
			}
		})
	}
}
