//go:build linux || darwin

package cli

import "syscall"

// freeSpace gives the bytes that a person may still write to the disk of a
// folder.
func freeSpace(dir string) (bytes uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

// mayWrite is what access(2) is asked for.
const mayWrite = 2

func writable(dir string) bool { return syscall.Access(dir, mayWrite) == nil }
