package repo

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// process names a process of this machine so that a number used again is not
// taken for it: its number, and when it started in the system's own unit (zero
// where the system does not say).
type process struct {
	pid   int
	start uint64
}

func self() process {
	pid := os.Getpid()
	start, _ := startOf(pid)
	return process{pid, start}
}

// String is the form used in file names and .keep files: <pid>.<start>.
func (p process) String() string { return fmt.Sprintf("%d.%d", p.pid, p.start) }

// parseProcess reads what String wrote at the front of s; rest is what follows.
func parseProcess(s string) (p process, rest string, ok bool) {
	pid, tail, _ := strings.Cut(s, ".")
	digits := strings.IndexFunc(tail, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(tail)
	}
	n, err := strconv.Atoi(pid)
	start, serr := strconv.ParseUint(tail[:digits], 10, 64)
	if err != nil || serr != nil || n <= 0 {
		return process{}, "", false
	}
	return process{n, start}, tail[digits:], true
}

// alive reports whether the process still runs. In doubt it says yes. One that has
// ended and that nobody has asked about yet does not run: it holds nothing, and its
// parent, as the first process of many a container, may never ask.
func (p process) alive() bool {
	err := syscall.Kill(p.pid, 0)
	if errors.Is(err, syscall.ESRCH) {
		return false
	}
	start, ended := startOf(p.pid)
	if ended {
		return false
	}
	return start == 0 || p.start == 0 || start == p.start
}

// ProcessName names a process of this machine so that one that is given its number
// later is not taken for it; "" where there is none.
func ProcessName(pid int) string {
	if pid <= 0 {
		return ""
	}
	start, _ := startOf(pid)
	p := process{pid, start}
	if !p.alive() {
		return ""
	}
	return p.String()
}

// ProcessRuns reports whether a process still runs, by the name that ProcessName gave
// it. In doubt it does.
func ProcessRuns(name string) bool {
	p, _, ok := parseProcess(name)
	return !ok || p.alive()
}
