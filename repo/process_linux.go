package repo

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// startOf gives the start time of a process in clock ticks since boot, zero
// where there is no such process, and whether it has ended and only waits for its
// parent: fields 22 and 3 of /proc/<pid>/stat, counted behind the command's name,
// which may hold spaces and parentheses.
func startOf(pid int) (start uint64, ended bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	behind := string(data[strings.LastIndexByte(string(data), ')')+1:])
	fields := strings.Fields(behind)
	if len(fields) < 20 {
		return 0, false
	}
	if start, err = strconv.ParseUint(fields[19], 10, 64); err != nil {
		return 0, false
	}
	return start, fields[0] == "Z" || fields[0] == "X"
}

// firstSpace is the namespace of process numbers that a machine begins with.
const firstSpace = "pid:[4026531836]"

// ProcessSpace names the processes among which ProcessName's names mean something,
// where that is not the whole machine: a container and many a sandbox count their
// processes by themselves. "" is the machine.
func ProcessSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || space == firstSpace {
		return ""
	}
	return space
}
