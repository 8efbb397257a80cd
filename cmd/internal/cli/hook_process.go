package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// throughShells are the programs that a harness may run a hook through; they end with it.
var throughShells = map[string]bool{"sh": true, "bash": true, "dash": true, "zsh": true, "fish": true, "busybox": true, "env": true}

// harness gives the process that runs this one as a hook, and lives as long as its
// session does: the first above it that is no shell. Where the system does not say what
// is above, it is the parent.
func harness() int {
	pid := os.Getppid()
	for range 8 { // no harness is farther away
		name, parent := processAbove(pid)
		if !throughShells[name] || parent <= 1 {
			break
		}
		pid = parent
	}
	return pid
}

// processAbove gives the name of a process and its parent, "" where that is not known.
func processAbove(pid int) (name string, parent int) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	text := string(data)
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if err != nil || open < 0 || end < open {
		return "", 0
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 2 {
		return "", 0
	}
	parent, err = strconv.Atoi(fields[1])
	if err != nil {
		return "", 0
	}
	return text[open+1 : end], parent
}
