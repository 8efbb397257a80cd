package repo

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// startOf gives the start time of a process in clock ticks since boot, zero
// where there is no such process: field 22 of /proc/<pid>/stat, counted behind
// the command's name, which may hold spaces and parentheses.
func startOf(pid int) uint64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	behind := string(data[strings.LastIndexByte(string(data), ')')+1:])
	fields := strings.Fields(behind)
	if len(fields) < 20 {
		return 0
	}
	start, err := strconv.ParseUint(fields[19], 10, 64)
	if err != nil {
		return 0
	}
	return start
}
