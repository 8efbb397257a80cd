//go:build !linux && !darwin

package cli

// freeSpace does not know where the system cannot be asked.
func freeSpace(string) (bytes uint64, ok bool) { return 0, false }

// writable believes so until a change is refused.
func writable(string) bool { return true }
