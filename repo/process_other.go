//go:build !linux

package repo

// startOf is known on Linux alone; elsewhere a process is known by its number.
func startOf(int) (start uint64, ended bool) { return 0, false }

// ProcessSpace is the whole machine.
func ProcessSpace() string { return "" }
